import type { Answer, DeclineReason, PageReference, RecordReference, Reference } from './answer.ts';
import type { Askable } from './askable.ts';
import {
  type Candidate,
  type Composed,
  firstSentences,
  inShort,
  sentencesOf,
  verdict,
  withoutSaid,
} from './candidate.ts';
import type { Entry } from './entries.ts';
import { formatList } from './format.ts';
import { toAskedWords } from './kept.ts';
import type { Question, Span } from './question.ts';
import { labelOf } from './records.ts';
import { declineAnswers } from './refuse.ts';
import type { SectionIndex } from './section-index.ts';
import type { Section } from './sections.ts';
import { rawText } from './tokens.ts';

/** The best answer to a question or to a part of it. */
export interface Found {
  candidate: Candidate;
  composed: Composed;
  confidence: number;
  /** How likely the question is one that this site answers. */
  within: number;
  /** Whether a field of a named record explains every word of the question. */
  isPlain: boolean;
  /** What the next candidates say, where they're nearly as good. */
  also: Composed[];
}

/** Where a refusal looks for what is near. */
interface Holdings {
  askable: Askable;
  sections: SectionIndex;
}

const MAX_ALTERNATIVES = 5;
/** How many pages and records that are near a refusal lists. */
const NEAREST_PAGES = 2;
const NEAREST_RECORDS = 5;
const MAX_DECLINED_CONFIDENCE = 0.29;
/** How many sentences a refusal quotes of what is nearest. */
const MAX_NEAREST = 3;
const roundShare = (share: number): number => Math.round(100 * share) / 100;

/** Answers to a question or its parts, one after the other; `open` are the parts that have none. */
export function toAnswer(holdings: Holdings, question: Question, answers: readonly Found[], open: string[]): Answer {
  const [first] = answers;
  const also = answers.length === 1 ? (first?.also ?? []) : [];
  const citations = [...answers.map(({ composed }) => composed), ...also].flatMap((composed) => composed.citations);
  if (citations.length === 0 || answers.every(({ composed }) => composed.unconfirmed !== undefined)) {
    return decline(holdings, question, 'unconfirmed', first ?? null);
  }
  const cited = new Set(citations.map(({ path }) => path));
  const others = question.mentions.flatMap(({ entries }) => entries.map(({ entry }) => entry));
  const intent = answers.map(({ candidate }) => candidate.intent).join(' + ');
  return {
    question: question.text,
    answer: withPronouns(
      joinTexts([
        ...answers.map(({ composed }, at) => trimPart(composed.text, answers.length - at)),
        ...also.map(({ text }) => text),
      ]),
      new Set(citations.map(({ title }) => title)),
    ),
    grounded_in: citations,
    confidence: roundShare(Math.min(...answers.map(({ confidence }) => confidence))),
    answered: true,
    unanswered: open,
    understood_as: understand(question, intent, null),
    alternatives: toAlternatives(others.filter(({ path }) => !cited.has(path))),
    note: question.isForeign ? 'The answer is in English, the language of the records.' : null,
  };
}

/** Of the answer to a part that others follow what comes first: the next one's is waited for. */
const trimPart = (text: string, left: number): string => (left === 1 ? text : inShort(text));

/** Texts one after the other; of one in a single line what the others before haven't said. */
function joinTexts(texts: readonly string[]): string {
  const said: string[] = [];
  for (const text of texts) {
    const rest = text.includes('\n') || said.length === 0 ? [text] : withoutSaid(text, said.join('\n'));
    // "No." says nothing without what it rests on.
    const isVerdict = rest.length === 1 && verdict.exec(rest[0] ?? '')?.[0] === rest[0];
    said.push(...(rest.length === 0 ? [] : [isVerdict ? text : rest.join(' ')]));
  }
  return said.join('\n');
}

/** Of sentences of a line that are the same the first one. */
const onlyOnce = (sentences: readonly string[]): string[] => {
  const said = new Set<string>();
  return sentences.filter((sentence) => !said.has(sentence.trim()) && said.add(sentence.trim()));
};

/** "GPTBot is operated by OpenAI. It crawls …": a record isn't named again at the start of the next sentence. */
function withPronouns(text: string, titles: ReadonlySet<string>): string {
  const subjectOf = (sentence: string): string | undefined =>
    [...titles].find(
      (title) =>
        sentence.trimStart().startsWith(`${title} `) &&
        /^(?!(agents|clients|servers|sites|tools|tokens|keys|users|models|payments|requests)\b)([a-z]*s|can|cannot|may|must|had|will)\b/.test(
          sentence.trimStart().slice(title.length + 1),
        ),
    );
  return text
    .split('\n')
    .map((line) => {
      let subject: string | undefined;
      return onlyOnce(sentencesOf(line))
        .map((sentence) => {
          const own = subjectOf(sentence);
          const isSame = own !== undefined && own === subject;
          subject = own;
          return isSame ? sentence.replace(own, 'It') : sentence;
        })
        .join('');
    })
    .join('\n');
}

