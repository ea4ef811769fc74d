import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endpoints } from '#api/catalog/endpoints.ts';
import { livePaths, livePrefixes, narrowedPaths } from '#api/catalog/live-pages.ts';
import { operations } from '#api/catalog/operations.ts';
import { mcpPath } from '#api/catalog/to-mcp.ts';
import type { Config } from '#api/config.ts';
import { cacheControl, commonHeaders, fileLinks, htmlLinks, readCorsHeaders, twinLinks } from '#api/http/headers.ts';
import { trackingNames } from '#api/http/query.ts';
import { pageAddresses, type SiteFiles } from '#api/http/site-files.ts';
import { estimateTokens } from '#api/text/token-estimate.ts';
import { accepts, acceptsOfMissing, acceptsOfPages } from './accept.ts';
import { errorPages, problemLocations } from './problems.ts';
import { block, entries, fill, quote } from './syntax.ts';

const brotliModules = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules', '/usr/lib64/nginx/modules'];

/** The templates beside this file. The first includes the others, which are written next to it. */
const templates = ['nginx.conf', 'nginx-headers.conf', 'nginx-page.conf', 'nginx-error.conf', 'nginx-proxy.conf'];

/** What the parts of the configuration are made from. */
interface Source {
  site: SiteFiles;
  config: Config;
  /** The folder of the build where it is served from, as it's written between quotes. */
  dist: string;
}

/** Addresses at which the answer waits for an audit. */
const auditPaths = new Set([
  ...[...operations, ...endpoints].filter(({ limit }) => limit === 'audit').map(({ path }) => path),
  mcpPath,
]);

/** Stops the build over a page whose path would be mistaken for that of a file. */
function refuseUnclearPaths(site: SiteFiles): void {
  const unclear = [...site.pages.keys()].find((path) => /\.(?:md|json|html|br|gz)$/.test(path));
  if (unclear !== undefined) {
    throw new Error(
      `The page ${unclear} ends like a file. Give it another path: nginx tells pages and files apart by it.`,
    );
  }
}

const endingOf = (path: string): string | undefined => /\.(\w+)$/.exec(path)?.[1];

/** Types by ending: those that nginx gets by name, and those of the site's own files where all with an ending have one type. */
function typesOf(site: SiteFiles): Map<string, string> {
  const types = new Map([
    ['html', 'text/html'],
    ['md', 'text/markdown'],
    ['json', 'application/json'],
    ['css', 'text/css'],
    ['js', 'text/javascript'],
    ['svg', 'image/svg+xml'],
    ['txt', 'text/plain'],
    ['xml', 'application/xml'],
    ['woff2', 'font/woff2'],
  ]);
  for (const [path, { type }] of site.files) {
    const ending = endingOf(path);
    if (ending !== undefined && !types.has(ending)) {
      types.set(ending, type);
    }
  }
  return types;
}

const toEndings = (types: Map<string, string>): string[] =>
  [...types.keys()].filter((ending) => !['html', 'md', 'json'].includes(ending));

/** The files other than pages, twins and assets whose endings don't say it all. */
function fileLocations({ site, config, dist }: Source, types: Map<string, string>): string[] {
  const links = fileLinks(config.baseUrl);
  const endings = toEndings(types);
  return [...site.files].flatMap(([path, { type }]) => {
    const ending = endingOf(path) ?? '';
    const isTyped = types.get(ending) === type.replace(/; charset=utf-8$/, '') || types.get(ending) === type;
    if (path.startsWith('/assets/') || (!(path in links) && isTyped && endings.includes(ending))) {
      return [];
    }
    const headers = [
      `include "${dist}/nginx-headers.conf";`,
      `add_header Cache-Control ${quote(cacheControl(path))};`,
      'add_header Link $porch_file_link;',
    ];
    return block(`location = ${path}`, [
      ...(isTyped ? [] : ['types {}', `default_type ${quote(type)};`]),
      ...(path in links ? headers : []),
      'try_files $porch_self @$porch_else;',
    ]);
  });
}

