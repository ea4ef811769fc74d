import { type Priced, prices } from './prices.ts';
import type { Problem } from './problem.ts';

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
  { slug, status, title, message, members }: Problem,
  paying: { priced: Priced; toDueSentence: (members: Record<string, unknown>) => string },
): FormProblem {
  if (slug !== 'payment-required') {
    return { slug, status, title, detail: message, due: null };
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
