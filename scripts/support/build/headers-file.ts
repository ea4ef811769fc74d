import { cacheControl, commonHeaders, fileLinks, pageHeaders, readCorsHeaders } from '#api/http/headers.ts';
import { type SiteFiles, twinAddresses } from '#api/http/site-files.ts';

const block = (path: string, headers: Record<string, string>): string =>
  [path, ...Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)].join('\n');

/**
 * The `_headers` file that static hosts read (one path and its headers a block). Such a host serves the pages and the
 * twins at their own addresses; it does not negotiate.
 */
export function toHeadersFile(site: SiteFiles, baseUrl: string): string {
  const size = (page: string): { html: number; markdown: number } => {
    const body = site.pages.get(page);
    return { html: body?.html.bytes.identity.length ?? 0, markdown: body?.markdown.bytes.identity.length ?? 0 };
  };
  const pages = [...site.pages.keys()].filter((path) => path !== '/404');
  const twins = [...twinAddresses(site)].filter(([, { page }]) => page !== '/404');
  const files = [...site.files].filter(([path]) => !path.startsWith('/assets/'));
  return `${[
    block('/*', { ...commonHeaders(baseUrl), ...readCorsHeaders, 'Cache-Control': cacheControl('/') }),
    block('/assets/*', { 'Cache-Control': cacheControl('/assets/') }),
    ...pages.map((path) => block(path, pageHeaders(baseUrl, path, 'html', size(path)))),
    ...twins.map(([address, { page, representation }]) =>
      block(address, {
        ...pageHeaders(baseUrl, page, representation, size(page)),
        'Content-Type': site.pages.get(page)?.[representation].type ?? '',
      }),
    ),
    ...files.map(([path, file]) => {
      const link = fileLinks(baseUrl)[path];
      return block(path, { 'Content-Type': file.type, ...(link ? { Link: link } : {}) });
    }),
  ].join('\n\n')}\n`;
}