/** A location that passes requests to the server, at their own address unless another is given. */
const proxied = ({ dist }: Source, location: string, lines: readonly string[], address = ''): string =>
  block(`location ${location}`, [
    `proxy_pass http://porchlight_server${address};`,
    `include "${dist}/nginx-proxy.conf";`,
    ...lines,
  ]);

/** At most `burst` requests at once from one address, then ten a second. */
const limited = (burst: number): string => `limit_req zone=porch_api burst=${burst} nodelay;`;

/** An audit takes its time. */
const patient = 'proxy_read_timeout 150s;';

/** Pages that take a form too: what is sent to them goes to the server, and isn't answered with a file. */
const formPagesOf = (site: SiteFiles): string[] =>
  endpoints.filter(({ method, path }) => method === 'POST' && site.pages.has(path)).map(({ path }) => path);

/** What the server answers besides forms and live pages: one address, or for a template what begins like it. */
function serverLocations(source: Source): string[] {
  const others = [...livePaths, ...formPagesOf(source.site), ...auditPaths];
  const locations = endpoints
    .filter(({ path, servedBy }) => servedBy === 'server' && !path.startsWith('/api/') && !others.includes(path))
    .map(({ path }) => (path.includes('{') ? `^~ ${path.replace(/\{.*$/, '')}` : `= ${path}`));
  const prefixes = ['/api/', ...livePrefixes].map((prefix) => `^~ ${prefix}`);
  return [...new Set([...prefixes, ...locations])].map((location) => proxied(source, location, [limited(100)]));
}

/** Audits: their events are passed on as they come. */
const auditLocations = (source: Source): string[] =>
  [...auditPaths.difference(new Set(formPagesOf(source.site)))].map((path) =>
    proxied(source, `= ${path}`, [patient, 'proxy_buffering off;', limited(100)]),
  );

/** Sends what doesn't read a page to where its form is taken. */
const toForm = (path: string): string => `if ($porch_writes) { rewrite ^ /__form${path} last; }`;

/** The lines of a prebuilt page at one of its addresses. */
function pageLines({ dist }: Source, path: string, address: string): string[] {
  const ending = /\.(md|json)$/.exec(address)?.[1];
  return [
    'if ($porch_section) { rewrite ^ /__section last; }',
    `set $porch_page ${path};`,
    `set $porch_stem ${path};`,
    `set $porch_kind ${ending ?? '$porch_as'};`,
    `include "${dist}/nginx-page.conf";`,
    `add_header Cache-Control ${quote(cacheControl(path))};`,
    `try_files ${ending === undefined ? '$porch_read' : '$porch_self'} @$porch_else;`,
  ];
}

/** Where forms are taken, and the prebuilt pages that have one. */
const formLocations = (source: Source): string[] =>
  formPagesOf(source.site).flatMap((path) => [
    proxied(source, `= /__form${path}`, ['internal;', ...(auditPaths.has(path) ? [patient] : []), limited(20)], path),
    ...(livePaths.includes(path)
      ? []
      : [block(`location = ${path}`, [toForm(path), ...pageLines(source, path, path)])]),
  ]);

/** Parameters by which a live page is asked something that only the server can answer. */
const questions: Readonly<Record<string, readonly string[]>> = {
  '/ask': ['q'],
  '/audit': ['url'],
  '/audit/compare': ['a', 'b'],
  '/guestbook': ['before', 'by', 'tier'],
};

/** A live page at each of its addresses. */
function liveLocations(source: Source, path: string): string[] {
  const isForm = formPagesOf(source.site).includes(path);
  return pageAddresses(path).map((address) =>
    proxied(source, `= ${address}`, [
      ...(isForm && address === path ? [toForm(path)] : []),
      `set $porch_page ${path};`,
      `set $porch_stem ${path === '/' ? '/index' : path};`,
      `set $porch_kind ${/\.(md|json)$/.exec(address)?.[1] ?? '$porch_stand_in'};`,
      `set $porch_asked "${(questions[path] ?? []).map((name) => `$arg_${name}`).join('')}";`,
      'proxy_intercept_errors on;',
      'error_page 502 503 504 = @snapshot;',
      '# So that the snapshot can be refused in its turn.',
      'recursive_error_pages on;',
    ]),
  );
}

