import type { AskableField } from '../askable.ts';
import type { Entry } from '../entries.ts';
import { formatDate, formatList, formatNumber } from '../format.ts';
import type { Question, Word } from '../question.ts';
import type { Records } from '../records.ts';

/** "500k output tokens" in a question about a price: how many, of which kind, and the positions of the words. */
interface Amount {
  tokens: number;
  member: string;
  at: number[];
}

const scales: readonly [RegExp, number][] = [
  [/^(k|thousand)$/, 1e3],
  [/^(m|mio|million|millions)$/, 1e6],
  [/^(b|bn|billion|billions)$/, 1e9],
];

/** The kinds of tokens that have a price of their own, by the words for them. */
const kinds: readonly [RegExp, string][] = [
  [/^(cached?|caching|cache)$/, 'cached_input'],
  [/^(output|out|completions?|reply|replies|answers?|back|generated|written|write|writes)$/, 'output'],
  [/^(input|in|prompts?|send|sent|read|reads|reading)$/, 'input'],
];

const kindOf = (word: Word | undefined): string | undefined =>
  kinds.find(([pattern]) => word !== undefined && pattern.test(word.word))?.[1];

/** Reads a number from its digits: "2", "1,000,000", "2.5", with what scales it. Null when it counts something else. */
function readNumber(words: readonly Word[], from: number): { value: number; to: number } | null {
  let to = from + 1;
  let digits = words[from]?.word ?? '';
  while (words[to]?.isNumber && /^[.,]$/.test(words[to]?.gap ?? '')) {
    const isGroup = words[to]?.gap === ',' && words[to]?.word.length === 3;
    digits += isGroup ? words[to]?.word : `.${words[to]?.word}`;
    to += 1;
  }
  const scale = scales.find(([pattern]) => pattern.test(words[to]?.word ?? ''))?.[1];
  const isTokens = /^tokens?$/.test(words[to]?.word ?? '');
  const value = Number(digits) * (scale ?? 1);
  const isOther = value < 1000 || /^(19|20)\d\d$/.test(digits);
  return (scale === undefined && !isTokens && isOther) || !(value > 0)
    ? null
    : { value, to: scale === undefined ? to : to + 1 };
}

/** What is asked of a model once for each: "20 requests", "10,000 support mails". */
const unitWord =
  /^(requests?|calls?|prompts?|e?mails?|letters?|documents?|papers?|pages?|files?|questions?|messages?|tickets?|chats?|conversations?|articles?|reviews?|sessions?|runs?|jobs?|tasks?|users?|visitors?|reports?|contracts?|summaries|invoices)$/;
/** How many words may stand between a number and what it counts: "10,000 incoming support mails". */
const MAX_BETWEEN = 2;
const smallNumbers = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];

/** The number that begins at a place, in digits or in words, and where it ends. */
function readCount(words: readonly Word[], from: number): { value: number; to: number } | null {
  const inWords = smallNumbers.indexOf(words[from]?.word ?? '') + 1;
  if (inWords > 0) {
    return { value: inWords, to: from + 1 };
  }
  let to = from;
  let digits = '';
  while (
    words[to]?.isNumber &&
    (to === from || (/^[, ]$/.test(words[to]?.gap ?? '') && words[to]?.word.length === 3))
  ) {
    digits += words[to]?.word;
    to += 1;
  }
  return to === from ? null : { value: Number(digits), to };
}

/** How often the amounts of a question are paid for, how that's said, and the positions of the words that say it. */
interface Times {
  count: number;
  said: string;
  /** Whether it counts months, and not what each is asked for. */
  isSpan: boolean;
  at: number[];
}

