import { type AskableDataset, toEntries } from '#almanac/ask/entries.ts';
import { formatDate } from '#almanac/ask/format.ts';
import type { Answer, Citation, RecordCitation } from '#almanac/ask/index.ts';
import type { PageContent } from '#almanac/pages.ts';

/** Capitalised words of the sentences around values. Any other capitalised word of an answer is a name and needs evidence. */
const templateWords = new Set(
  `See The A An It Its In On At By To Of For Yes No US User-Agent User-agent Web Bot Auth HTTP Signature-Agent API When How
  Blocking One They Adoption Settlement Next Before Source January February March April May June July August September
  October November December Requests About Cached Otherwise Libraries Models Crawlers Protocols Terms Statements These
  This URL JWKS IP DNS UA ID PDF IPs China United States France Russia Japan Korea Czechia Germany Kingdom Canada
  Portugal Australia Brazil Allow Disallow Leave`
    .split(/\s+/)
    .filter(Boolean),
);

const dates =
  /\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g;

const countries = new Intl.DisplayNames('en', { type: 'region' });
/** A country is kept as its code, and said by its name. */
const sayCode = (quote: string): string => (/^[A-Z]{2}$/.test(quote) ? (countries.of(quote) ?? '') : '');

/** How many addresses a quoted list has may be said too. */
const sayCount = (quote: string): string =>
  /^\{.*"prefixes":\[/.test(quote) ? String((JSON.parse(quote) as { prefixes: unknown[] }).prefixes.length) : '';

const toEvidence = (citation: Citation): string =>
  [
    sayCode(citation.quote),
    sayCount(citation.quote),
    citation.title,
    citation.quote,
    ...('fields' in citation ? citation.fields.map((field) => field.replace(/[_.]/g, ' ')) : [citation.page]),
  ].join('\n');

const toNumbers = (text: string): string[] => text.replace(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)*/g) ?? [];

/** "20 cents" as "0.2", "a million" as "1000000": numbers that an answer writes otherwise than the question. */
const askedInWords = (question: string): string[] => [
  ...Array.from(question.matchAll(/(\d+) cents?\b/g), ([, cents]) => String(Number(cents) / 100)),
  ...(/\ba million\b/i.test(question) ? ['1000000'] : []),
];

type Checked = Pick<Answer, 'answer' | 'grounded_in' | 'alternatives' | 'question'>;

/**
 * Lists every date, number and name of an answer that occurs in no cited title or value; none if all is grounded. What
 * the question says counts as well: conditions of a list repeat it.
 */
export function findUngrounded(answer: Checked, datasets: readonly AskableDataset[]): string[] {
  const ids = new Set(answer.grounded_in.flatMap(({ quote }) => quote.match(/[a-z0-9]+(?:[.-][a-z0-9]+)*/g) ?? []));
  // A relation is kept as the id of the other record, and said by its name.
  const linked = toEntries(datasets).flatMap(({ id, title }) => (ids.has(id) ? [title] : []));
  const offered = answer.alternatives.map(({ title }) => title);
  const evidence = [...answer.grounded_in.map(toEvidence), ...offered, ...linked, answer.question].join('\n');
  const lowered = evidence.toLowerCase();
  const isoDates = new Set((evidence.match(/\d{4}-\d{2}(?:-\d{2})?/g) ?? []).map(formatDate));
  const monthsHeld = new Set((evidence.match(/\d{4}-\d{2}/g) ?? []).map(formatDate));
  const ungrounded: string[] = [];
  const text = answer.answer.replace(dates, (date) => {
    if (!lowered.includes(date.toLowerCase()) && !isoDates.has(date) && !monthsHeld.has(date)) {
      ungrounded.push(date);
    }
    return ' ';
  });
  const numbers = new Set([
    ...toNumbers(evidence),
    ...toNumbers(evidence.replace(/-/g, '.')),
    ...askedInWords(answer.question),
  ]);
  const counted = new Set(
    /(?:^|See also: )The almanac has (\d+)|and (\d+) more/g.test(answer.answer) ? toNumbers(answer.answer) : [],
  );
  const isComputed = /The difference is \d|cost \d[\d,.]* US dollars(?: \([\d,.+ ]+\))? at list price/.test(
    answer.answer,
  );
  ungrounded.push(...toNumbers(text).filter((number) => !numbers.has(number) && !counted.has(number) && !isComputed));
  for (const word of text.split(/[\s"“”()[\];,]+/)) {
    const name = word.replace(/^['*–-]+|[.:!?'–-]+$/g, '');
    const isName = /\p{Lu}/u.test(name) || /\p{L}.*\/|\/.*\p{L}/u.test(name);
    if (isName && !templateWords.has(name) && !lowered.includes(name.toLowerCase())) {
      ungrounded.push(name);
    }
  }
  return [...new Set(ungrounded)];
}

/** Lists the citations whose quote is not in the cited field, or not in the cited section, letter for letter. */
export function findMisquotes(
  answer: Pick<Answer, 'grounded_in'>,
  datasets: readonly AskableDataset[],
  content: PageContent,
): string[] {
  return answer.grounded_in.flatMap((citation) => {
    const isQuoted = 'page' in citation ? holdsSection(citation, content) : holdsField(citation, datasets);
    return isQuoted ? [] : [`${citation.path}: ${citation.quote.slice(0, 80)}`];
  });
}

function holdsSection(citation: { page: string; anchor: string | null; quote: string }, content: PageContent): boolean {
  return content.sections.some(
    ({ path, anchor, parts }) =>
      path === citation.page && anchor === citation.anchor && parts.some(({ quote }) => quote === citation.quote),
  );
}

function holdsField({ dataset: datasetId, id, fields, quote }: RecordCitation, datasets: readonly AskableDataset[]) {
  const dataset = datasets.find((candidate) => candidate.id === datasetId);
  if (id === datasetId) {
    return quote === String(dataset?.records.length);
  }
  const row = dataset?.records.find((candidate) => candidate.id === id);
  const record: Readonly<Record<string, unknown>> = row === undefined ? {} : { ...row };
  return fields.length > 0 && fields.every((field) => holdsQuote(record[field], quote));
}

/** The value itself, the value inside an annotation, or some members of a list. */
function holdsQuote(value: unknown, quote: string): boolean {
  const texts = [value, typeof value === 'object' && value !== null && 'value' in value ? value.value : undefined];
  if (texts.some((text) => (typeof text === 'string' ? text : JSON.stringify(text)) === quote)) {
    return true;
  }
  if (!Array.isArray(value) || !quote.startsWith('[')) {
    return false;
  }
  const members = new Set(value.map((member) => JSON.stringify(member)));
  const quoted: unknown = JSON.parse(quote);
  return Array.isArray(quoted) && quoted.every((member) => members.has(JSON.stringify(member)));
}