/** A refusal with its reason and what the site has on the names and words of the question. */
export function decline(
  { askable, sections }: Holdings,
  question: Question,
  reason: DeclineReason,
  found: Found | null,
): Answer {
  const isRefused = reason === 'instruction' || reason === 'empty';
  const named = question.mentions.flatMap(({ entries }) => entries.slice(0, 2).map(({ entry }) => entry));
  const nearest = sections.search(toAskedWords(question.words));
  const near: (Entry | PageReference)[] = isRefused
    ? []
    : [
        ...question.nearMisses.flatMap(({ entry }) => entry ?? []),
        ...(found?.composed.unconfirmed === undefined ? [] : [found.composed.unconfirmed]),
        ...named,
        ...nearest.sections.slice(0, NEAREST_PAGES).map(({ section }) => toPage(section)),
        ...nearest.records.slice(0, NEAREST_RECORDS).flatMap(({ section }) => section.entry ?? []),
      ];
  const text = reason === 'unconfirmed' ? (found?.composed.text ?? declineAnswers.unconfirmed) : declineAnswers[reason];
  // Of what is declined for want of confidence more had an answer than the best candidate was right.
  const guess = Math.min(MAX_DECLINED_CONFIDENCE, isRefused ? 0.02 : 0.03 + (found?.confidence ?? 0) * 2);
  return {
    question: question.text,
    answer: reason === 'not-understood' ? `${text} ${describeHoldings(askable, named, found)}` : text,
    grounded_in: [],
    confidence: roundShare(guess),
    answered: false,
    unanswered: isRefused ? [] : [question.text],
    understood_as: understand(question, found?.candidate.intent ?? null, reason),
    alternatives: toAlternatives(near),
    note: null,
  };
}

/** What the site has that is nearest, and on the name that was recognised what may be asked for by name. */
function describeHoldings({ records, fieldsOf }: Askable, [entry]: readonly Entry[], found: Found | null): string {
  const [line = ''] = found?.composed.text.split('\n') ?? [];
  const nearest = found === null ? '' : `The nearest that the site has: ${firstSentences(line, MAX_NEAREST)}`;
  if (entry === undefined || (nearest !== '' && entry.dataset === 'glossary')) {
    return nearest === '' ? 'It may be in other words on the pages listed below.' : nearest;
  }
  const held = fieldsOf(entry.dataset).filter(
    ({ field }) => !field.startsWith('rel:') && records.read(entry, field) !== null,
  );
  const lead = held.find(({ words }) => words.lead === true)?.field;
  const summary =
    lead === undefined ? '' : `The nearest that the site has: ${entry.title}: ${records.read(entry, lead)?.value}`;
  const labels = held
    .filter(({ words }) => words.lead !== true)
    .slice(0, 6)
    .map(({ field }) => labelOf(field));
  const others = labels.length === 0 ? '' : ` Of ${entry.title} you can ask for its ${formatList(labels)} by name.`;
  return `${nearest === '' ? summary : nearest}${others}`.trim();
}

const toRecord = ({ dataset, id, title, path }: Entry): RecordReference => ({ dataset, id, title, path });

const toPage = ({ path, page, anchor }: Section): PageReference => ({
  page: path,
  title: page,
  anchor,
  path: `${path}${anchor === null ? '' : `#${anchor}`}`,
});

function toAlternatives(found: readonly (Entry | PageReference)[]): Reference[] {
  const byPath = new Map(found.map((one) => [one.path, 'record' in one ? toRecord(one) : one] as const));
  return [...byPath.values()].slice(0, MAX_ALTERNATIVES);
}

function understand(
  question: Question,
  intent: string | null,
  declined: DeclineReason | null,
): Answer['understood_as'] {
  const matched = ({ from, to }: Span): string => rawText(question.words.slice(from, to));
  return {
    intent,
    entities: question.mentions.flatMap((mention) =>
      mention.entries
        .slice(0, 2)
        .map(({ entry: { dataset, id, title } }) => ({ dataset, id, title, matched: matched(mention) })),
    ),
    values: question.values.map((value) => ({ facet: value.facet, value: value.value, matched: matched(value) })),
    corrections: question.corrections,
    declined,
  };
}
