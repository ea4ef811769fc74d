import type { Askable, AskableField } from '../askable.ts';
import { matchPhrases, mostAsked, positionsLike, positionsOf, weightAt } from '../candidate.ts';
import { type Entry, readText } from '../entries.ts';
import { formatDate, formatNumber, monthNames } from '../format.ts';
import { stemsOf } from '../lexicon.ts';
import { OWN_NAME } from '../names.ts';
import type { Question, Word } from '../question.ts';
import { labelOf } from '../records.ts';
import { isOfFamily } from '../values.ts';

/** What records of a list have to be, with the words of the question that say so. */
export interface Condition {
  /** Completes "Crawlers …": "of OpenAI", "that sign their requests". */
  that: string;
  at: ReadonlySet<number>;
  /** The words of the value among them, where those of its field are too. */
  own?: ReadonlySet<number>;
  field: string;
  /** Whether it's a bound of a number. */
  isNumber?: boolean;
  /** Whether it's that nothing is paid. */
  isFree?: boolean;
  test(entry: Entry): boolean;
}

const months = monthNames.map((month) => month.toLowerCase());
const shortMonths = new Map(months.map((month) => [month.slice(0, 3), month]));

const negations =
  /\b(not|no|without|never|ignore|ignores|ignoring|disregard|disobey|closed|proprietary|non|cannot|neither|lack|lacks)\b/;

/**
 * Reads the conditions that the question sets for records of a dataset, outside of the words that are taken. Where the dataset
 * is named by its nouns, a field that is yes or no may be named by a name: "crawlers that support Web Bot Auth".
 */
export function readConditions(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
  nouns: ReadonlySet<number>,
): Condition[] {
  const found: Condition[] = [];
  const add = (condition: Condition | null): void => {
    const isNew = (at: ReadonlySet<number>): boolean =>
      !found.some((known) => [...at].every((position) => known.at.has(position)));
    if (condition !== null && condition.at.size > 0 && isNew(condition.own ?? condition.at)) {
      found.push(condition);
    }
  };
  add(dateCondition(askable, question, dataset));
  for (const condition of namedConditions(askable, question, dataset)) {
    add(condition);
  }
  for (const condition of booleanConditions(askable, question, dataset, nouns.size > 0 ? nouns : taken)) {
    add(condition);
  }
  for (const condition of valueConditions(askable, question, dataset, taken)) {
    add(condition);
  }
  // What is said twice is one condition: "Ebene Bezahlung (payments)".
  const said = found.flatMap(({ at }) => [...at].flatMap((position) => question.words[position]?.stem ?? []));
  const used = new Set([
    ...taken,
    ...said.flatMap((stem) => question.at.get(stem) ?? []),
    ...namesOf(question, dataset).flatMap(positionsOf),
  ]);
  for (const condition of textConditions(askable, question, dataset, used)) {
    add(condition);
  }
  add(freeCondition(askable, question, dataset));
  for (const condition of numberConditions(askable, question, dataset, taken)) {
    add(condition);
  }
  return found;
}

/** Names of records of the dataset: "Anthropic gave MCP away" is about MCP. What governs others may be a condition for them. */
const namesOf = ({ mentions }: Question, dataset: string): Question['mentions'] =>
  mentions.filter(({ entries: [first] }) => {
    const isOfDataset = first !== undefined && first.entry.dataset === dataset && first.strength >= OWN_NAME;
    return isOfDataset && readText(first.entry, 'protocol_type') !== 'governance';
  });

/** The words of a condition with the rest of each name that they are part of: "robots" stands for "robots.txt". */
const withNames = (question: Question, at: ReadonlySet<number>): ReadonlySet<number> =>
  new Set([
    ...at,
    ...question.mentions.map(positionsOf).flatMap((name) => (name.some((one) => at.has(one)) ? name : [])),
  ]);

