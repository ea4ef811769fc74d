import { existsSync } from 'node:fs';
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
import { acceptMaps } from './accept.ts';
import { errorPages, problemLocations } from './problems.ts';
import { block, map, quote } from './syntax.ts';

const brotliModules = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules', '/usr/lib64/nginx/modules'];

/** Longest request target in bytes; the server takes as much. */
const longestTarget = 8 * 1024;

/** The files that the main one includes, in the folder of the build. */
const parts = { headers: 'nginx-headers.conf', proxy: 'nginx-proxy.conf', sizes: 'nginx-sizes.conf' };

/** What the parts of the configuration are made from. */
interface Source {
  site: SiteFiles;
  config: Config;
  /** Folder of the build, where it is served from. */
  distDir: string;
}

/** Pages that take a form too: what is sent to them goes to the server, and isn't answered with a file. */
const formPagesOf = (site: SiteFiles): string[] =>
  endpoints.filter(({ method, path }) => method === 'POST' && site.pages.has(path)).map(({ path }) => path);

/** Addresses at which the answer waits for an audit. */
const auditPaths = [
  ...new Set([
    ...[...operations, ...endpoints].filter(({ limit }) => limit === 'audit').map(({ path }) => path),
    mcpPath,
  ]),
];

/** The location of an endpoint: one address, or for a template what begins like it. */
const toLocation = (path: string): string =>
  path.includes('{') ? `location ^~ ${path.replace(/\{.*$/, '')}` : `location = ${path}`;

const stemOf = (path: string): string => (path === '/' ? '/index' : path);

const header = (name: string, value: string, always = ''): string => `add_header ${name} ${value}${always};`;

/** What varies by `Accept`; the coding is added by nginx. */
const vary = header('Vary', 'Accept', ' always');

/** The headers of every answer that nginx gives itself. */
const commonLines = (origin: string): string[] => [
  ...Object.entries({ ...commonHeaders(origin), ...readCorsHeaders }).map(([name, value]) =>
    header(name, quote(value), ' always'),
  ),
  header('X-Request-Id', '$request_id', ' always'),
  '# The time of a file is a hash of its content, which makes the ETag; as a date it means nothing.',
  header('Last-Modified', '""'),
];

const include = ({ distDir }: Source, part: keyof typeof parts): string =>
  `include ${quote(join(distDir, parts[part]))};`;

// A location takes the headers of the server only if it has none of its own, so each kind of answer has its full set.
const everywhere = (source: Source): string => include(source, 'headers');

const cached = (value: string): string => header('Cache-Control', quote(value));

/** The headers of a page or a twin. `$porch_page`, `$porch_stem` and `$porch_kind` say which. */
const pageHeaders = (source: Source, cache = cacheControl('/')): string[] => [
  everywhere(source),
  cached(cache),
  vary,
  header('Link', '$porch_link'),
  header('X-Bytes-Saved', '$porch_saved'),
  header('X-Markdown-Tokens', '$porch_tokens'),
];

const errorHeaders = (source: Source): string[] => [
  everywhere(source),
  header('Cache-Control', '"no-store"', ' always'),
  header('Allow', '$porch_allow', ' always'),
  header('Retry-After', '$porch_retry', ' always'),
];

/** Serves a file at its own address to every reader. */
const served = 'try_files $porch_self @$porch_else;';

/** Sends the question for one section of a page's markdown to the server, which cuts it out. */
const toSection = 'if ($porch_section) { rewrite ^ /__section last; }';

/** Stops the build over a page whose path would be mistaken for that of a file. */
function refuseUnclearPaths(site: SiteFiles): void {
  const unclear = [...site.pages.keys()].find((path) => /\.(?:md|json|html|br|gz)$/.test(path));
  if (unclear !== undefined) {
    throw new Error(
      `The page ${unclear} ends like a file. Give it another path: nginx tells pages and files apart by it.`,
    );
  }
}

