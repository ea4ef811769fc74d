import { cacheControl, commonHeaders, fileLinks, htmlLinks, readCorsHeaders } from '#api/http/headers.ts';
import type { SiteFiles } from '#api/http/site-files.ts';

/** Most rules, and most characters in a line, that Cloudflare reads; what is beyond, it skips without a word. */
export const headersFileLimits = { rules: 100, lineCharacters: 2000 };

/** Types that static hosts give files by their endings. */
const knownTypes = new Map([
  ['css', 'text/css'],
  ['ico', 'image/x-icon'],
  ['js', 'text/javascript'],
  ['json', 'application/json'],
  ['png', 'image/png'],
  ['svg', 'image/svg+xml'],
  ['txt', 'text/plain'],
  ['webmanifest', 'application/manifest+json'],
  ['woff2', 'font/woff2'],
  ['xml', 'application/xml'],
]);

const block = (path: string, headers: Record<string, string>): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

const endingOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1] ?? '';

/** The addresses whose type a host wouldn't guess: all with one ending by a wildcard, where they agree, and else one by one. */
function typeRules(site: SiteFiles): Map<string, string> {
  const files = [...site.files].filter(([path]) => !path.startsWith('/assets/'));
  const rules = new Map([['/*.md', 'text/markdown; charset=utf-8']]);
  for (const [path, { type }] of files) {
    const ending = endingOf(path);
    const known = knownTypes.get(ending);
    if (ending === 'md' || known === type.replace(/; charset=utf-8$/, '')) {
      continue;
    }
    const agree = files.every(([other, file]) => endingOf(other) !== ending || file.type === type);
    rules.set(ending !== '' && known === undefined && agree ? `/*.${ending}` : path, type);
  }
  return rules;
}

/**
 * The `_headers` file that static hosts read: one path and its headers a block. Such a host serves pages, twins and files at their
 * own addresses, with the right types and the headers of every answer; it doesn't negotiate, and pages don't name their twins in a
 * `Link` header. No two rules set one header of the same address: hosts join the values. Throws an Error where the file is
 * longer than hosts read.
 */
export function toHeadersFile(site: SiteFiles, baseUrl: string): string {
  const rules = [
    block('/*', { ...commonHeaders(baseUrl), ...readCorsHeaders }),
    block('/assets/*', { 'Cache-Control': cacheControl('/assets/') }),
    block('/', { Link: htmlLinks(baseUrl, '/index') }),
    ...Object.entries(fileLinks(baseUrl)).map(([path, link]) => block(path, { Link: link })),
    ...[...typeRules(site)].map(([path, type]) => block(path, { 'Content-Type': type })),
  ];
  const { rules: most, lineCharacters } = headersFileLimits;
  if (rules.length > most || rules.some((rule) => rule.split('\n').some((line) => line.length > lineCharacters))) {
    throw new Error(`_headers has ${rules.length} rules: hosts read ${most}, of ${lineCharacters} characters a line.`);
  }
  return `${rules.join('\n\n')}\n`;
}
