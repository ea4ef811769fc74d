import type { Askable, AskableField } from '../askable.ts';
import {
  bestSentences,
  type Candidate,
  type Composed,
  explain,
  firstSentences,
  joinSentences,
  mostAsked,
  nothingExplained,
  positionsLike,
  positionsOf,
} from '../candidate.ts';
import { type Entry, readText } from '../entries.ts';
import { formatList, formatNumber } from '../format.ts';
import { shareSaid, stemsOf } from '../lexicon.ts';
import type { Mention, Question } from '../question.ts';
import { fillSentence, labelOf, noteOf, type Records } from '../records.ts';
import { toKey } from '../tokens.ts';
import { type Degree, degrees } from '../vocabulary.ts';
import { toSide } from './conditions.ts';
import { readBought, sayCost, saySaving } from './cost.ts';

const comparing =
  /\b(gap|ratio|save|savings|overlap\w*|differ\w*|compar\w*|distinguish\w*|contrast\w*|versus|vs|against|same|between|than)\b/;
const comparingWord =
  /^(gap|ratio|times|much|differ|differs|difference|compare|compared|comparison|versus|vs|against|distinguish|distinguishes|contrast|better|than|same|different|overlap|overlaps)$/;
const comparative = / than |\b(more|less|bigger|larger|cheaper|newer|older|longer|smaller)\b/;
/** "Which should I use, A or B?", "Does A replace B?": what each is for says it. */
const choosing =
  /\b(better|best|should|choose|choos\w+|pick\w*|prefer\w*|suits?|suitable|right for|when(?! (?:was|were|did|is|are|will|does|do)\b)|take|need|enough|replac\w*|instead of|alternatives?|rather than|both|complement\w*|on top of)\b/;
/** The field that says what a record is for, and that of what it isn't for. */
const CHOICE = 'when_to_use';
const LEAVE = 'when_not_to_use';
/** How much more of the question's words the latter has to have to be said instead. */
const LEAST_LEAD = 0.4;

/** Longer values are prose, of which a comparison takes the first sentence. */
const MAX_FACT_LENGTH = 60;
const MAX_FACTS = 5;
const MAX_RECORDS = 6;

interface Compared {
  entry: Entry;
  mention: Mention;
}

/** The records of one dataset that the question names, in its order. */
function findCompared(question: Question, dataset: string): Compared[] {
  const found = question.mentions.flatMap((mention) =>
    mention.entries
      .filter(({ entry }) => entry.dataset === dataset)
      .slice(0, 1)
      .map(({ entry }) => ({ entry, mention })),
  );
  return found
    .filter(({ entry }, index) => found.findIndex((other) => other.entry === entry) === index)
    .slice(0, MAX_RECORDS);
}

/** "A or B", and not "edit A or put B there". */
function isEither({ words, mentions, at }: Question): boolean {
  const isJoined = (from: number, to: number): boolean => words.slice(from, to).every(({ isEmpty }) => isEmpty);
  return (at.get('or') ?? []).some(
    (or) =>
      mentions.some(({ to }) => to <= or && isJoined(to, or)) &&
      mentions.some(({ from }) => from > or && isJoined(or, from)),
  );
}

/** How much of what two things are compared for a comparison explains. */
const OF_PURPOSE = 0.7;