function requestMaps({ config }: Source): string[] {
  const origin = config.baseUrl;
  return [
    '# Which representation an Accept header gets. What is not listed is unusual: the server decides it.',
    ...acceptMaps(),
    '',
    '# The file of a page, and the file at its own address; nothing for a method that does not read.',
    ...map('$request_method', '$porch_read', [
      ['default', '/-'],
      ['GET', '"$uri.$porch_as"'],
      ['HEAD', '"$uri.$porch_as"'],
    ]),
    ...map('$request_method', '$porch_self', [
      ['default', '/-'],
      ['GET', '$uri'],
      ['HEAD', '$uri'],
    ]),
    ...map('$request_method', '$porch_writes', [
      ['default', '1'],
      ['GET', '0'],
      ['HEAD', '0'],
    ]),
    '',
    '# Whether one section of the markdown is asked for, at the address of a page or at that of its twin.',
    ...map('"$uri $porch_as $arg_section"', '$porch_section', [
      ['default', '0'],
      ['"~^[^ ]+\\.md [^ ]+ ."', '1'],
      ['"~^[^ ]+\\.\\w+ "', '0'],
      ['"~^[^ ]+ md ."', '1'],
    ]),
    '# Whether a query may ask for less than the whole page: the server knows. What only tells where a visitor comes from does not,',
    '# nor the words of a script, nor a section.',
    ...map('$args', '$porch_narrowed', [
      ['default', '1'],
      [`"~*^(?:(?:${trackingNames}|q|section)(?:=[^&]*)?(?:&|$))*$"`, '0'],
    ]),
    '',
    '# Headers that differ from page to page. The numbers are in a file of their own.',
    ...map('$porch_kind', '$porch_link', [
      ['default', quote(twinLinks(origin, '$porch_page'))],
      ['html', quote(htmlLinks(origin, '$porch_stem'))],
    ]),
    ...map('$porch_kind', '$porch_saved', [
      ['default', '""'],
      ['md', '$porch_bytes_saved'],
    ]),
    ...map('$porch_kind', '$porch_tokens', [
      ['default', '""'],
      ['md', '$porch_token_count'],
    ]),
    ...map('"$status:$uri"', '$porch_file_link', [
      ['default', '""'],
      ...Object.entries(fileLinks(origin)).map(([path, link]): [string, string] => [`"200:${path}"`, quote(link)]),
    ]),
    ...map('$status', '$porch_allow', [
      ['405', '"GET, HEAD"'],
      ['default', '""'],
    ]),
    ...map('$status', '$porch_retry', [
      ['429', '60'],
      ['503', '5'],
      ['default', '""'],
    ]),
    '',
    ...map('$request_uri', '$porch_long', [
      ['default', '0'],
      [`"~^.{${longestTarget + 1}}"`, '1'],
    ]),
    '# Its own refusal is not refused again.',
    ...block('map $porch_long $porch_target_too_long', ['volatile;', 'default 0;', '1 $porch_outside;']),
    ...block('map $uri $porch_outside', ['volatile;', 'default 1;', '"~^/__" 0;']),
    '# A request of HTTP/1.0 may come without a Host.',
    ...map('$http_host', '$porch_host', [
      ['default', '$http_host'],
      ['""', quote(new URL(origin).host)],
    ]),
    ...map('$request_uri', '$porch_instance', [
      ['default', '/'],
      ['"~^(?<porch_path>/[\\w/.~-]*)"', '$porch_path'],
    ]),
    '# Addresses are counted one by one, IPv6 by /64.',
    ...map('$remote_addr', '$porch_client', [
      ['default', '$binary_remote_addr'],
      ['"~^(?<porch_net>[0-9a-f]*:[0-9a-f]*:[0-9a-f]*:[0-9a-f]*):"', '$porch_net'],
    ]),
  ];
}

/** How a request is passed to the server. */
const proxyLines: readonly string[] = [
  'proxy_http_version 1.1;',
  'proxy_set_header Connection "";',
  'proxy_set_header Host $porch_host;',
  '# Overwritten, never appended to: what a client sends in it is not believed.',
  'proxy_set_header X-Forwarded-For $remote_addr;',
  'proxy_set_header X-Forwarded-Proto $scheme;',
  'proxy_set_header X-Request-Id $request_id;',
  'proxy_connect_timeout 2s;',
  '# The server sets the headers; an entry of its own keeps a location from taking those of the server block.',
  'add_header X-Porchlight-Front "";',
];

/** Passes a request to the server, at its own address unless another is given. */
const proxy = (source: Source, address = ''): string[] => [
  `proxy_pass http://porchlight_server${address};`,
  include(source, 'proxy'),
];

/** An audit takes its time. */
const patient = 'proxy_read_timeout 150s;';

/** At most `burst` requests at once from one address, then ten a second. */
const limited = (burst: number): string => `limit_req zone=porch_api burst=${burst} nodelay;`;

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
    const [, ending] = /\.(\w+)$/.exec(path) ?? [];
    if (ending !== undefined && !types.has(ending)) {
      types.set(ending, type);
    }
  }
  return types;
}

