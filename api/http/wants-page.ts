import { mediaTypes, negotiateRepresentation } from './negotiate.ts';

/** Whether a client is answered with a page where programs get JSON: it names text/html and prefers it. */
export const wantsPage = (accept = ''): boolean =>
  accept.toLowerCase().includes(mediaTypes.html) && negotiateRepresentation(accept) === 'html';