/** "of OpenAI", "of the Claude line". */
function namedConditions(askable: Askable, question: Question, dataset: string): Condition[] {
  const { organisation: fields } = askable.wordsOf(dataset);
  // A name that is said twice is one condition.
  const values = [...Map.groupBy(question.values, ({ facet, value }) => `${facet} ${value}`).values()];
  return values.flatMap((same): Condition[] => {
    const [value] = same;
    if (value === undefined) {
      return [];
    }
    const own = askable.fieldsOf(dataset).filter(({ field }) => fields.includes(field));
    const at = new Set([
      ...same.flatMap(positionsOf),
      // "created by Google": the word for the field says no more than the name does.
      ...(value.facet === 'family' ? [] : own.flatMap(({ phrases }) => [...matchPhrases(question, phrases).at])),
    ]);
    if (value.facet === 'family') {
      const test = (entry: Entry): boolean => isOfFamily(entry, value.value);
      // "the crawler of the company that makes Kimi"
      const [model] = dataset === 'models' || fields.length === 0 ? [] : askable.of('models').filter(test);
      const maker = model === undefined ? null : askable.records.format(model, 'provider');
      if (maker !== null) {
        const isOfMaker = (entry: Entry): boolean =>
          fields.some((field) => askable.records.format(entry, field)?.includes(maker));
        return askable.of(dataset).some(isOfMaker)
          ? [{ that: `of ${maker}`, at, field: fields[0] ?? '', test: isOfMaker }]
          : [];
      }
      return dataset === 'models' ? [{ that: `of the ${value.value} line`, at, field: 'family', test }] : [];
    }
    const test = (entry: Entry): boolean =>
      fields.some((field) => value.spellings.some((name) => askable.records.format(entry, field)?.includes(name)));
    // As the dataset writes it: "Z.ai", which is "Zhipu AI (Z.ai)" elsewhere.
    const isWritten = (name: string): boolean =>
      askable.of(dataset).some((entry) => fields.some((field) => askable.records.format(entry, field)?.includes(name)));
    const written = isWritten(value.value) ? value.value : value.spellings.find(isWritten);
    return written === undefined ? [] : [{ that: `of ${written}`, at, field: fields[0] ?? '', test }];
  });
}

/** Phrases of several words, the noun of the dataset among them, where there are some in the question. */
function withNoun(
  question: Question,
  { phrases }: AskableField,
  apart: ReturnType<typeof matchPhrases>,
): ReturnType<typeof matchPhrases> {
  const whole = matchPhrases(
    question,
    phrases.filter(({ length }) => length > 1),
  );
  return whole.at.size > 0 ? whole : apart;
}

/** Fields that are yes or no: "that sign their requests". */
function booleanConditions(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
): Condition[] {
  const isNegated = negations.test(question.plain);
  return askable
    .fieldsOf(dataset)
    .filter(({ type }) => type === 'boolean')
    .flatMap((field): Condition[] => {
      const apart = matchPhrases(question, field.phrases, taken);
      // "open models": the noun is a word of the condition.
      const { at, longest } = apart.longest < 2 ? withNoun(question, field, apart) : apart;
      if (at.size === 0 || (longest < 2 && weightAt(question, at) <= 0.25)) {
        return [];
      }
      const wanted = !(isNegated || question.words.some(({ stem }) => field.negative.has(stem)));
      const that = field.values.find(({ value }) => value === String(wanted))?.that;
      return [
        {
          that: that ?? `whose ${labelOf(field.field)} is ${wanted ? 'yes' : 'no'}`,
          at: withNames(question, at),
          field: field.field,
          test: (entry) => askable.records.read(entry, field.field)?.value === wanted,
        },
      ];
    });
}

/** The words of what a field is called: "an operator in Japan" is about its country. */
const wordsOf = ({ field }: AskableField): string[][] => stemsOf(labelOf(field)).map((stem) => [stem]);

/** "with status dormant", and of a relation its own sentence: "of which each extends MCP". */
const sayValue = ({ field, words: { say } }: AskableField, value: string): string =>
  field.startsWith('rel:')
    ? (say[0] ?? '').replace('{name}', 'of which each').replace(`{${field}}`, value).replace(/\.$/, '')
    : `with ${labelOf(field)} ${value}`;

