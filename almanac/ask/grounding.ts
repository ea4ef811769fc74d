import type { Answer, Citation } from './answer.ts';
import type { AskableDataset } from './entries.ts';
import { formatDate } from './format.ts';

/** Capitalised words of the templates. Any other capitalised word of an answer is a name and needs evidence. */
const templateWords = new Set(
  `The A An It Its In On At By To Of For Yes No Among Some Look Resolve Earlier Built Blocking Clients Settlement
  Adoption Adopters Allow Weights License Creator Governance Layer Status Maturity Current Transport When What Provider
  Released Context Max Knowledge Input Open Operator Purpose Type Robots Respects Verification Definition
  User-Agent User-agent Web Bot Auth HTTP Signature-Agent API US Sources An`
    .split(/\s+/)
    .filter(Boolean),
);

const dates =
  /\b(?:\d{1,2} )?(?:January|February|March|April|May|June|July|August|September|October|November|December) \d{4}\b/g;

const toEvidence = ({ title, fields, quote }: Citation): string =>
  `${title}\n${quote}\n${fields.map((field) => field.replace(/[_.]/g, ' ')).join('\n')}`;

const toNumbers = (text: string): string[] => text.replace(/(?<=\d),(?=\d{3})/g, '').match(/\d+(?:\.\d+)*/g) ?? [];

/**
 * Lists every date, number and name of an answer that occurs in no cited title or value; none if all is grounded.
 * A count is grounded when so many records of one dataset are cited. A record of which the answer says that a value is
 * not confirmed has nothing to cite; it is offered among the alternatives, and its title counts.
 */
export function findUngrounded(answer: Pick<Answer, 'answer' | 'grounded_in' | 'alternatives'>): string[] {
  const offered = answer.alternatives.map(({ title }) => title);
  const evidence = [...answer.grounded_in.map(toEvidence), ...offered].join('\n');
  const lowered = evidence.toLowerCase();
  const counts = countRecords(answer.grounded_in);
  const isoDates = new Set((evidence.match(/\d{4}-\d{2}(?:-\d{2})?/g) ?? []).map(formatDate));
  const ungrounded: string[] = [];
  const text = answer.answer.replace(dates, (date) => {
    if (!evidence.includes(date) && !isoDates.has(date)) {
      ungrounded.push(date);
    }
    return ' ';
  });
  const numbers = new Set([...toNumbers(evidence), ...toNumbers(evidence.replace(/-/g, '.'))]);
  ungrounded.push(...toNumbers(text).filter((number) => !numbers.has(number) && !counts.has(number)));
  for (const word of text.split(/[\s"“”()[\];,]+/)) {
    const name = word.replace(/^['*–-]+|[.:!?'–-]+$/g, '');
    const isName = /\p{Lu}/u.test(name) || /\p{L}.*\/|\/.*\p{L}/u.test(name);
    if (isName && !templateWords.has(name) && !lowered.includes(name.toLowerCase())) {
      ungrounded.push(name);
    }
  }
  return [...new Set(ungrounded)];
}

function countRecords(citations: readonly Citation[]): Set<string> {
  const ids = new Map<string, Set<string>>();
  for (const { dataset, id } of citations) {
    ids.set(dataset, (ids.get(dataset) ?? new Set()).add(id));
  }
  return new Set([...ids.values()].map((set) => String(set.size)));
}

/** Lists the citations whose quote is not the value of the cited field in the datasets as it stands. */
export function findMisquotes(answer: Pick<Answer, 'grounded_in'>, datasets: readonly AskableDataset[]): string[] {
  return answer.grounded_in.flatMap(({ dataset: datasetId, id, fields, quote }) => {
    const dataset = datasets.find((candidate) => candidate.id === datasetId);
    const row = dataset?.records.find((candidate) => candidate.id === id);
    const record: Readonly<Record<string, unknown>> = row === undefined ? {} : { ...row };
    const isWhole = id === datasetId && quote === String(dataset?.records.length);
    const isQuoted = fields.every((field) => holdsQuote(record[field], quote));
    return isWhole || isQuoted ? [] : [`${datasetId}/${id} ${fields.join()}: ${quote.slice(0, 80)}`];
  });
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