/** The files of the site other than pages, twins and assets: by their endings where these say it all, and else one by one. */
function fileLocations(source: Source, types: Map<string, string>): string[] {
  const { site, config } = source;
  const links = fileLinks(config.baseUrl);
  const endings = [...types.keys()].filter((ending) => !['html', 'md', 'json'].includes(ending));
  const isTypedByEnding = (path: string, type: string): boolean => {
    const [, ending = ''] = /\.(\w+)$/.exec(path) ?? [];
    return types.get(ending) === type || types.get(ending) === type.replace(/; charset=utf-8$/, '');
  };
  const single = [...site.files].filter(
    ([path, { type }]) =>
      !path.startsWith('/assets/') &&
      (path in links || !isTypedByEnding(path, type) || !endings.some((ending) => path.endsWith(`.${ending}`))),
  );
  return [
    ...block(`location ~ \\.(?:${endings.join('|')})\\z`, [served]),
    ...single.flatMap(([path, { type }]) =>
      block(`location = ${path}`, [
        ...(isTypedByEnding(path, type) ? [] : ['types {}', `default_type ${quote(type)};`]),
        ...(path in links ? [everywhere(source), cached(cacheControl(path)), header('Link', '$porch_file_link')] : []),
        served,
      ]),
    ),
  ];
}

/** Pages, their twins, and what has no file. */
function pageLocations(source: Source): string[] {
  return [
    '# Pages.',
    ...block('location /', [
      toSection,
      'set $porch_page $uri;',
      'set $porch_stem $uri;',
      'set $porch_kind $porch_as;',
      ...pageHeaders(source),
      'try_files $porch_read @$porch_else;',
    ]),
    '# To /about/ and /about.html the answer is /about. Coded forms have no address.',
    ...block('location ~ //|/\\z|\\.(?:html|br|gz)\\z', [
      'set $porch_page /-;',
      'if ($uri ~ ^(?!/(?:index|404)(?:/|\\.html)\\z)((?:/[^/]+)+?)(?:/|\\.html)\\z) { set $porch_page $1; }',
      'if (-f $document_root$porch_page.html) { return 308 $porch_page$is_args$args; }',
      'set $porch_page /-;',
      'try_files /- @$porch_else;',
    ]),
    'location = /index.html { return 308 /$is_args$args; }',
    'location = /index { return 404; }',
    'location = /404 { return 404; }',
    '# Their twins.',
    ...block('location = /__section', ['internal;', ...proxy(source, '$request_uri')]),
    ...block('location ~ ^(?<porch_twin>.+)\\.(?<porch_ending>md|json)\\z', [
      toSection,
      'set $porch_page $porch_twin;',
      'set $porch_kind $porch_ending;',
      ...pageHeaders(source),
      served,
    ]),
    ...block('location ^~ /assets/', [
      'set $porch_page /-;',
      'if ($uri ~ \\.(?:br|gz)\\z|/\\z|//) { return 404; }',
      everywhere(source),
      cached(cacheControl('/assets/')),
      served,
    ]),
    '# No file, and a usual Accept header: a method that is refused, or nothing at all.',
    ...block('location @nothing', [
      'recursive_error_pages on;',
      'set $porch_refused $porch_writes;',
      'if (-f $document_root$uri) { set $porch_refused f$porch_refused; }',
      'if (-f $document_root$uri.html) { set $porch_refused f$porch_refused; }',
      'if ($porch_refused ~ ^f+1) { return 405; }',
      'return 404;',
    ]),
    '# No file, or an unusual Accept header.',
    ...block('location @server', [...proxy(source), 'error_page 502 504 = @html;', 'recursive_error_pages on;']),
    '# The server is down, so that nobody decides an unusual Accept header: it gets the HTML.',
    ...block('location @html', [
      'set $porch_stem $porch_page;',
      'set $porch_kind html;',
      ...pageHeaders(source, 'no-store'),
      'try_files $porch_page.html @nothing;',
    ]),
    ...['html', 'md'].flatMap((ending) =>
      block(`location = /404.${ending}`, [
        'internal;',
        'etag off;',
        'set $porch_page /404;',
        ...errorHeaders(source),
        vary,
        ...(ending === 'md'
          ? [
              header('X-Bytes-Saved', '$porch_bytes_saved', ' always'),
              header('X-Markdown-Tokens', '$porch_token_count', ' always'),
            ]
          : []),
      ]),
    ),
    'location = /404.json { return 404; }',
  ];
}