/** Two to six records side by side, on what was asked or on what differs. */
export function compareCandidates(askable: Askable, question: Question): Candidate[] {
  const isEitherOf = isEither(question);
  // "I want to sell calls to strangers. A or B?"
  const isChoice = choosing.test(question.plain) || (isEitherOf && question.wants.has('mine'));
  const isComparative = isChoice || isEitherOf || comparative.test(` ${question.plain} `);
  if (!comparing.test(question.plain) && !isComparative) {
    return [];
  }
  const found = askable.datasets.flatMap((dataset): Candidate[] => {
    const compared = findCompared(question, dataset);
    const [first, second] = compared;
    const words = askable.wordsOf(dataset);
    // A standards body and what it standardises aren't two of a kind.
    const isMixed = new Set(compared.map(({ entry }) => readText(entry, 'protocol_type') === 'governance')).size > 1;
    const isVague = dataset === 'glossary' && !comparing.test(question.plain);
    if (first === undefined || second === undefined || words.compare.length === 0 || isVague || isMixed) {
      return [];
    }
    const taken = new Set(compared.flatMap(({ mention }) => positionsOf(mention)));
    const comparable = askable
      .fieldsOf(dataset)
      .filter(({ field }) => compared.every(({ entry }) => askable.records.format(entry, field) !== null));
    const choice = isChoice ? (comparable.find(({ field }) => field === CHOICE) ?? null) : null;
    const purpose = comparing.test(question.plain) ? purposeOf(question, taken) : [];
    const fields = mostAsked(question, comparable, taken.union(new Set(purpose)));
    const [asked] = fields;
    // "on price and context": each number that is asked for.
    const others = fields.filter(
      ({ field, at }) => field.type === 'number' && asked !== undefined && asked.at.isDisjointFrom(at),
    );
    const wanted = degreesOf(question, taken);
    const [degree] = wanted;
    const explained = nothingExplained(question);
    for (const { entry } of compared) {
      const stems = askable.stemsOf(entry);
      explain(
        explained,
        question.words.filter(({ stem }) => stems.has(stem)).map(({ position }) => position),
        0.4,
      );
    }
    explain(explained, taken, 1);
    explain(explained, positionsLike(question, comparingWord), 1);
    explain(explained, purpose, OF_PURPOSE);
    explain(
      explained,
      question.words.filter(({ word }) => wanted.some(({ cue }) => cue.test(word))).map(({ position }) => position),
      1,
    );
    for (const { at } of asked === undefined ? [] : [asked, ...others]) {
      explain(explained, at, 1);
    }
    const entries = compared.map(({ entry }) => entry);
    return [
      {
        intent: `compare:${dataset}`,
        entry: first.entry,
        isChoice: choice !== null,
        explained,
        features: {
          isCompare: 1,
          compareAsked: 1,
          compareField: asked === undefined && degree === undefined ? 0 : 1,
          compareDegree: degree === undefined ? 0 : 1,
        },
        compose: () => {
          const sums = composeSums(askable, question, entries, taken);
          if (sums !== null) {
            return sums;
          }
          const paths = [asked, ...(asked?.field.type === 'number' || degree !== undefined ? others : [])].flatMap(
            (one) => toNumberField(askable, question, dataset, one?.field ?? null, degree) ?? [],
          );
          const numbers = [...new Set(paths)];
          const told = numbers.flatMap(
            (path) =>
              composeNumbers(
                askable.records,
                question,
                entries,
                path,
                degreeOfPath(wanted, path, { date: words.date, isOnly: numbers.length === 1 }),
              ) ?? [],
          );
          return told.length === 0
            ? composeDifferences(askable, question, entries, { choice, asked: asked?.field ?? null })
            : {
                // Which of them it is comes before how far apart they are.
                text: joinSentences([
                  ...told.flatMap(({ verdict }) => (verdict === '' ? [] : [verdict.trim()])),
                  ...told.map(({ text }) => text),
                ]),
                citations: told.flatMap(({ citations }) => citations),
              };
        },
      },
    ];
  });
  // What is a record of its own is more than a term.
  const records = found.filter(({ entry }) => entry?.dataset !== 'glossary');
  return [...(records.length > 0 ? records : found), ...sameCandidates(askable, question)];
}

/** Fields that say by which other names a record goes. */
const otherNames = /^(also_known_as|aliases|full_name|abbreviation_of|api_id)$/;

/** "Is LSAT the same as L402?": two names of one record, told by the field that has them. */
function sameCandidates({ records, fieldsOf }: Askable, question: Question): Candidate[] {
  const [one, other, ...others] = question.mentions;
  const both = (one?.entries ?? [])
    .map(({ entry }) => entry)
    .filter((entry) => other?.entries.some((link) => link.entry === entry));
  const entry = both.find(({ dataset }) => dataset !== 'glossary') ?? both[0];
  if (one === undefined || other === undefined || entry === undefined || others.length > 0) {
    return [];
  }
  const keyOf = ({ from, to }: Mention): string => toKey(question.words, from, to);
  // Of "ACP" there are several.
  const isOneOfMany = ({ entries }: Mention): boolean =>
    entries.filter((link) => link.entry.dataset === entry.dataset).length > 1;
  if (keyOf(one) === keyOf(other) || isOneOfMany(one) || isOneOfMany(other) || !comparing.test(question.plain)) {
    return [];
  }
  const taken = [...positionsOf(one), ...positionsOf(other)];
  const own = taken.map((position) => question.words[position]?.word ?? '');
  const said = fieldsOf(entry.dataset)
    .filter(({ field }) => otherNames.test(field))
    .flatMap(({ field, words }) => fillSentence(records, entry, field, words.say[0] ?? '') ?? [])
    .find(({ text }) => own.every((word) => text.toLowerCase().includes(word)));
  const explained = nothingExplained(question);
  explain(explained, [...taken, ...positionsLike(question, comparingWord)], 1);
  return said === undefined
    ? []
    : [
        {
          intent: `same:${entry.dataset}`,
          entry,
          explained,
          features: { isCompare: 1, compareAsked: 1, compareField: 1, isSame: 1 },
          compose: () => ({
            text: `The two names mean the same thing. ${said.text}`,
            citations: records.cite(entry, said.fields),
          }),
        },
      ];
}

