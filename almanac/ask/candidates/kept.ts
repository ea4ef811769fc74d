import type { PagePart, PageSection } from '../../pages.ts';
import type { PageCitation } from '../answer.ts';
import {
  type Candidate,
  type Composed,
  explain,
  firstSentences,
  matchPhrases,
  nothingExplained,
  positionsLike,
  positionsOf,
  weightAt,
} from '../candidate.ts';
import { type FactIndex, type FactMatch, type KeptFact, toNearness, weighAsked } from '../facts.ts';
import { emptyStems, stemsOf, synonymsOf } from '../lexicon.ts';
import type { Question } from '../question.ts';
import type { Records } from '../records.ts';

/** How many kept facts are looked at for one question. */
const MAX_FACTS = 14;
const MAX_SENTENCES = 4;
const MAX_CODE_LENGTH = 420;
const NEARLY_SAME = 0.85;
/** From this weight on a word that the kept parts leave open may call for another part of the section. */
const OPEN_WEIGHT = 0.45;
const MAX_PART_LENGTH = 400;
/** How many sentences are said of such a part. */
const MAX_FIRST = 2;
/** How many such parts are said. */
const MAX_FURTHER = 2;
/** Parts of the section itself are more likely meant than others of the page. */
const OWN_SECTION = 1.3;
/** What the open words in a part of another section weigh at least. */
const LEAST_GAIN = 0.9;

const endSentence = (text: string): string => (/[.!?:]$/.test(text) ? text : `${text}.`);

/** Candidates from what pages and guides keep: the nearest kept questions decide what is considered. */
export function keptCandidates(records: Records, index: FactIndex, question: Question, nearest?: number): Candidate[] {
  const stems = new Map<string, number>();
  for (const { stem, weight } of question.words) {
    stems.set(stem, Math.max(stems.get(stem) ?? 0, weighAsked(stem, weight)));
  }
  return index.search(stems, MAX_FACTS, nearest).map((match, place) => toCandidate(records, question, match, place));
}

function toCandidate(records: Records, question: Question, match: FactMatch, place: number): Candidate {
  const { fact, ask } = match;
  const { section } = fact;
  const names = matchPhrases(question, fact.names);
  const explained: number[] = question.words.map(({ stem }) => {
    const isNear = (): boolean => [...synonymsOf(stem)].some((form) => ask.has(form));
    return ask.has(stem)
      ? 1
      : isNear()
        ? 0.9
        : match.asked().has(stem)
          ? 0.8
          : fact.body().has(stem)
            ? 0.65
            : fact.around().has(stem)
              ? 0.5
              : 0;
  });
  explain(explained, names.at, 1);
  // A record that is named is what the question is about, unless a kept question is nearly the same.
  if (toNearness(match) < NEARLY_SAME) {
    for (const mention of question.mentions.filter(({ entries }) =>
      /crawlers|models/.test(entries[0]?.entry.dataset ?? ''),
    )) {
      for (const position of positionsOf(mention)) {
        explained[position] = Math.min(explained[position] ?? 0, 0.6);
      }
    }
  }
  const isTechnique = section?.path.startsWith('/techniques/') === true;
  if (!isTechnique) {
    explain(explained, positionsLike(question, /^(porchlight|site|website)$/), 0.9);
  }
  const open = nothingExplained(question).filter(
    (_, position) => (explained[position] ?? 0) < 0.5 && (question.words[position]?.weight ?? 0) > 0.5,
  ).length;
  const how = question.wants.has('howto');
  return {
    intent: section === null ? 'guide' : `page:${toPath(fact)}`,
    entry: null,
    explained,
    features: {
      [section === null ? 'isGuide' : isTechnique ? 'isTechnique' : 'isSite']: 1,
      nearness: toNearness(match),
      ofQuestion: match.ofQuestion,
      ofAsk: match.ofAsk,
      nearest: place === 0 ? 1 : 0,
      veryNear: Math.max(0, toNearness(match) - 0.7) * 3,
      keptOpen: Math.min(3, open),
      keptName: Math.min(1.5, weightAt(question, names.at)),
      techniqueHow: isTechnique && how ? 1 : 0,
      siteOwn: section !== null && !isTechnique && question.wants.has('own') ? 1 : 0,
      techniqueOwn: isTechnique && question.wants.has('own') ? 1 : 0,
      techniqueMine: isTechnique && question.wants.has('mine') ? 1 : 0,
      shortAsk: [...ask].filter((stem) => !emptyStems.has(stem)).length < 2 ? 1 : 0,
    },
    ...(section === null ? {} : { subject: fact.name }),
    compose: () => (section === null ? composeGuide(records, fact) : composeSection(fact, findMore(question, match))),
  };
}

