import { mediaTypes, negotiateMissing, negotiateRepresentation, type Representation } from '#api/http/negotiate.ts';
import { wantsPage } from '#api/http/wants-page.ts';
import { entries, quote } from './syntax.ts';

const endings: Record<Representation, string> = { html: 'html', markdown: 'md', json: 'json' };

/** What answers that there is nothing, where that isn't the HTML. */
const missing: Record<Exclude<Representation, 'html'>, string> = {
  markdown: '/404.md',
  json: '/__problem/not-found',
};

/** What browsers, coding agents and HTTP libraries send: nginx looks these up. */
const usualAccepts: readonly string[] = [
  '*/*',
  'text/html',
  'text/markdown',
  'text/plain',
  'application/json',
  'text/html, */*',
  'text/html,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/png,image/svg+xml,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7',
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.9',
  'text/markdown, text/html',
  'text/markdown,text/html',
  'text/markdown, text/html;q=0.9',
  'text/markdown, */*',
  'text/markdown, text/html, */*',
  'text/markdown,text/html,*/*',
  'text/markdown, text/html;q=0.9, */*;q=0.8',
  'text/markdown,text/html;q=0.9,*/*;q=0.8',
  'text/markdown,text/html;q=0.9,application/xhtml+xml;q=0.8,*/*;q=0.1',
  'text/markdown,text/html;q=0.9,application/xhtml+xml,application/xml;q=0.9,image/webp,*/*;q=0.8',
  'text/markdown, text/plain;q=0.9, */*;q=0.8',
  'application/json, text/plain, */*',
  'application/json, */*',
  'application/json, */*;q=0.5',
  'application/json,text/html',
];

const lookedUp = ['', ...usualAccepts];

/** The ending of the file that an `Accept` header gets. Throws an Error for one that gets none: it can't be looked up. */
function endingFor(accept: string): string {
  const choice = negotiateRepresentation(accept);
  if (choice === 'none') {
    throw new Error(`${accept} refuses every one of ${Object.values(mediaTypes).join(', ')}: the server answers it`);
  }
  return endings[choice];
}

/** The usual `Accept` headers (RFC 9110 section 12.5.1), each with the ending of the file that it gets. */
export const accepts = (): string => entries(lookedUp.map((accept) => [quote(accept), endingFor(accept)]));

/** Those for which an error is a page. */
export const acceptsOfPages = (): string => entries(lookedUp.filter(wantsPage).map((accept) => [quote(accept), '1']));

/** What the ending of a path without a file says, with the `Accept` headers for which the answer isn't the HTML. */
export const acceptsOfMissing = (): string =>
  entries(
    ['', 'md', 'json'].flatMap((ending) =>
      lookedUp.flatMap((accept): [string, string][] => {
        const choice = negotiateMissing(ending === '' ? '/' : `/nothing.${ending}`, accept);
        return choice === 'html' ? [] : [[quote(`${ending}:${accept}`), missing[choice]]];
      }),
    ),
  );