/** "x402 or L402 for a metered API, what's the difference?": whatever they're for, all differences are told. */
function purposeOf({ words }: Question, taken: ReadonlySet<number>): number[] {
  const from = words.findIndex(({ word }, at) => word === 'for' && /^an?$/.test(words[at + 1]?.word ?? ''));
  const to = words.findIndex(({ gap, position }) => position > from && (/\S/.test(gap) || taken.has(position)));
  return from === -1 ? [] : words.slice(from, to === -1 ? words.length : to).map(({ position }) => position);
}

/** Whether the cheaper, the newer or the larger one is asked for. "Qwen3.8 Max" asks for no maximum. */
function degreesOf({ words }: Question, taken: ReadonlySet<number>): Degree[] {
  const open = words.filter(({ position }) => !taken.has(position)).map(({ word }) => word);
  return degrees.filter(({ cue }) => cue.test(open.join(' ')));
}

/**
 * "Newer" is no word on two prices, and "larger" on none of several numbers, unless the others have a word of their own:
 * "which is cheaper and which has the larger window". `date` is the field by which records are new.
 */
function degreeOfPath(
  wanted: readonly Degree[],
  path: string,
  { date, isOnly }: { date: string | null; isOnly: boolean },
): Degree | undefined {
  const own = wanted.find(
    ({ field }) => field !== null && (field === 'date' ? date : field)?.split('.')[0] === path.split('.')[0],
  );
  const isOther = wanted.some(({ field }) => field !== null);
  return own ?? (isOnly || isOther ? wanted.find(({ field }) => field === null) : undefined);
}

/** "Claude Haiku 5.5 is cheaper.": of two by the field of their prices, where that is asked for. */
export const sayCheaper = (
  records: Records,
  question: Question,
  entries: readonly Entry[],
  taken: ReadonlySet<number>,
  price: string,
): string => {
  const paths = [`${price}.input`, `${price}.output`];
  const wanted = degreesOf(question, taken);
  return sayFirst(records, entries, paths, degreeOfPath(wanted, price, { date: null, isOnly: false })).trim();
};

/** "The bill for 100 million input tokens on A and B": what the amounts cost with each, and the difference. */
export function composeSums(
  { records, fieldsOf }: Askable,
  question: Question,
  entries: readonly Entry[],
  taken: ReadonlySet<number>,
): Composed | null {
  const price = fieldsOf(entries[0]?.dataset ?? '').find(({ words }) => words.member !== undefined);
  const bought = readBought(question, taken);
  const costs = entries.flatMap((entry) =>
    price === undefined ? [] : (sayCost(records, entry, price, question, bought) ?? []),
  );
  const [a, b] = costs;
  return a === undefined || b === undefined || price === undefined || costs.length > 2
    ? null
    : {
        text: [...costs.map(({ text }) => text), saySaving(a, b)].filter((text) => text !== '').join('\n'),
        citations: entries.flatMap((entry) => records.cite(entry, [price.field])),
      };
}

/** The path of the number or date that decides a comparison; null when it is about more. */
function toNumberField(
  askable: Askable,
  question: Question,
  dataset: string,
  asked: AskableField | null,
  degree: Degree | undefined,
): string | null {
  if (asked?.type === 'number') {
    const { field, words } = asked;
    return words.member === undefined ? field : toSide(question.plain, `${field}.${words.member}`);
  }
  const path = degree?.field === 'date' ? askable.wordsOf(dataset).date : (degree?.field ?? null);
  return path === null ? null : toSide(question.plain, path);
}