const pathOf = ({ path, anchor }: PageSection): string => `${path}${anchor === null ? '' : `#${anchor}`}`;

const toPath = ({ section }: KeptFact): string => (section === null ? '' : pathOf(section));

/** A part that is said beside the kept ones, and the section that it's from. */
interface Further {
  section: PageSection;
  part: PagePart;
}

const stemsOfPart = new WeakMap<PagePart, ReadonlySet<string>>();

function readStems(part: PagePart): ReadonlySet<string> {
  const stems = stemsOfPart.get(part) ?? new Set(stemsOf(part.text));
  stemsOfPart.set(part, stems);
  return stems;
}

/** The parts of a page that have most of the words of a question that the kept parts leave open: they are what was asked. */
function findMore(question: Question, match: FactMatch): Further[] {
  const { section: own, page, parts, names } = match.fact;
  if (own === null || toNearness(match) >= NEARLY_SAME) {
    return [];
  }
  const said = new Set([...names.flat(), ...parts.flatMap((part) => [...readStems(part)])]);
  const open = new Map(
    question.words.flatMap(({ stem, weight }) =>
      weight < OPEN_WEIGHT || said.has(stem) ? [] : [[stem, weight] as const],
    ),
  );
  const gainOf = (stems: Iterable<string>): number => [...stems].reduce((sum, stem) => sum + (open.get(stem) ?? 0), 0);
  const further: Further[] = [];
  while (open.size > 0 && further.length < MAX_FURTHER) {
    const [best] = page
      .flatMap((section) => {
        const ofHeading = section === own ? [] : stemsOf(section.heading);
        return section.parts
          .filter((part) => !part.isCode && part.text.length <= MAX_PART_LENGTH && !parts.includes(part))
          .map((part) => {
            const stems = readStems(part).union(new Set(ofHeading));
            return { section, part, stems, gain: gainOf(stems) * (section === own ? OWN_SECTION : 1) };
          });
      })
      .sort((a, b) => b.gain - a.gain);
    if (best === undefined || best.gain < (best.section === own && further.length === 0 ? OPEN_WEIGHT : LEAST_GAIN)) {
      break;
    }
    further.push(best);
    for (const stem of best.stems) {
      open.delete(stem);
    }
  }
  return further;
}

/** The parts of a section as the page has them, under its title and heading, with what else the page says of the question. */
function composeSection(fact: KeptFact, further: readonly Further[]): Composed | null {
  const { section } = fact;
  const { parts } = fact;
  if (section === null || parts.length === 0) {
    return null;
  }
  const prose = parts.filter(({ isCode }) => !isCode);
  const code = parts.find(({ isCode, text }) => isCode && text.length <= MAX_CODE_LENGTH);
  let left = MAX_SENTENCES;
  const said = prose.flatMap(({ text }) => {
    const sentences = left <= 0 ? '' : firstSentences(text, left);
    left -= Math.max(1, (sentences.match(/[.!?](\s|$)/g) ?? []).length);
    return sentences === '' ? [] : [endSentence(sentences)];
  });
  const [here, elsewhere] = [true, false].map((isHere) =>
    further.filter((one) => (one.section === section) === isHere),
  );
  const first = (here ?? []).map(({ part }) => endSentence(firstSentences(part.text, MAX_FIRST)));
  const main = `${titleOf(section)}: ${[...first, ...said].join(' ')}${code === undefined ? '' : `\n${code.text}`}`;
  const also = (elsewhere ?? []).map(
    (one) => `${one.section.heading}: ${endSentence(firstSentences(one.part.text, MAX_FIRST))}`,
  );
  const cited = [...prose.slice(0, said.length), ...(code === undefined ? [] : [code])].map((part) => ({
    section,
    part,
  }));
  return {
    text: [main, ...also].join('\n'),
    citations: [...(here ?? []), ...cited, ...(elsewhere ?? [])].map((one) => toCitation(one)),
  };
}

const titleOf = ({ page, heading }: PageSection): string => (heading === page ? page : `${page}, ${heading}`);

const toCitation = ({ section, part }: Further): PageCitation => ({
  ...{ page: section.path, title: titleOf(section), anchor: section.anchor, path: pathOf(section), quote: part.quote },
});

/** Several records that answer together, each with the sentence that does. */
function composeGuide(records: Records, { refs }: KeptFact): Composed {
  return {
    text: refs
      .map(({ entry, field }) => {
        const text = firstSentences(records.format(entry, field) ?? '', 2);
        return text.includes(entry.title) ? text : `${entry.title}: ${text}`;
      })
      .join('\n'),
    citations: refs.flatMap(({ entry, field }) => records.cite(entry, [field])),
  };
}