/** Values of fields that have few: "for training", "with status dormant". The longest phrases come first. */
function valueConditions(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
): Condition[] {
  return askable
    .fieldsOf(dataset)
    .flatMap((field) =>
      field.values
        .filter(({ value }) => value !== 'true' && value !== 'false')
        // A relation is no condition without its word: "MCP" is what "protocols that extend MCP" extend.
        .filter(
          () =>
            !field.field.startsWith('rel:') ||
            (!field.field.endsWith('-of') && matchPhrases(question, field.phrases).at.size > 0),
        )
        // "text model": the noun is a word of the condition.
        .map((one) => ({ field, ...one, ...matchPhrases(question, one.phrases, one.isOnly ? new Set() : taken) })),
    )
    .filter(({ at, isOnly }) => at.size > 0 && !(isOnly && Math.max(...at) - Math.min(...at) >= at.size))
    .sort((a, b) => b.longest - a.longest || weightAt(question, b.at) - weightAt(question, a.at))
    .map(({ field, value, that, isOnly, at }) => {
      const before = question.words.slice(Math.max(0, Math.min(...at) - 2), Math.min(...at));
      const excluded = before.filter(({ word }) => /^(not|no|without|non|except|never|isn|aren|t)$/.test(word));
      const said = that ?? sayValue(field, value);
      return {
        that: excluded.length > 0 ? `other than those ${said}` : said,
        own: at,
        at: withNames(
          question,
          new Set([
            ...at,
            ...excluded.map(({ position }) => position),
            ...matchPhrases(question, [...field.phrases, ...wordsOf(field)], taken).at,
          ]),
        ),
        field: field.field,
        test: (entry) => {
          const held = [askable.records.read(entry, field.field)?.value].flat();
          return (held.includes(value) && (!isOnly || held.length === 1)) === (excluded.length === 0);
        },
      };
    });
}

/** Words as the question has them: "Apache 2.0". */
const asWritten = (words: readonly Word[]): string =>
  words
    .map(
      ({ gap, raw, position }, index) =>
        (index === 0 ? '' : words[index - 1]?.position === position - 1 ? gap : ' ') + raw,
    )
    .join('');

/** A word that many texts have is no condition: "agent", "first". */
const LEAST_HELD = 0.25;

/** "CC0", a word of letters and digits that touch, which a text has as one; and whether "under" says that it's a licence. */
function joinedWords(
  { words }: Question,
  field: AskableField,
  taken: ReadonlySet<number>,
): { word: string; raw: string; at: number[]; isUnder: boolean } | null {
  for (const [from, first] of words.entries()) {
    const second = words[from + 1];
    const word = `${first.word}${second?.word}`;
    if (second?.gap === '' && second.isNumber !== first.isNumber && !taken.has(from) && field.holding().has(word)) {
      const isUnder = field.field === 'license' && words[from - 1]?.word === 'under';
      return { word, raw: `${first.raw}${second.raw}`, at: [from, from + 1], isUnder };
    }
  }
  return null;
}

/** Words that the texts of a field have: "MIT licensed", "hosted by the Linux Foundation". */
function textConditions(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
): Condition[] {
  return askable
    .fieldsOf(dataset)
    .filter(({ words }) => words.holds === true)
    .flatMap((field): Condition[] => {
      const { at } = matchPhrases(question, field.phrases, taken);
      const joined = joinedWords(question, field, taken);
      if (joined !== null && (at.size > 0 || joined.isUnder)) {
        return [
          {
            that: `with ${joined.raw} in their ${labelOf(field.field)}`,
            at: new Set([...at, ...joined.at]),
            field: field.field,
            test: (entry) => field.holding().get(joined.word)?.has(entry) === true,
          },
        ];
      }
      const words =
        at.size === 0
          ? []
          : question.words.filter(
              ({ word, raw, position, weight, isEmpty, isNumber }) =>
                !isEmpty &&
                (weight > LEAST_HELD || /^\p{Lu}/u.test(raw)) &&
                !(isNumber && scaleWord.test(question.words[position + 1]?.word ?? '')) &&
                !at.has(position) &&
                !taken.has(position) &&
                field.holding().has(word),
            );
      return words.every(({ isNumber }) => isNumber)
        ? []
        : [
            {
              that: `with ${asWritten(words)} in their ${labelOf(field.field)}`,
              at: new Set([...at, ...words.map(({ position }) => position)]),
              field: field.field,
              test: (entry) => words.every(({ word }) => field.holding().get(word)?.has(entry) === true),
            },
          ];
    });
}