function composeNumbers(
  records: Records,
  question: Question,
  entries: readonly Entry[],
  path: string,
  degree: Degree | undefined,
): (Composed & { verdict: string }) | null {
  const values = entries.map((entry) => ({ entry, value: records.read(entry, path)?.value as number | string }));
  const [a, b] = values;
  if (a === undefined || b === undefined || values.some(({ value }) => value === undefined)) {
    return null;
  }
  const isMore = a.value !== b.value && a.value > b.value === (degree?.top ?? true);
  const isWhether = question.wants.has('yesno') && degree !== undefined && !/\bor\b/.test(question.plain);
  const said = formatList(values.map(({ entry }) => `${String(records.format(entry, path))} for ${entry.title}`));
  const gap = values.length === 2 ? sayGap(a.value, b.value) : '';
  // A price has two sides, and a question that names none is about both.
  const other = path.endsWith('.input') && !/\binput\b/.test(question.plain) ? path.replace(/input$/, 'output') : null;
  const others = other === null ? null : composeNumbers(records, question, entries, other, undefined);
  const first = sayFirst(records, entries, [path, ...(others === null || other === null ? [] : [other])], degree);
  const verdict = isWhether ? (isMore ? 'Yes. ' : 'No. ') : first;
  const long = other === null ? '' : `${sayLong(records, question, entries)}${sayUntil(records, entries)}`;
  return {
    verdict,
    text: `The ${labelOf(path)} is ${said}.${gap}${others === null ? '' : ` ${others.text}`}${long}`,
    citations: entries.flatMap((entry) => records.cite(entry, [path])),
  };
}

/** Which of two is the cheaper, the newer or the larger one; nothing where one side of a price says so and the other doesn't. */
function sayFirst(
  records: Records,
  entries: readonly Entry[],
  paths: readonly string[],
  degree: Degree | undefined,
): string {
  const [a, b, ...others] = entries;
  if (a === undefined || b === undefined || others.length > 0 || degree === undefined) {
    return '';
  }
  const winners = paths.map((path) => {
    const [one, other] = [a, b].map((entry) => records.read(entry, path)?.value as number | string);
    return one === undefined || other === undefined || one === other ? null : one > other === degree.top ? a : b;
  });
  const [winner] = winners;
  return winner === null || winner === undefined || winners.some((other) => other !== winner)
    ? ''
    : degree.field === null
      ? `${winner.title} has the ${degree.said} ${labelOf(paths[0] ?? '')}. `
      : `${winner.title} is ${degree.said}. `;
}

/** What long prompts cost, where the question speaks of them. */
function sayLong(records: Records, question: Question, entries: readonly Entry[]): string {
  if (!/\b(long|longer|large|prompts?|above|over|past)\b/.test(question.plain)) {
    return '';
  }
  const said = entries.flatMap((entry) => {
    const prices = records.format(entry, 'pricing_usd_per_mtok.long_context');
    return prices === null ? [] : [` ${entry.title} costs ${prices}.`];
  });
  return said.join('');
}

/** Until when a price holds that ends, and what comes after it. */
function sayUntil(records: Records, entries: readonly Entry[]): string {
  const said = entries.flatMap((entry) => {
    const until = records.format(entry, 'pricing_usd_per_mtok.valid_until');
    const after = records.format(entry, 'pricing_usd_per_mtok.afterwards');
    return until === null || after === null
      ? []
      : [` The price of ${entry.title} holds until ${until}; afterwards it's ${after}.`];
  });
  return said.join('');
}

/** How far two numbers are apart: by how much, and how many times. */
function sayGap(a: number | string, b: number | string): string {
  if (a === b) {
    return ' They are equal.';
  }
  const [low, high] = [Number(a), Number(b)].sort((x, y) => x - y);
  if (typeof a !== 'number' || low === undefined || high === undefined || low <= 0) {
    return '';
  }
  const share = Math.round(100 * (1 - low / high));
  const times = Math.round((10 * high) / low) / 10;
  const difference = ` The difference is ${formatNumber(Number((high - low).toPrecision(8)))}`;
  return times === 1
    ? `${difference}${share === 0 ? '' : `, which is ${share} %`}.`
    : `${difference}: one is ${formatNumber(times)} times the other, which is ${share} % less.`;
}

