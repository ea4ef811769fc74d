import { existsSync } from 'node:fs';
import { endpoints } from '#api/catalog/endpoints.ts';
import { livePaths } from '#api/catalog/live-pages.ts';
import { operations } from '#api/catalog/operations.ts';
import { mcpPath } from '#api/catalog/to-mcp.ts';
import type { Config } from '#api/config.ts';
import { toUnreadDocument } from '#api/contract/problem.ts';
import { type ProblemSlug, problemType } from '#api/contract/problem-types.ts';
import {
  cacheControl,
  commonHeaders,
  estimateTokens,
  fileLinks,
  htmlLinks,
  readCorsHeaders,
  twinLinks,
} from '#api/http/headers.ts';
import type { Representation } from '#api/http/negotiate.ts';
import { pageAddresses, type SiteFiles, twinAddresses } from '#api/http/site-files.ts';
import { acceptMaps } from './nginx-accept.ts';
import { block, map, quote } from './nginx-syntax.ts';

const brotliModules = ['/usr/lib/nginx/modules', '/usr/share/nginx/modules', '/usr/lib64/nginx/modules'];

/** Endings that nginx types by name; everything else is declared file by file. */
const plainTypes: [type: string, ending: string][] = [
  ['text/html', 'html'],
  ['text/markdown', 'md'],
  ['application/json', 'json'],
  ['text/css', 'css'],
  ['text/javascript', 'js'],
  ['image/svg+xml', 'svg'],
  ['text/plain', 'txt'],
  ['application/xml', 'xml'],
  ['font/woff2', 'woff2'],
];

const typedByEnding = (path: string, type: string): boolean =>
  plainTypes.some(
    ([plain, ending]) => path.endsWith(`.${ending}`) && type.split(';')[0] === plain && !type.includes('version='),
  );

/**
 * Statuses that nginx itself answers with, and the problem that each is. A version or a transfer coding that it does
 * not know (505, 501) is the client's fault and is told so.
 */
const errors: [status: string, slug: ProblemSlug, answered?: number][] = [
  ['400', 'invalid-request'],
  ['405', 'method-not-allowed'],
  ['406', 'not-acceptable'],
  ['412', 'precondition-failed'],
  ['413', 'body-too-large'],
  ['414', 'uri-too-long'],
  ['429', 'rate-limited'],
  ['494', 'headers-too-large', 431],
  ['500', 'internal-error'],
  ['501 505', 'invalid-request', 400],
  ['502 504', 'unavailable', 503],
];

const problemSlugs = new Set<ProblemSlug>(['not-found', ...errors.map(([, slug]) => slug)]);

/** Pages that take a form too: what is sent to them goes to the sidecar, and is not answered with a file. */
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

/** Sends what is no reading of a page to where its form is taken. */
const toForm = (path: string): string => `if ($request_method !~ ^(?:GET|HEAD)$) { rewrite ^ /__form${path} last; }`;

/** Longest request target in bytes; the sidecar takes as much. */
const longestTarget = 8 * 1024;

/** The body of a problem as nginx writes it: without a field that only the sidecar could fill in. */
const problemBody = (slug: ProblemSlug, origin: string): string =>
  JSON.stringify(toUnreadDocument(slug, { baseUrl: origin, instance: '$porch_instance', requestId: '$request_id' }));

const problemLocation = (slug: ProblemSlug, origin: string): string[] =>
  block(`location = /__problem/${slug}`, [
    'internal;',
    'default_type application/problem+json;',
    // That there is nothing comes here only as JSON: the page of it is 404.html.
    ...(slug === 'not-found' ? [] : [`if ($porch_wants_html) { rewrite ^ /__page/problems/${slug}.html last; }`]),
    `return ${problemType(slug).status} ${quote(problemBody(slug, origin))};`,
  ]);

/**
 * The nginx configuration of the site, to be included in the `http` block. It serves every prebuilt representation
 * from disk with exact negotiation, sends the API and the live pages to the sidecar, and falls back to the prebuilt
 * pages when the sidecar does not answer.
 */