/** "per output token" is about the other side of a price. */
export const toSide = (plain: string, path: string): string =>
  /\boutput\b/.test(plain) ? path.replace(/\.input$/, '.output') : path;

/** What makes the number before it one of its own. */
const scaleWord = /^(k|m|million|thousand|tokens?)$/;

const atLeast = /^(at least|minimum|min|up from)$/;
const moreThan = /^(more than|over|above|greater than|larger than|bigger than|longer than|exceed\w*|beyond)$/;
const lessThan = /^(under|less than|below|fewer than|cheaper than|smaller than)$/;
const bounds = {
  'more than': (value: number, amount: number) => value > amount,
  'at least': (value: number, amount: number) => value >= amount,
  'less than': (value: number, amount: number) => value < amount,
  'at most': (value: number, amount: number) => value <= amount,
};
const numberPattern =
  /\b(at least|minimum|min|up from|more than|over|above|greater than|larger than|bigger than|longer than|exceed\w*|beyond|under|less than|below|at most|up to|fewer than|cheaper than|smaller than)\s+(?:a\s+|an\s+)?(?:\w+\s+){0,3}?(\d+(?:\.\d+)?(?: \d{3})*)\s*(k|m|million|thousand)?\b(?: tokens?\b)?/;
/** "under Apache 2.0" is no number of anything. */
const versioned = /\b(apache|version|v|rfc|gpl|bsd|cc)\b/;
/** "1M context", "a 200k token window": what names a field and its size means that size or more. */
const sizePattern = /\b()(\d+(?:\.\d+)?(?: \d{3})*)\s*(k|m|million|thousand)\b(?: tokens?\b)?/;

/** "what do 10 million tokens cost", "cheapest per 1 million tokens": tokens that have a price are no size. */
const paidFor = /\b(dollars?|usd|costs?|prices?|charges?|pay|how much)\b|\bper \d/;

/** From this number on it's no price. */
const LEAST_SIZE = 1000;

/** The words of a question with the points of its numbers: "under 0.2 dollars". */
const withDecimals = ({ words }: Question): string =>
  words
    .map(({ word, gap, isNumber }, at) =>
      isNumber && gap === '.' && words[at - 1]?.isNumber ? `.${word}` : ` ${word}`,
    )
    .join('')
    .trim();

/** "with a context window of at least 1,000,000 tokens", "that cost less than 1 US dollar …": each number with its own words. */
function numberConditions(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
): Condition[] {
  const plain = withDecimals(question)
    .replace(/\bhalf a million\b/g, '500 thousand')
    .replace(/\ba (?=million\b|thousand\b)/g, '1 ');
  const matches = [...plain.matchAll(new RegExp(numberPattern, 'g'))].filter(([all]) => !versioned.test(all));
  const isApart = ({ index, 0: all }: RegExpExecArray): boolean =>
    matches.every((match) => index >= match.index + match[0].length || index + all.length <= match.index);
  const sizes = [...plain.matchAll(new RegExp(sizePattern, 'g'))].filter(isApart);
  const found = [...matches, ...(matches.length > 0 ? sizes : sizes.slice(0, 1))].sort((a, b) => a.index - b.index);
  const read = found.flatMap((match, at) => {
    // What stands between two numbers belongs to the one before.
    const from = at === 0 ? 0 : match.index;
    const own = plain.slice(from, found[at + 1]?.index);
    return numberCondition(askable, question, dataset, taken, match, { own, isOnly: found.length === 1 }) ?? [];
  });
  return read.filter(({ field }, at) => read.findIndex((other) => other.field === field) === at);
}