/** Sends what doesn't read a page to where its form is taken. */
const toForm = (path: string): string => `if ($porch_writes) { rewrite ^ /__form${path} last; }`;

/** Parameters by which a live page is asked something that only the server can answer. */
const questions: Readonly<Record<string, readonly string[]>> = {
  '/ask': ['q'],
  '/audit': ['url'],
  '/audit/compare': ['a', 'b'],
  '/guestbook': ['before', 'by', 'tier'],
};

/** One address of a live page: its own, or that of a twin. */
function liveLocation(source: Source, path: string, address: string, isForm: boolean): string[] {
  const [, ending] = /\.(md|json)$/.exec(address) ?? [];
  return block(`location = ${address}`, [
    ...(isForm ? [toForm(path)] : []),
    `set $porch_page ${path};`,
    `set $porch_stem ${stemOf(path)};`,
    `set $porch_kind ${ending ?? '$porch_stand_in'};`,
    `set $porch_asked "${(questions[path] ?? []).map((name) => `$arg_${name}`).join('')}";`,
    ...proxy(source),
    'proxy_intercept_errors on;',
    'error_page 502 503 504 = @snapshot;',
    '# So that the snapshot can be refused in its turn.',
    'recursive_error_pages on;',
  ]);
}

/** A prebuilt page or its twin, of which a query may ask for a part that only the server can make. */
function narrowedLocation(source: Source, path: string, address: string): string[] {
  const [, ending] = /\.(md|json)$/.exec(address) ?? [];
  return block(`location = ${address}`, [
    'if ($porch_narrowed) { rewrite ^ /__narrowed last; }',
    toSection,
    `set $porch_page ${path};`,
    `set $porch_stem ${path};`,
    `set $porch_kind ${ending ?? '$porch_as'};`,
    ...pageHeaders(source),
    ending === undefined ? 'try_files $porch_read @$porch_else;' : served,
  ]);
}

/** What the server answers: the API, forms, audits, live pages. */
function serverLocations(source: Source): string[] {
  const forms = formPagesOf(source.site);
  const elsewhere = endpoints.filter(
    ({ path, servedBy }) =>
      servedBy === 'server' && !path.startsWith('/api/') && ![...livePaths, ...forms, ...auditPaths].includes(path),
  );
  return [
    ...block('location ^~ /api/', [...proxy(source), limited(100)]),
    ...[...new Set(elsewhere.map(({ path }) => toLocation(path)))].flatMap((location) =>
      block(location, [...proxy(source), limited(100)]),
    ),
    '# Pages that are rendered for each request and built for none.',
    ...livePrefixes.flatMap((prefix) => block(`location ^~ ${prefix}`, [...proxy(source), limited(100)])),
    '# Audits: they take their time, and their events are passed on as they come.',
    ...auditPaths
      .filter((path) => !forms.includes(path))
      .flatMap((path) =>
        block(`location = ${path}`, [...proxy(source), patient, 'proxy_buffering off;', limited(100)]),
      ),
    '# Forms.',
    ...forms.flatMap((path) =>
      block(`location = /__form${path}`, [
        'internal;',
        ...proxy(source, path),
        ...(auditPaths.includes(path) ? [patient] : []),
        limited(20),
      ]),
    ),
    '# Prebuilt pages that take a form.',
    ...forms
      .filter((path) => !livePaths.includes(path))
      .flatMap((path) =>
        block(`location = ${path}`, [
          toForm(path),
          toSection,
          'set $porch_page $uri;',
          'set $porch_stem $uri;',
          'set $porch_kind $porch_as;',
          ...pageHeaders(source),
          'try_files $porch_read @$porch_else;',
        ]),
      ),
    '# Live pages.',
    ...livePaths.flatMap((path) =>
      pageAddresses(path).flatMap((address) =>
        liveLocation(source, path, address, forms.includes(path) && address === path),
      ),
    ),
    '# Pages of which a query asks for a part. Without the server there is none: the whole page would be taken for it.',
    ...narrowedPaths.flatMap((path) =>
      pageAddresses(path).flatMap((address) => narrowedLocation(source, path, address)),
    ),
    ...block('location = /__narrowed', ['internal;', ...proxy(source, '$request_uri'), limited(100)]),
    '# What stands in for a live page when the server is down. It cannot answer a question.',
    ...block('location @snapshot', [
      'if ($porch_asked != "") { return 503; }',
      ...pageHeaders(source, 'no-store'),
      'try_files $porch_stem.$porch_kind @nothing;',
    ]),
  ];
}

