import { type Priced, prices } from './prices.ts';
import type { Problem } from './problem.ts';

/** When a form can be sent again, as the end of a sentence. */
export function againIn(seconds: number, now = new Date()): string {
  if (seconds <= 60) {
    return `in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  }
  // The next whole minute, so that the form isn't refused again at the time that is named.
  const at = new Date(Math.ceil((now.getTime() + seconds * 1000) / 60_000) * 60_000);
  return `at ${at.toISOString().slice(11, 16)} UTC, in ${Math.ceil(seconds / 60)} minutes`;
}

/** What is wrong with the fields of a form, in sentences. `names` has what a person calls each of them. */
export const toFieldSentences = ({ errors = [], plain }: Problem, names: Readonly<Record<string, string>>): string =>
  errors
    .map(({ pointer, detail }) => `${names[pointer.slice(1)] ?? pointer} ${detail.replace(/\.$/, '')}.`)
    .join(' ') || plain;

/** Why a form's request failed, as its answer shows it. */
export interface FormProblem {
  slug: string;
  status: number;
  title: string;
  detail: string;
  /** The payment that is due, which a second button makes; null unless that is the problem. */
  due: { quote: string; amountUsd: string } | null;
}

/**
 * What a page needs of the problem that a form ended with. `toDueSentence` is what a person reads who hasn't paid yet: the
 * sentence of the API speaks of headers.
 */
export function toFormProblem(
  { slug, status, title, message, plain, members }: Problem,
  paying: { priced: Priced; toDueSentence: (members: Record<string, unknown>) => string },
): FormProblem {
  if (slug !== 'payment-required') {
    return { slug, status, title, detail: plain, due: null };
  }
  const detail = members['reason'] === 'missing' ? paying.toDueSentence(members) : message;
  return {
    slug,
    status,
    title,
    detail,
    due: { quote: String(members['quote']), amountUsd: prices[paying.priced].amountUsd },
  };
}