/** A prebuilt page at each of its addresses, of which a query may ask for a part that only the server can make. */
const narrowedLocations = (source: Source, path: string): string[] =>
  pageAddresses(path).map((address) =>
    block(`location = ${address}`, [
      'if ($porch_narrowed) { rewrite ^ /__narrowed last; }',
      ...pageLines(source, path, address),
    ]),
  );

/** What the markdown of each page saves over its HTML in bytes, and its tokens, as maps by the path of the page. */
function sizeMaps(site: SiteFiles): string {
  const sizes = [...site.pages].map(([path, { html, markdown }]) => {
    const bytes = markdown.forms.identity.length;
    return { path, saved: html.forms.identity.length - bytes, tokens: estimateTokens(bytes) };
  });
  const map = (variable: string, size: 'saved' | 'tokens'): string =>
    block(`map $porch_page ${variable}`, [entries(sizes.map((each) => [each.path, String(each[size])]))]);
  return `${map('$porch_bytes_saved', 'saved')}\n${map('$porch_token_count', 'tokens')}\n`;
}

/** What fills the holes of the templates. */
function holes(source: Source): Record<string, string> {
  const { site, config, dist } = source;
  const { host, port, baseUrl, nginxListen } = config;
  const types = typesOf(site);
  const hasBrotli = brotliModules.some((folder) => existsSync(`${folder}/ngx_http_brotli_static_module.so`));
  const lines = (blocks: readonly string[]): string => blocks.join('\n');
  return {
    dist,
    server: `${host.includes(':') ? `[${host}]` : host}:${port}`,
    listen: nginxListen,
    tls: baseUrl.startsWith('https:')
      ? '# TLS: add `listen 443 ssl` with your certificate, or put this behind what ends TLS.'
      : '',
    host: new URL(baseUrl).host,
    brotli: hasBrotli ? 'brotli_static on;' : '# brotli_static on;   # with the module ngx_http_brotli_static_module',
    accepts: accepts(),
    accepts_of_pages: acceptsOfPages(),
    accepts_of_missing: acceptsOfMissing(),
    tracking: trackingNames,
    link_of_twin: quote(twinLinks(baseUrl, '$porch_page')),
    link_of_page: quote(htmlLinks(baseUrl, '$porch_stem')),
    links_of_files: entries(
      Object.entries(fileLinks(baseUrl)).map(([path, link]) => [`"200:${path}"`, quote(link)] as const),
    ),
    headers: lines(
      Object.entries({ ...commonHeaders(baseUrl), ...readCorsHeaders }).map(
        ([name, value]) => `add_header ${name} ${quote(value)} always;`,
      ),
    ),
    cache: cacheControl('/'),
    cache_of_assets: cacheControl('/assets/'),
    types: lines([...types].map(([ending, type]) => `${/[; ]/.test(type) ? quote(type) : type} ${ending};`)),
    endings: toEndings(types).join('|'),
    files: lines(fileLocations(source, types)),
    proxied: lines([...serverLocations(source), ...auditLocations(source)]),
    forms: lines(formLocations(source)),
    live_pages: lines(livePaths.flatMap((path) => liveLocations(source, path))),
    narrowed_pages: lines(narrowedPaths.flatMap((path) => narrowedLocations(source, path))),
    errors: errorPages(),
    problems: problemLocations(baseUrl),
  };
}

/**
 * The nginx configuration of the site, by the names of its files: `nginx.conf` is to be included in the `http` block, and
 * includes the others. It serves every prebuilt representation from disk with exact negotiation, sends the API, the live pages
 * and unusual `Accept` headers to the server, and falls back to the prebuilt pages when the server doesn't answer. `distDir` is
 * where the files will be.
 */
export function toNginxFiles(site: SiteFiles, config: Config, distDir: string): Record<string, string> {
  refuseUnclearPaths(site);
  const values = holes({ site, config, dist: quote(distDir).slice(1, -1) });
  const filled = templates.map((name) => [name, fill(readFileSync(join(import.meta.dirname, name), 'utf8'), values)]);
  return { ...Object.fromEntries(filled), 'nginx-sizes.conf': sizeMaps(site) };
}
