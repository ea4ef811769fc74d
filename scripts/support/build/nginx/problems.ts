import { toUnreadDocument } from '#api/contract/problem.ts';
import { type ProblemSlug, problemType } from '#api/contract/problem-types.ts';
import { block, quote } from './syntax.ts';

/**
 * Statuses that nginx itself answers with, and the problem that each is. A version or a transfer coding that it doesn't
 * know (505, 501) is the client's fault, and the answer says so.
 */
const errors: [status: string, slug: ProblemSlug, answered?: number][] = [
  ['400', 'invalid-request'],
  ['405', 'method-not-allowed'],
  ['412', 'precondition-failed'],
  ['413', 'body-too-large'],
  ['414', 'uri-too-long'],
  ['429', 'rate-limited'],
  ['494', 'headers-too-large', 431],
  ['500', 'internal-error'],
  ['501 505', 'invalid-request', 400],
  ['502 503 504', 'unavailable', 503],
];

const slugs = new Set<ProblemSlug>(['not-found', ...errors.map(([, slug]) => slug)]);

/** Which problem each status is. */
export const errorPages = (): string =>
  errors
    .map(([status, slug, answered]) => `error_page ${status}${answered ? ` =${answered}` : ''} /__problem/${slug};`)
    .join('\n');

/** The body of a problem as nginx writes it: without a field that only the server could fill in. */
const problemBody = (slug: ProblemSlug, origin: string): string =>
  JSON.stringify(toUnreadDocument(slug, { baseUrl: origin, instance: '$porch_instance', requestId: '$request_id' }));

/** The location of each problem, as JSON or as its page. */
export const problemLocations = (origin: string): string =>
  [...slugs]
    .map((slug) =>
      block(`location = /__problem/${slug}`, [
        'internal;',
        'default_type application/problem+json;',
        // A 404 is JSON here: the page of it is 404.html.
        ...(slug === 'not-found' ? [] : [`if ($porch_wants_page) { rewrite ^ /__page/problems/${slug}.html last; }`]),
        `return ${problemType(slug).status} ${quote(problemBody(slug, origin))};`,
      ]),
    )
    .join('\n');