function numberCondition(
  askable: Askable,
  question: Question,
  dataset: string,
  taken: ReadonlySet<number>,
  [all, mode = '', digits = '', unit = '']: RegExpExecArray,
  { own, isOnly }: { own: string; isOnly: boolean },
): Condition | null {
  const numbers = askable.fieldsOf(dataset).filter(({ type, field }) => type === 'number' && field !== 'year');
  const isCents = new RegExp(`\\b${digits} cents?\\b`).test(own);
  const scale = isCents ? 0.01 : /^m/.test(unit) ? 1e6 : /^(k|th)/.test(unit) ? 1e3 : 1;
  const amount = Number(digits.replace(/ /g, '')) * scale;
  const words = new Set(all.split(/[\s.]+/));
  const counted = question.words.flatMap(({ word, position }) => (words.has(word) ? [position] : []));
  const near = new Set(own.split(/[\s.]+/));
  const far = isOnly ? [] : question.words.flatMap(({ word, position }) => (near.has(word) ? [] : [position]));
  // Nothing costs a million dollars for a million tokens.
  const possible = numbers.filter((number) => number.words.member === undefined || amount < LEAST_SIZE);
  // "the cheapest output price": the side of a price is no size.
  const sides = paidFor.test(own) ? positionsLike(question, /^(input|output)$/) : [];
  const [named] = mostAsked(question, possible, new Set([...taken, ...counted, ...sides, ...far]));
  const asked = isOnly ? question.text.toLowerCase() : own;
  const isMoney =
    (question.text.includes(`$${digits}`) || /dollar|usd|\$|cents?\b|cost|price|cheap/.test(asked)) &&
    amount < LEAST_SIZE;
  const field = isMoney
    ? numbers.find((number) => number.words.member !== undefined)
    : (named?.field ?? numbers.find((number) => number.words.unit !== undefined));
  // "takes 10 million tokens": what is counted names the field, unless it's what is paid for.
  const isCounted = /tokens?$/.test(all) && !paidFor.test(own);
  if (field === undefined || (mode === '' && named === undefined && !(isCounted && isOnly))) {
    return null;
  }
  const path = field.words.member === undefined ? field.field : toSide(own, `${field.field}.${field.words.member}`);
  const at = new Set([...counted.filter((position) => !taken.has(position)), ...(named?.at ?? [])]);
  const bound = moreThan.test(mode)
    ? 'more than'
    : mode === '' || atLeast.test(mode)
      ? 'at least'
      : lessThan.test(mode)
        ? 'less than'
        : 'at most';
  const side = path.split('.')[1]?.replace('_', ' ');
  const text =
    side === undefined
      ? `with a ${labelOf(path)} of ${bound} ${formatNumber(amount)} ${field.words.unit ?? ''}`.trim()
      : `that cost ${bound} ${formatNumber(amount)} US dollar${amount === 1 ? '' : 's'} per million ${side} tokens`;
  return {
    that: text,
    at,
    field: field.field,
    isNumber: true,
    test: (entry) => {
      const value = askable.records.read(entry, path)?.value;
      return typeof value === 'number' && bounds[bound](value, amount);
    },
  };
}

const free =
  /\b(costs? nothing|free of charge|(are|is|for|completely|really|totally) free|free (models|of cost|to use|to call))\b/;

/** "that cost nothing": a price of 0 on every side. */
function freeCondition(askable: Askable, question: Question, dataset: string): Condition | null {
  const [words] = free.exec(question.plain) ?? [];
  const price = askable.fieldsOf(dataset).find(({ words: { member } }) => member !== undefined);
  if (words === undefined || price === undefined) {
    return null;
  }
  const named = new Set(words.split(' '));
  return {
    that: 'that cost nothing',
    isFree: true,
    at: new Set(question.words.filter(({ word }) => named.has(word)).map(({ position }) => position)),
    field: price.field,
    test: (entry) =>
      ['input', 'output'].every((side) => askable.records.read(entry, `${price.field}.${side}`)?.value === 0),
  };
}