/** "20 requests of … each", "… a month, over half a year": how often what is said of one is paid for. */
function readTimes({ words, plain }: Question, taken: ReadonlySet<number>): Times[] {
  const times: Times[] = [];
  const each =
    /\b(each|every|per|apiece|a (request|call|prompt|mail|document|page|ticket|chat|question|message|paper))\b/;
  for (let from = 0; from < words.length && each.test(plain); from++) {
    const number = taken.has(from) ? null : readCount(words, from);
    const near = number === null ? [] : words.slice(number.to, number.to + MAX_BETWEEN + 1);
    const unit = near.find(({ word }) => unitWord.test(word));
    if (number !== null && unit !== undefined && !near.some(({ word }) => /^tokens?$/.test(word))) {
      const at = words.slice(from, unit.position + 1).map(({ position }) => position);
      times.push({ count: number.value, said: `${formatNumber(number.value)} ${unit.word}`, isSpan: false, at });
      break;
    }
  }
  const isMonthly = /\b(a|per|each|every) month\b|\bmonthly\b/.test(plain);
  const [span, digits, unit] =
    /\b(?:over|for|in|during|after|within) (?:the |a |an |one |whole |full |next |first )*(\w+ )?(months?|years?|half a year)\b/.exec(
      plain,
    ) ?? (/\b(whole|full|entire|a|per) year\b/.exec(plain) === null ? [] : ['year', undefined, 'year']);
  const amount = digits === undefined ? 1 : Number(digits) || smallNumbers.indexOf(digits.trim()) + 1 || 1;
  const months = unit === undefined ? 0 : unit.startsWith('half') ? 6 : unit.startsWith('year') ? 12 * amount : amount;
  if (isMonthly && months > 1 && span !== undefined) {
    const own = new Set(span.split(' '));
    const at = words.filter(({ word }) => own.has(word) || /^(monthly|month|per|each|every)$/.test(word));
    times.push({ count: months, said: `${months} months`, isSpan: true, at: at.map(({ position }) => position) });
  }
  return times;
}

/** What a question wants to know the price of: amounts of tokens, and how often. */
export interface Bought {
  amounts: Amount[];
  times: Times[];
}

/** Reads what is bought outside of the words that are taken. */
export function readBought(question: Question, taken: ReadonlySet<number>): Bought {
  const times = readTimes(question, taken);
  const amounts = readAmounts(question, taken.union(new Set(times.flatMap(({ at }) => at))));
  return { amounts, times: amounts.length === 0 ? [] : times };
}

/** Words by which a question speaks of long prompts. */
const longWord = /^(prompts?|requests?|contexts?|inputs?|tokens?|long|longer|than|above|over|past|beyond|exceeding)$/;

/** "Prompts longer than 272k" and "prompt >200k" name a bound and no amount. */
const isBound = (words: readonly Word[], at: number): boolean =>
  (words[at]?.gap.includes('>') === true ||
    [1, 2].some((back) => /^(than|above|over|past|beyond|exceeding)$/.test(words[at - back]?.word ?? ''))) &&
  words.some(({ word }) => /^(prompts?|requests?|contexts?|inputs?)$/.test(word));

function readAmounts({ words }: Question, taken: ReadonlySet<number>): Amount[] {
  const amounts: Amount[] = [];
  for (let from = 0; from < words.length; from++) {
    const number = words[from]?.isNumber && !taken.has(from) ? readNumber(words, from) : null;
    if (number === null || isBound(words, from)) {
      continue;
    }
    const after = [number.to, number.to + 1, number.to + 2].filter((place) => !words[place]?.isNumber);
    const named = after.find((place) => kindOf(words[place]) !== undefined);
    const before = [from - 1, from - 2].find((place) => kindOf(words[place]) !== undefined && place >= 0);
    const place = named ?? before;
    const usual = amounts.some(({ member }) => member === 'input') ? 'output' : 'input';
    const member = (place === undefined ? undefined : kindOf(words[place])) ?? usual;
    const said = after.filter((other) => /^tokens?$/.test(words[other]?.word ?? ''));
    const at = [...Array.from({ length: number.to - from }, (_, index) => from + index), ...said];
    amounts.push({ tokens: number.value, member, at: place === undefined ? at : [...at, place] });
    from = number.to - 1;
  }
  // "for output": with one amount the kind may be named anywhere, unless that is how long a prompt is.
  const [only] = amounts;
  const elsewhere = words.map(kindOf).filter((kind) => kind !== undefined && kind !== 'input');
  const isPrompt = words.some(({ word }) => /^(prompts?|inputs?|documents?)$/.test(word));
  return amounts.length === 1 && only?.member === 'input' && elsewhere.length === 1 && !isPrompt
    ? [{ ...only, member: elsewhere[0] ?? 'input' }]
    : amounts;
}

/** Prices of prompts that are longer than so many tokens. */
type LongPrice = Readonly<{ above: number } & Partial<Record<Amount['member'], number>>>;

/** What some tokens cost, in words and in US dollars. */
interface Cost {
  text: string;
  total: number;
}

const round = (value: number): number => Number(value.toPrecision(8));

/** "a month", "with short prompts": tokens of many prompts, none of which is long. */
const isOfMany = /\b(months?|monthly|days?|daily|weeks?|weekly|years?|yearly|short|small)\b/;