/** What each is, in a sentence, and the fields in which they differ. */
function composeDifferences(
  askable: Askable,
  question: Question,
  entries: readonly Entry[],
  { choice, asked }: { choice: AskableField | null; asked: AskableField | null },
): Composed | null {
  const { records } = askable;
  const [first] = entries;
  const words = askable.wordsOf(first?.dataset ?? '');
  const shown = (entry: Entry, field: string): string => {
    const member = words.fields[field]?.member;
    return records.format(entry, member === undefined ? field : `${field}.${member}`) ?? '';
  };
  const wanted = choice ?? asked;
  const differing = [...(wanted === null ? [] : [wanted.field]), ...words.compare].filter((field, index, all) => {
    const values = entries.map((entry) => shown(entry, field));
    return all.indexOf(field) === index && !values.includes('') && new Set(values).size > 1;
  });
  const isProse = (field: string): boolean => entries.some((entry) => shown(entry, field).length > MAX_FACT_LENGTH);
  // What is asked for comes first: what blocking does, and not what each is for.
  const prose = differing.filter(isProse).slice(0, 1);
  const facts = differing.filter((field) => !isProse(field)).slice(0, MAX_FACTS);
  if (prose.length + facts.length === 0) {
    return null;
  }
  const told = prose.flatMap((field) =>
    entries.map((entry) => ({ entry, field: field === CHOICE && isToLeave(question, entry) ? LEAVE : field })),
  );
  const sentences = told.map(({ entry, field }) => {
    const text =
      field === LEAVE ? bestSentences(question, shown(entry, field), 1) : firstSentences(shown(entry, field), 1);
    const lead = { [CHOICE]: 'When to use ', [LEAVE]: 'When not to use ' }[field] ?? '';
    return text.startsWith(entry.title) ? text : `${lead}${entry.title}: ${text}`;
  });
  const listed = facts.map(
    (field) => `${labelOf(field)} (${entries.map((entry) => `${entry.title}: ${shown(entry, field)}`).join('; ')})`,
  );
  const related = sayRelation(askable, entries);
  // What is asked for may be the same for both: "Do both follow robots.txt?"
  const isSame = asked !== null && new Set(entries.map((entry) => shown(entry, asked.field))).size === 1;
  const same = isSame
    ? entries.flatMap((entry) => fillSentence(records, entry, asked.field, asked.words.say[0] ?? '') ?? [])
    : [];
  const verdict =
    question.wants.has('yesno') && /\bsame\b/.test(question.plain)
      ? [`No: ${formatList(entries.map(({ title }) => title))} aren't the same.`]
      : [];
  return {
    text: [
      ...verdict,
      ...(same.length < 2 ? [] : [joinSentences(same.map(({ text }) => text))]),
      ...sentences,
      ...related.map(({ text }) => text),
      ...(listed.length === 0 ? [] : [`They differ in ${formatList(listed)}.`]),
    ].join('\n'),
    citations: [
      ...(isSame ? entries.flatMap((entry) => records.cite(entry, [asked.field])) : []),
      ...told.flatMap(({ entry, field }) => records.cite(entry, [field])),
      ...entries.flatMap((entry) => records.cite(entry, facts)),
      ...related.flatMap(({ citations }) => citations),
    ],
  };
}

/** Whether what a record isn't for has more of the question than what it is for: "I charge 2 cents a call." */
function isToLeave({ words }: Question, entry: Entry): boolean {
  const shareOf = (field: string): number => {
    const stems = new Set(stemsOf(readText(entry, field)));
    return words.reduce((sum, { stem, weight }) => sum + weight * shareSaid(stems, stem), 0);
  };
  return shareOf(LEAVE) > shareOf(CHOICE) + LEAST_LEAD;
}

/** How two records are related, where one of them says so, with its note: "llms.txt complements robots.txt. …" */
function sayRelation({ records, fieldsOf }: Askable, entries: readonly Entry[]): Composed[] {
  const [a, b] = entries;
  if (a === undefined || b === undefined || entries.length > 2) {
    return [];
  }
  const found = [
    [a, b],
    [b, a],
  ].flatMap(([from, to]): Composed[] =>
    from === undefined || to === undefined
      ? []
      : fieldsOf(from.dataset)
          .filter(({ field }) => /^rel:(?!.*-of$)/.test(field) && records.follow(from, field).includes(to))
          .flatMap(({ field, words: { say } }) => {
            const text = say[0]?.replace('{name}', from.title).replace(`{${field}}`, to.title);
            const note = noteOf(from, field, to);
            return text === undefined || note === undefined
              ? []
              : [{ text: `${text} ${note}`, citations: records.cite(from, [field]) }];
          }),
  );
  return found.slice(0, 1);
}
