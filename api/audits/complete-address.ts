import { Problem } from '../contract/problem.ts';

/** Characters of the longest address that is taken. */
export const longestAddress = 2048;

/** An address as people type it: without a scheme, https is meant. */
export const completeAddress = (typed: string): string => {
  const text = typed.trim();
  return text === '' || text.includes('://') ? text : `https://${text}`;
};

/** The complete address of a form. Throws a Problem when there is none, or it is too long. */
export function readAddress(typed: string): string {
  const url = completeAddress(typed);
  if (url === '' || url.length > longestAddress) {
    const detail = url === '' ? 'is empty: give the address of a site.' : 'is longer than 2,048 characters.';
    throw new Problem('invalid-fields', `The address ${detail}`, { errors: [{ pointer: '/url', detail }] });
  }
  return url;
}
