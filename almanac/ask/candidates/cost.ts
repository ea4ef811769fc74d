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

/** The amounts of tokens that a question names outside of the words that are taken. */
export function readAmounts({ words }: Question, taken: ReadonlySet<number>): Amount[] {
  const amounts: Amount[] = [];
  for (let from = 0; from < words.length; from++) {
    const number = words[from]?.isNumber && !taken.has(from) ? readNumber(words, from) : null;
    if (number === null) {
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
  // "for output": with one amount the kind may be named anywhere.
  const [only] = amounts;
  const elsewhere = words.map(kindOf).filter((kind) => kind !== undefined && kind !== 'input');
  return amounts.length === 1 && only?.member === 'input' && elsewhere.length === 1
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

/** What amounts of tokens cost at list price; null where a price is not known, or the amount is the unit itself. */
export function sayCost(
  records: Records,
  entry: Entry,
  { field, words }: AskableField,
  question: Question,
  amounts: readonly Amount[],
): Cost | null {
  const own = field.split('.')[0];
  const input = amounts.find(({ member }) => member !== 'output')?.tokens ?? 0;
  const steps = records.read(entry, `${own}.long_context`)?.value as readonly LongPrice[] | undefined;
  // What doesn't fit into the window is no single prompt.
  const window = Number(records.read(entry, 'context_window')?.value ?? 0);
  const isOnePrompt = input <= window && !isOfMany.test(question.plain);
  const long = isOnePrompt ? steps?.filter(({ above }) => input > above).at(-1) : undefined;
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
  const total = formatNumber(round(costs.reduce((sum, cost) => sum + cost, 0)));
  const sum = costs.length > 1 ? ` (${costs.map(formatNumber).join(' + ')})` : '';
  const next = sayAfterwards(records, entry, `${own}`, amounts);
  return {
    text: `${said} of ${entry.title} cost ${total} US dollars${sum} at list price.${next}`,
    total: round(costs.reduce((all, cost) => all + cost, 0)),
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