/** The prices of prompts as long as the amounts of a question; nothing where the usual ones hold. */
function longPriceOf(
  records: Records,
  entry: Entry,
  own: string,
  question: Question,
  { amounts, times }: Bought,
): LongPrice | undefined {
  const input = amounts.find(({ member }) => member !== 'output')?.tokens ?? 0;
  const steps = records.read(entry, `${own}.long_context`)?.value as readonly LongPrice[] | undefined;
  // What doesn't fit into the window is no single prompt.
  const window = Number(records.read(entry, 'context_window')?.value ?? 0);
  const isOfUnit = times.some(({ isSpan }) => !isSpan);
  const isOnePrompt = input <= window && (isOfUnit || !isOfMany.test(question.plain));
  return isOnePrompt ? steps?.filter(({ above }) => input > above).at(-1) : undefined;
}

/** Where a question names a bound of long prompts: the number, what scales it, and what is as long. */
export const boundsIn = ({ words }: Question, taken: ReadonlySet<number>): number[] =>
  words.flatMap(({ isNumber, position }) => {
    const number = isNumber && !taken.has(position) && isBound(words, position) ? readNumber(words, position) : null;
    return number === null
      ? []
      : words
          .filter(({ word, position: at }) => (at >= position && at < number.to) || longWord.test(word))
          .map(({ position: at }) => at);
  });

/** Whether the price of long prompts is asked for: "when prompt >200k", "when I feed it 200 thousand tokens". */
export function asksOfLong(
  records: Records,
  entry: Entry,
  { field, words }: AskableField,
  question: Question,
  taken: ReadonlySet<number>,
): boolean {
  const own = field.split('.')[0] ?? '';
  return (
    words.member !== undefined &&
    (boundsIn(question, taken).length > 0 ||
      longPriceOf(records, entry, own, question, readBought(question, taken)) !== undefined)
  );
}

/** What amounts of tokens cost at list price; null where a price is not known, or the amount is the unit itself. */
export function sayCost(
  records: Records,
  entry: Entry,
  { field, words }: AskableField,
  question: Question,
  { amounts, times }: Bought,
): Cost | null {
  const own = field.split('.')[0] ?? '';
  const long = longPriceOf(records, entry, own, question, { amounts, times });
  const priced = amounts.map((amount) => ({
    ...amount,
    price: long === undefined ? records.read(entry, `${own}.${amount.member}`)?.value : long[amount.member],
  }));
  const isUnit = amounts.length === 1 && amounts[0]?.tokens === 1e6;
  if (words.member === undefined || priced.length === 0 || isUnit) {
    return null;
  }
  const costs = priced.flatMap(({ tokens, price }) =>
    typeof price === 'number' ? [round((tokens / 1e6) * price)] : [],
  );
  if (costs.length < priced.length) {
    return null;
  }
  const said = formatList(
    priced.map(({ tokens, member }) => `${formatNumber(tokens)} ${member.replace('_', ' ')} tokens`),
  );
  const total = round(costs.reduce((sum, cost) => sum + cost, 0));
  const sum = costs.length > 1 ? ` (${costs.map(formatNumber).join(' + ')})` : '';
  const next = sayAfterwards(records, entry, own, amounts);
  let whole = total;
  const repeated = times.map(({ count, said: what }) => {
    whole = round(whole * count);
    return ` For ${what} that's ${formatNumber(whole)} US dollars.`;
  });
  return {
    text: `${said} of ${entry.title} cost ${formatNumber(total)} US dollars${sum} at list price.${repeated.join('')}${next}`,
    total: whole,
  };
}

/** What the same costs once the price has changed, where the day is known. */
function sayAfterwards(records: Records, entry: Entry, own: string, amounts: readonly Amount[]): string {
  const until = records.read(entry, `${own}.valid_until`)?.value;
  const costs = amounts.map(({ tokens, member }) => {
    const price = (records.read(entry, `${own}.afterwards`)?.value as Record<string, number> | undefined)?.[member];
    return typeof price === 'number' ? (tokens / 1e6) * price : Number.NaN;
  });
  const total = round(costs.reduce((sum, cost) => sum + cost, 0));
  return typeof until !== 'string' || Number.isNaN(total)
    ? ''
    : ` After ${formatDate(until)} they cost ${formatNumber(total)}.`;
}

/** How much less one costs than the other, in the same amounts. */
export const saySaving = (a: Cost, b: Cost): string =>
  a.total === b.total ? '' : `The difference is ${formatNumber(round(Math.abs(a.total - b.total)))} US dollars.`;