const monthWords = `${months.join('|')}|${[...shortMonths.keys()].join('|')}`;
const datePattern = new RegExp(
  `\\b(?:(since|after|in|before|during|until|from|by|of|on|between)\\s+(?:(?:the|early|late|mid|end of|start of|beginning of)\\s+)*)?(?:(\\d{1,2})\\s+)?(?:(${monthWords})(?:\\s+(?=(?:19|20)\\d\\d))?)?((?:19|20)\\d\\d)?(?:\\s+(?:and|to|until)\\s+(?:(\\d{1,2})\\s+)?(?=${monthWords}|(?:19|20)\\d\\d)(?:(${monthWords})(?:\\s+(?=(?:19|20)\\d\\d))?)?((?:19|20)\\d\\d)?)?\\b`,
  'g',
);

/** "since 2026-09-01", as the words of a question have it. */
const isoPattern =
  /\b(since|after|in|before|until|from|on)\s+((?:19|20)\d\d) (0[1-9]|1[0-2])(?: (0[1-9]|[12]\d|3[01]))?\b/;
/** "the first half of 2026", "Q3 2026". */
const periodPattern =
  /\b(?:(first|second|third|fourth|last) (half|quarter) of(?: the year)?|([qh]) ([1-4])(?: of)?) ((?:19|20)\d\d)\b/;
const ordinals = ['first', 'second', 'third', 'fourth'];
const endPattern = /\b(?:before|by|until|till) (?:the )?(?:end of (?:the|this) year|year end|new year)\b/;
const relativePattern = /\b(this|last|past|previous) (month|year)\b/;

const toPoint = (year: string, month: string | undefined, day?: string): string => {
  const full = month === undefined ? undefined : (shortMonths.get(month.slice(0, 3)) ?? month);
  const parts = full === undefined ? [] : [months.indexOf(full) + 1, ...(day === undefined ? [] : [Number(day)])];
  return [year, ...parts.map((part) => String(part).padStart(2, '0'))].join('-');
};

const lastDays = new WeakMap<Askable, string>();

/** The last day of the datasets stands for today: "since September" means the last one. */
function lastDay(askable: Askable): string {
  const known = lastDays.get(askable);
  if (known !== undefined) {
    return known;
  }
  const days = askable.records.entries.map(({ record }) => String(record['last_verified'] ?? ''));
  const day = days.sort().at(-1) ?? '';
  lastDays.set(askable, day);
  return day;
}

interface Range {
  bound: 'since' | 'before' | 'in';
  point: string;
  end: string | null;
  /** The words of the question that name it. */
  words: string;
  /** How it's said, where that isn't by its bounds: "the first half of 2026". */
  said?: string;
}