function serverBlock(source: Source): string[] {
  const { site, config, distDir } = source;
  const clientDir = join(distDir, 'client');
  const types = typesOf(site);
  const brotli = brotliModules.some((folder) => existsSync(`${folder}/ngx_http_brotli_static_module.so`));
  return block('server', [
    `listen ${config.nginxListen};`,
    `root ${quote(clientDir)};`,
    'server_tokens off;',
    'merge_slashes off;',
    'absolute_redirect off;',
    'if_modified_since off;',
    'max_ranges 0;',
    'charset utf-8;',
    'charset_types text/markdown text/css text/javascript text/plain application/xml;',
    ...block(
      'types',
      [...types].map(([ending, type]) => `${/[; ]/.test(type) ? quote(type) : type} ${ending};`),
    ),
    'gzip_static on;',
    'gzip_vary on;',
    brotli ? 'brotli_static on;' : '# brotli_static on;   # with the module ngx_http_brotli_static_module',
    'open_file_cache max=4096 inactive=60s;',
    'open_file_cache_valid 10s;',
    'open_file_cache_errors on;',
    '# Headers and body leave in one write: read along with the headers, and nothing sent before there are 8 KiB or the end.',
    'sendfile off;',
    'postpone_output 8k;',
    'keepalive_timeout 65s;',
    'client_header_timeout 10s;',
    'client_body_timeout 10s;',
    'send_timeout 30s;',
    'client_max_body_size 16k;',
    'large_client_header_buffers 2 16k;',
    'limit_req_status 429;',
    '# Who asks for what is not written down, also not when a request is refused as one too many.',
    'limit_req_log_level info;',
    'access_log off;',
    '',
    everywhere(source),
    cached(cacheControl('/')),
    '',
    ...errorPages(),
    'if ($porch_target_too_long) { return 414; }',
    '',
    ...pageLocations(source),
    '',
    ...fileLocations(source, types),
    '',
    ...serverLocations(source),
    '',
    ...problemLocations(errorHeaders(source), { origin: config.baseUrl, clientDir, vary }),
  ]);
}

/** What the markdown of each page saves over its HTML in bytes, and its tokens, as maps by the path of the page. */
function sizeMaps(site: SiteFiles): string[] {
  const sizes = [...site.pages].map(([path, { html, markdown }]) => {
    const bytes = markdown.forms.identity.length;
    return { path, saved: html.forms.identity.length - bytes, tokens: estimateTokens(bytes) };
  });
  return [
    ...map(
      '$porch_page',
      '$porch_bytes_saved',
      sizes.map(({ path, saved }) => [path, String(saved)]),
    ),
    ...map(
      '$porch_page',
      '$porch_token_count',
      sizes.map(({ path, tokens }) => [path, String(tokens)]),
    ),
  ];
}

const text = (...lines: string[]): string => `${lines.join('\n')}\n`;

/**
 * The nginx configuration of the site, by the names of its files: `nginx.conf` is to be included in the `http` block, and
 * includes the others. It serves every prebuilt representation from disk with exact negotiation, sends the API, the live pages
 * and unusual `Accept` headers to the server, and falls back to the prebuilt pages when the server doesn't answer. `distDir` is
 * where the files will be.
 */
export function toNginxFiles(site: SiteFiles, config: Config, distDir: string): Record<string, string> {
  refuseUnclearPaths(site);
  const source: Source = { site, config, distDir };
  const { host, port, baseUrl } = config;
  return {
    'nginx.conf': text(
      '# Generated by the build. Include it in the http block of nginx; the server (npm start) listens behind it.',
      ...(baseUrl.startsWith('https:')
        ? ['# TLS: add `listen 443 ssl` with your certificate, or put this behind what ends TLS.']
        : []),
      '',
      'map_hash_max_size 8192;',
      'map_hash_bucket_size 256;',
      '# How much the markdown of each page saves.',
      include(source, 'sizes'),
      '',
      ...requestMaps(source),
      '',
      'limit_req_zone $porch_client zone=porch_api:10m rate=10r/s;',
      '',
      ...block('upstream porchlight_server', [
        `server ${host.includes(':') ? `[${host}]` : host}:${port};`,
        'keepalive 16;',
      ]),
      '',
      ...serverBlock(source),
    ),
    [parts.headers]: text(...commonLines(baseUrl)),
    [parts.proxy]: text(...proxyLines),
    [parts.sizes]: text(...sizeMaps(site)),
  };
}