export function toNginxConf(site: SiteFiles, config: Config, clientDir: string): string {
  const origin = config.baseUrl;
  const formAddresses = formPagesOf(site);
  const pages = [...site.pages.keys()].filter((path) => path !== '/404');
  const capital = pages.find((path) => /[A-Z]/.test(path));
  if (capital !== undefined) {
    throw new Error(`the page ${capital} has a capital letter in its path: nginx's maps would mistake it for another`);
  }
  const twins = [...twinAddresses(site)].filter(([, { page }]) => page !== '/404');
  const markdownTwins = twins.filter(([, { representation }]) => representation === 'markdown');
  const size = (page: string, representation: Representation): number =>
    site.pages.get(page)?.[representation].bytes.identity.length ?? 0;
  const bytesSaved = (page: string): string => String(size(page, 'html') - size(page, 'markdown'));
  const tokens = (page: string): string => String(estimateTokens(size(page, 'markdown')));
  const brotli = brotliModules.some((folder) => existsSync(`${folder}/ngx_http_brotli_static_module.so`));
  const stem = (path: string): string => (path === '/' ? '/index' : path);

  // A location takes the headers of the server only when it has none of its own, so each kind of answer has its full set.
  const everywhere = [
    ...Object.entries({ ...commonHeaders(origin), ...readCorsHeaders }).map(
      ([name, value]) => `add_header ${name} ${quote(value)} always;`,
    ),
    'add_header X-Request-Id $request_id always;',
    '# The time of a file is a hash of its content, which makes the ETag; as a date it means nothing.',
    'add_header Last-Modified "";',
  ];
  const kept = (path: string): string => `add_header Cache-Control ${quote(cacheControl(path))};`;
  const varies = 'add_header Vary "Accept, User-Agent" always;';
  const pageHeaders = [
    ...everywhere,
    kept('/'),
    varies,
    'add_header Link $porch_link;',
    'add_header X-Bytes-Saved $porch_saved;',
    'add_header X-Markdown-Tokens $porch_tokens;',
  ];
  const errorHeaders = [
    ...everywhere,
    'add_header Cache-Control "no-store" always;',
    'add_header Allow $porch_allow always;',
    'add_header Retry-After $porch_retry always;',
  ];
  const served = 'try_files $porch_read @otherwise;';

  // Keys of a map are strings before they are expressions: a usual request is decided by look-ups alone.
  const maps = [
    'map_hash_max_size 16384;',
    'map_hash_bucket_size 256;',
    '',
    '# Which representation an Accept header gets (RFC 9110 section 12.5.1).',
    ...acceptMaps(),
    '',
    '# What there is at an address, in the representation that is asked for.',
    '# A map does not tell capital letters from small ones; the names of files do.',
    ...map('$uri', '$porch_file', [
      ['default', '/-'],
      ...pages.map((path): [string, string] => [path, path === '/' ? '"/index$porch_ending"' : '"$uri$porch_ending"']),
      ...[...twins.map(([address]) => address), ...site.files.keys()].map((path): [string, string] => [path, '$uri']),
    ]),
    ...map('$request_method', '$porch_read', [
      ['default', '/-'],
      ['GET', '$porch_file'],
      ['HEAD', '$porch_file'],
    ]),
    '',
    '# Headers of what is served; $uri is the file by then.',
    ...map('$uri', '$porch_link', [
      ['default', '""'],
      ...pages.map((path): [string, string] => [`${stem(path)}.html`, quote(htmlLinks(origin, stem(path)))]),
      ...twins.map(([address, { page }]): [string, string] => [address, quote(twinLinks(origin, page))]),
    ]),
    ...map('$uri', '$porch_saved', [
      ['default', '""'],
      ...markdownTwins.map(([address, { page }]): [string, string] => [address, bytesSaved(page)]),
    ]),
    ...map('$uri', '$porch_tokens', [
      ['default', '""'],
      ...markdownTwins.map(([address, { page }]): [string, string] => [address, tokens(page)]),
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
    '# What a request is.',
    ...map('$request_uri', '$porch_long', [
      ['default', '0'],
      [`"~^.{${longestTarget + 1}}"`, '1'],
    ]),
    '# Its own refusal is not refused again.',
    ...block('map $porch_long $porch_target_too_long', ['volatile;', 'default 0;', '1 $porch_outside;']),
    ...block('map $uri $porch_outside', ['volatile;', 'default 1;', '"~^/__" 0;']),
    '',
    '# What a request is for which there is no file: to /about/ and /about.html the answer is /about.',
    ...map('$uri', '$porch_capital', [
      ['default', '""'],
      ['~[A-Z]', '!'],
    ]),
    ...map('$uri', '$porch_plain', [
      ['default', '""'],
      ['/index.html', '/'],
      ['"~^(?<porch_bare>/.+?)(?:/|\\.html)$"', '$porch_bare'],
    ]),
    ...map('"$porch_capital$porch_plain"', '$porch_elsewhere', [
      ['default', '""'],
      ...pages.map((path): [string, string] => [path, path]),
    ]),
    ...map('"$porch_capital$uri"', '$porch_known', [
      ['default', '0'],
      ...pages.map((path): [string, string] => [path, 'page']),
      ...twins.map(([address]): [string, string] => [address, 'file']),
      ...[...site.files.keys()].map((path): [string, string] => [/[A-Z]/.test(path) ? `!${path}` : path, 'file']),
    ]),
    ...map('"$request_method:$porch_known"', '$porch_method_refused', [
      ['default', '1'],
      ['"~^(?:GET|HEAD):|:0$"', '0'],
    ]),
    ...map('"$porch_known:$porch_representation"', '$porch_unacceptable', [
      ['default', '0'],
      ['page:none', '1'],
    ]),
    '# That there is nothing is told in the representation that the ending speaks of, unless Accept leaves that out.',
    ...map('$porch_representation', '$porch_missing_there', [
      ['default', '/404.html'],
      ['markdown', '/404.md'],
      ['json', '/__problem/not-found'],
    ]),
    ...map('$uri', '$porch_spoken_of', [
      ['default', '-'],
      [quote('~\\.(?:md|txt)\\z'), 'md'],
      [quote('~\\.json\\z'), 'json'],
    ]),
    ...map('"$porch_spoken_of:$porch_md$porch_json:$http_accept"', '$porch_missing', [
      ['default', '$porch_missing_there'],
      [quote('~^md:(?:(?!0{5})|0{10}:[ \\t]*\\z)'), '/404.md'],
      [quote('~^json:\\d{5}(?:(?!0{5})|0{5}:[ \\t]*\\z)'), '/__problem/not-found'],
    ]),
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
    '',
    'limit_req_zone $porch_client zone=porch_api:10m rate=10r/s;',
    '',
    ...block('upstream porchlight_sidecar', [
      `server ${config.host.includes(':') ? `[${config.host}]` : config.host}:${config.port};`,
      'keepalive 16;',
    ]),
  ];

  const proxy = [
    'proxy_pass http://porchlight_sidecar;',
    'proxy_http_version 1.1;',
    'proxy_set_header Connection "";',
    'proxy_set_header Host $porch_host;',
    '# Overwritten, never appended to: what a client sends in it is not believed.',
    'proxy_set_header X-Forwarded-For $remote_addr;',
    'proxy_set_header X-Forwarded-Proto $scheme;',
    'proxy_set_header X-Request-Id $request_id;',
    'proxy_connect_timeout 2s;',
    'proxy_read_timeout 30s;',
    '# The sidecar sets the headers; an entry of its own keeps a location from taking those of the server.',
    'add_header X-Porchlight-Front "";',
  ];

  const patientProxy = proxy.map((line) =>
    line.startsWith('proxy_read_timeout ') ? 'proxy_read_timeout 150s;' : line,
  );

  const server = block('server', [
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
      plainTypes.map(([type, ending]) => `${type} ${ending};`),
    ),
    'gzip_static on;',
    'gzip_vary on;',
    brotli ? 'brotli_static on;' : '# brotli_static on;   # with the module ngx_http_brotli_static_module',
    'open_file_cache max=4096 inactive=60s;',
    'open_file_cache_valid 10s;',
    'open_file_cache_errors on;',
    '# Headers and body leave in one write: read beside the headers, and nothing sent before there are 8 KiB or the end.',
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
    ...everywhere,
    kept('/'),
    '',
    'error_page 404 $porch_missing;',
    ...errors.map(
      ([status, slug, answered]) => `error_page ${status}${answered ? ` =${answered}` : ''} /__problem/${slug};`,
    ),
    '',
    'if ($porch_target_too_long) { return 414; }',
    '',
    '# Pages and their twins.',
    ...block('location /', [...pageHeaders, served]),
    ...block('location /assets/', [...everywhere, kept('/assets/'), served]),
    '# What is served from no file.',
    ...block('location @otherwise', [
      'recursive_error_pages on;',
      'if ($porch_elsewhere) { return 308 $porch_elsewhere$is_args$args; }',
      'if ($porch_method_refused) { return 405; }',
      'if ($porch_unacceptable) { return 406; }',
      'return 404;',
    ]),
    ...block('location /api/', [...proxy, 'limit_req zone=porch_api burst=100 nodelay;']),
    '# Forms, and what only the service can sign.',
    ...formAddresses.flatMap((path) =>
      block(`location = /__form${path}`, [
        'internal;',
        ...(auditPaths.includes(path) ? patientProxy : proxy).map((line) =>
          line.startsWith('proxy_pass ') ? line.replace(/;$/, `${path};`) : line,
        ),
        'limit_req zone=porch_api burst=20 nodelay;',
      ]),
    ),
    ...endpoints
      .filter(
        ({ path, servedBy }) =>
          servedBy === 'sidecar' &&
          !path.startsWith('/api/') &&
          ![...livePaths, ...formAddresses, ...auditPaths].includes(path),
      )
      .flatMap(({ path }) => block(toLocation(path), [...proxy, 'limit_req zone=porch_api burst=100 nodelay;'])),
    '# Audits: they take their time, and their events are passed on as they come.',
    ...auditPaths
      .filter((path) => !formAddresses.includes(path))
      .flatMap((path) =>
        block(`location = ${path}`, [
          ...patientProxy,
          'proxy_buffering off;',
          'limit_req zone=porch_api burst=100 nodelay;',
        ]),
      ),
    '# Prebuilt pages that take a form.',
    ...formAddresses
      .filter((path) => !livePaths.includes(path))
      .flatMap((path) => block(`location = ${path}`, [toForm(path), ...pageHeaders, served])),
    ...livePaths
      .flatMap(pageAddresses)
      .flatMap((path) =>
        block(`location = ${path}`, [
          ...(formAddresses.includes(path) ? [toForm(path)] : []),
          ...proxy,
          'proxy_intercept_errors on;',
          'error_page 502 503 504 = @snapshot;',
          '# So that the snapshot can be refused in its turn.',
          'recursive_error_pages on;',
        ]),
      ),
    ...block('location @snapshot', [...pageHeaders, served]),
    ...[...site.files]
      .filter(([path]) => !path.startsWith('/assets/'))
      .flatMap(([path, file]) =>
        block(`location = ${path}`, [
          ...(typedByEnding(path, file.type) ? [] : ['types {}', `default_type ${quote(file.type)};`]),
          ...(path in fileLinks(origin) ? [...everywhere, kept(path), 'add_header Link $porch_file_link;'] : []),
          served,
        ]),
      ),
    ...block('location = /404.html', ['internal;', 'etag off;', ...errorHeaders, varies]),
    ...block('location = /404.md', [
      'internal;',
      'etag off;',
      ...errorHeaders,
      varies,
      `add_header X-Bytes-Saved "${bytesSaved('/404')}" always;`,
      `add_header X-Markdown-Tokens "${tokens('/404')}" always;`,
    ]),
    ...block('location /__problem/', [
      'internal;',
      ...errorHeaders,
      'add_header Vary "Accept" always;',
      ...[...problemSlugs].flatMap((slug) => problemLocation(slug, origin)),
    ]),
    ...block('location /__page/', [
      'internal;',
      'etag off;',
      ...errorHeaders,
      varies,
      `alias ${quote(`${clientDir}/`)};`,
    ]),
  ]);

  return [
    '# Generated by the build. Include it in the http block of nginx; the sidecar (npm start) listens behind it.',
    ...(origin.startsWith('https:')
      ? ['# TLS: add `listen 443 ssl` with your certificate, or put this behind what ends TLS.']
      : []),
    '',
    ...maps,
    '',
    ...server,
    '',
  ].join('\n');
}