/** The days that a question names, whichever way it does. */
export function readRange(askable: Askable, plain: string): Range | null {
  const [, isoMode, ...isoParts] = isoPattern.exec(plain) ?? [];
  const toBound = (mode: string): Range['bound'] =>
    /since|after|from/.test(mode) ? 'since' : /before|until/.test(mode) ? 'before' : 'in';
  if (isoMode !== undefined) {
    return {
      bound: toBound(isoMode),
      point: isoParts.filter(Boolean).join('-'),
      end: null,
      words: isoPattern.exec(plain)?.[0] ?? '',
    };
  }
  const [period, ordinal = '', part, letter, digit, ofYear] = periodPattern.exec(plain) ?? [];
  if (period !== undefined) {
    const months = part === 'half' || letter === 'h' ? 6 : 3;
    const place =
      ordinal === 'last' ? 12 / months : digit === undefined ? ordinals.indexOf(ordinal) + 1 : Number(digit);
    const toMonth = (month: number): string => `${ofYear}-${String(month).padStart(2, '0')}`;
    const said =
      digit === undefined ? `the ${ordinal} ${part} of ${ofYear}` : `${letter?.toUpperCase()}${digit} ${ofYear}`;
    return { bound: 'in', point: toMonth((place - 1) * months + 1), end: toMonth(place * months), words: period, said };
  }
  const today = lastDay(askable);
  const [relative, which, unit] = relativePattern.exec(plain) ?? [];
  if (relative !== undefined) {
    const day = new Date(
      `${today.slice(0, unit === 'year' ? 4 : 7)}-01T00:00:00Z`.replace(/^(\d{4})-01T/, '$1-01-01T'),
    );
    if (which !== 'this') {
      day.setUTCMonth(day.getUTCMonth() - (unit === 'year' ? 12 : 1));
    }
    return { bound: 'in', point: day.toISOString().slice(0, unit === 'year' ? 4 : 7), end: null, words: relative };
  }
  const [untilEnd] = endPattern.exec(plain) ?? [];
  if (untilEnd !== undefined) {
    return {
      bound: 'in',
      point: today,
      end: today.slice(0, 4),
      words: untilEnd,
      said: `the rest of ${today.slice(0, 4)}`,
    };
  }
  // "December 11, 2026", "between 9 and 12 November"
  const ordered = plain
    .replace(/\b(?:the )?(\d{1,2}) (?:st|nd|rd|th)\b(?: of\b)?/g, '$1')
    .replace(new RegExp(`\\b(${monthWords}) (\\d{1,2})(?= (?:19|20)\\d\\d\\b)`, 'g'), '$2 $1')
    .replace(
      new RegExp(`\\b(between|from) (\\d{1,2}) (?:and|to|until) (\\d{1,2}) (${monthWords})\\b`),
      '$1 $2 $4 to $3 $4',
    );
  const match = [...ordered.matchAll(datePattern)].find(
    ([, mode, , month, year]) =>
      (mode !== undefined || year !== undefined) && (month !== undefined || year !== undefined),
  );
  if (match === undefined) {
    return null;
  }
  const [words, mode = 'in', day, month, year, endDay, endMonth, endYear] = match;
  const startYear = year ?? endYear ?? today.slice(0, 4);
  return {
    bound: toBound(mode),
    point: toPoint(startYear, month, day),
    end: (endMonth ?? endYear) === undefined ? null : toPoint(endYear ?? startYear, endMonth, endDay),
    words,
  };
}

/** Whether a date, as exact as it is known, lies in the range. */
export function isWithinRange(date: string, { bound, point, end }: Range): boolean {
  const start = date.slice(0, point.length);
  if (date === '' || end !== null) {
    return date !== '' && start >= point && date.slice(0, end?.length) <= (end ?? '');
  }
  return bound === 'since' ? start >= point : bound === 'before' ? date < point : start === point;
}

/** "released since September 2026", "retired between 2024 and 2025". */
function dateCondition(askable: Askable, question: Question, dataset: string): Condition | null {
  const range = readRange(askable, question.plain);
  const [dated] = askable
    .fieldsOf(dataset)
    .filter(({ words }) => words.dated !== undefined)
    .map((field) => ({ field, ...matchPhrases(question, field.phrases) }))
    .sort((a, b) => weightAt(question, b.at) - weightAt(question, a.at));
  if (dated === undefined || range === null) {
    return null;
  }
  const { bound, point, end } = range;
  const words = new Set(range.words.trim().split(/\s+/));
  const said =
    range.said !== undefined
      ? `in ${range.said}`
      : end === null
        ? `${bound === 'in' && point.length > 7 ? 'on' : bound} ${formatDate(point)}`
        : point.length > 4 && point.slice(0, 4) === end.slice(0, 4)
          ? `between ${formatDate(point).replace(/ \d+$/, '')} and ${formatDate(end)}`
          : `from ${formatDate(point)} to ${formatDate(end)}`;
  return {
    that: `${dated.field.words.dated} ${said}`,
    at: new Set([
      ...question.words.filter(({ word }) => words.has(word)).map(({ position }) => position),
      ...dated.at,
      ...positionsLike(question, /^(launched|released|published|came|appeared|new|dated|st|nd|rd|th)$/),
    ]),
    field: dated.field.field,
    test: (entry) => isWithinRange(String(askable.records.read(entry, dated.field.field)?.value ?? ''), range),
  };
}

/** The numbers of a dataset that a superlative may order by. */
export const numberFields = (askable: Askable, dataset: string): AskableField[] =>
  askable.fieldsOf(dataset).filter(({ type, field }) => type === 'number' && field !== 'year');
