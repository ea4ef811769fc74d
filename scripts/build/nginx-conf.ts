import { existsSync } from 'node:fs';
import type { Config } from '#api/config.ts';
import { commonHeaders, estimateTokens, fileLinks, htmlLinks, readCorsHeaders, twinLinks } from '#api/http/headers.ts';
import { liveAddresses, livePaths } from '#api/http/live-paths.ts';
import { type SiteFiles, twinAddresses } from '#api/http/site-files.ts';
import { endpoints } from '#api/registry/endpoints.ts';
import { operations } from '#api/registry/operations.ts';
import { type ProblemSlug, problemType } from '#api/registry/problem-types.ts';
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

/** Live pages that take a form too: what is sent to them is not answered with a snapshot. */
const formAddresses = endpoints
  .filter(({ method, path }) => method === 'POST' && livePaths.includes(path))
  .map(({ path }) => path);

/** Addresses at which the answer waits for an audit. */
const auditPaths = [...new Set(operations.filter(({ limit }) => limit === 'audit').map(({ path }) => path))];

/** The location of an endpoint: one address, or for a template what begins like it. */
const toLocation = (path: string): string =>
  path.includes('{') ? `location ^~ ${path.replace(/\{.*$/, '')}` : `location = ${path}`;

/** Longest request target in bytes; the sidecar takes as much. */
const longestTarget = 8 * 1024;

/** The body of a problem as nginx writes it: without a field that only the sidecar could fill in. */
function problemBody(slug: ProblemSlug, origin: string): string {
  const type = problemType(slug);
  const document = {
    type: `${origin}/problems/${slug}`,
    title: type.title,
    status: type.status,
    detail: `${type.when} ${type.remedy}`,
    instance: '$porch_instance',
    request_id: '$request_id',
  };
  return JSON.stringify(document);
}

const problemLocation = (slug: ProblemSlug, origin: string): string[] =>
  block(`location = /__problem/${slug}`, [
    'internal;',
    'default_type application/problem+json;',
    `if ($porch_wants_html) { rewrite ^ /__page/problems/${slug}.html last; }`,
    `return ${problemType(slug).status} ${quote(problemBody(slug, origin))};`,
  ]);

/**
 * The nginx configuration of the site, to be included in the `http` block. It serves every prebuilt representation
 * from disk with exact negotiation, sends the API and the live pages to the sidecar, and falls back to the prebuilt
 * pages when the sidecar does not answer.
 */
export function toNginxConf(site: SiteFiles, config: Config, clientDir: string): string {
  const origin = config.baseUrl;
  const pages = [...site.pages.keys()].filter((path) => path !== '/404');
  const capital = pages.find((path) => /[A-Z]/.test(path));
  if (capital !== undefined) {
    throw new Error(`the page ${capital} has a capital letter in its path: nginx's maps would mistake it for another`);
  }
  const twins = [...twinAddresses(site)].filter(([, { page }]) => page !== '/404');
  const markdownTwins = [...twinAddresses(site)].filter(([, { representation }]) => representation === 'markdown');
  const sizes = (page: string): { html: number; markdown: number } => ({
    html: site.pages.get(page)?.html.bytes.identity.length ?? 0,
    markdown: site.pages.get(page)?.markdown.bytes.identity.length ?? 0,
  });
  const brotli = brotliModules.some((folder) => existsSync(`${folder}/ngx_http_brotli_static_module.so`));
  const stem = (path: string): string => (path === '/' ? '/index' : path);
  const headers = Object.entries({ ...commonHeaders(origin), ...readCorsHeaders });

  const maps = [
    'map_hash_max_size 16384;',
    'map_hash_bucket_size 256;',
    '',
    '# Which representation an Accept header gets (RFC 9110 section 12.5.1).',
    ...acceptMaps(),
    '',
    '# What there is: pages by the stem of their files, twins and files by their address.',
    '# A map does not tell capital letters from small ones; no page has any in its path.',
    ...map('$uri', '$porch_capital', [
      ['default', '""'],
      ['~[A-Z]', '!'],
    ]),
    ...map('"$porch_capital$uri"', '$porch_stem', [
      ['default', '""'],
      ...pages.map((path): [string, string] => [path, stem(path)]),
    ]),
    ...map('$uri', '$porch_known', [
      ['default', '/-'],
      ...[...twins.map(([address]) => address), ...site.files.keys()].map((path): [string, string] => [path, '$uri']),
    ]),
    ...map('$porch_stem', '$porch_file', [
      ['""', '$porch_known'],
      ['default', '"$porch_stem$porch_ending"'],
    ]),
    '# /about/ and /about.html lead to /about.',
    ...map('$uri', '$porch_plain', [
      ['default', '""'],
      ['/index.html', '/'],
      ['"~^(?<porch_bare>/.+?)(?:/|\\.html)$"', '$porch_bare'],
    ]),
    ...map('"$porch_capital$porch_plain"', '$porch_elsewhere', [
      ['default', '""'],
      ...pages.map((path): [string, string] => [path, path]),
    ]),
    '',
    '# Headers of what is served; $uri is the file by then.',
    ...map('$uri', '$porch_saved', [
      ['default', '""'],
      ...markdownTwins.map(([address, { page }]): [string, string] => [
        address,
        String(sizes(page).html - sizes(page).markdown),
      ]),
    ]),
    ...map('$uri', '$porch_tokens', [
      ['default', '""'],
      ...markdownTwins.map(([address, { page }]): [string, string] => [
        address,
        String(estimateTokens(sizes(page).markdown)),
      ]),
    ]),
    ...map('$uri', '$porch_twin_of', [
      ['default', '""'],
      ...twins.map(([address, { page }]): [string, string] => [address, page]),
    ]),
    ...map('"$status:$uri"', '$porch_html_link', [
      ['default', '""'],
      ['"~^308:|:/(?:404|__page/)"', '""'],
      ...Object.entries(fileLinks(origin)).map(([path, link]): [string, string] => [`"200:${path}"`, quote(link)]),
      ['"~:(?<porch_html_stem>/.+)\\.html$"', quote(htmlLinks(origin, '$porch_html_stem'))],
    ]),
    ...map('$porch_twin_of', '$porch_link', [
      ['""', '$porch_html_link'],
      ['default', quote(twinLinks(origin, '$porch_twin_of'))],
    ]),
    ...map('$porch_twin_of', '$porch_vary', [
      ['""', '$porch_html_vary'],
      ['default', '"Accept, User-Agent"'],
    ]),
    ...map('"$status:$uri"', '$porch_html_vary', [
      ['default', '""'],
      ['"~^308:"', '""'],
      ['"~:/__problem/"', 'Accept'],
      ['"~:/404\\."', '"Accept, User-Agent"'],
      ['"~\\.html$"', '"Accept, User-Agent"'],
    ]),
    ...map('"$status:$uri"', '$porch_cache', [
      ['"~^(?:200|304):/assets/"', '"public, max-age=31536000, immutable"'],
      ['"~^(?:200|304|308):"', '"public, max-age=300"'],
      ['default', 'no-store'],
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
    ...map('"$request_method:$porch_file"', '$porch_method_refused', [
      ['default', '1'],
      ['"~^(?:GET|HEAD):"', '0'],
      ['"~:/-$"', '0'],
    ]),
    ...block('map "$uri|$request_uri" $porch_target_too_long', [
      'volatile;',
      'default 0;',
      '"~^/__" 0;',
      `"~\\|.{${longestTarget + 1}}" 1;`,
    ]),
    ...map('$porch_representation', '$porch_missing', [
      ['default', '/404.html'],
      ['markdown', '/404.md'],
      ['json', '/__problem/not-found'],
    ]),
    ...map('"$porch_representation:$porch_stem"', '$porch_unacceptable', [
      ['default', '0'],
      ['"~^none:."', '1'],
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
    'sendfile on;',
    'tcp_nopush on;',
    'keepalive_timeout 65s;',
    'client_header_timeout 10s;',
    'client_body_timeout 10s;',
    'send_timeout 30s;',
    'client_max_body_size 16k;',
    'large_client_header_buffers 2 16k;',
    'limit_req_status 429;',
    '',
    ...headers.map(([name, value]) => `add_header ${name} ${quote(value)} always;`),
    'add_header Link $porch_link always;',
    'add_header Vary $porch_vary always;',
    'add_header X-Bytes-Saved $porch_saved always;',
    'add_header X-Markdown-Tokens $porch_tokens always;',
    'add_header Cache-Control $porch_cache always;',
    'add_header Allow $porch_allow always;',
    'add_header Retry-After $porch_retry always;',
    'add_header X-Request-Id $request_id always;',
    '# The time of a file is a hash of its content, which makes the ETag; as a date it means nothing.',
    'add_header Last-Modified "";',
    '',
    'error_page 404 $porch_missing;',
    ...errors.map(
      ([status, slug, answered]) => `error_page ${status}${answered ? ` =${answered}` : ''} /__problem/${slug};`,
    ),
    '',
    'if ($porch_target_too_long) { return 414; }',
    '',
    ...block('location /', [
      'if ($porch_elsewhere) { return 308 $porch_elsewhere$is_args$args; }',
      'if ($porch_method_refused) { return 405; }',
      'if ($porch_unacceptable) { return 406; }',
      'try_files $porch_file =404;',
    ]),
    ...block('location /api/', [...proxy, 'limit_req zone=porch_api burst=100 nodelay;']),
    '# Forms, and what only the service can sign.',
    ...formAddresses.flatMap((path) =>
      block(`location = /__form${path}`, [
        'internal;',
        ...proxy.map((line) => (line.startsWith('proxy_pass ') ? line.replace(/;$/, `${path};`) : line)),
        'limit_req zone=porch_api burst=20 nodelay;',
      ]),
    ),
    ...endpoints
      .filter(({ path, servedBy }) => servedBy === 'sidecar' && !path.startsWith('/api/') && !livePaths.includes(path))
      .flatMap(({ path }) => block(toLocation(path), proxy)),
    '# Audits: they take their time, and their events are passed on as they come.',
    ...auditPaths.flatMap((path) =>
      block(`location = ${path}`, [
        ...proxy.filter((line) => !line.startsWith('proxy_read_timeout ')),
        'proxy_read_timeout 150s;',
        'proxy_buffering off;',
        'limit_req zone=porch_api burst=100 nodelay;',
      ]),
    ),
    ...livePaths
      .flatMap(liveAddresses)
      .flatMap((path) =>
        block(`location = ${path}`, [
          ...(formAddresses.includes(path)
            ? [`if ($request_method !~ ^(?:GET|HEAD)$) { rewrite ^ /__form${path} last; }`]
            : []),
          ...proxy,
          'proxy_intercept_errors on;',
          'error_page 502 503 504 = @snapshot;',
          '# So that the snapshot can be refused in its turn.',
          'recursive_error_pages on;',
        ]),
      ),
    ...block('location @snapshot', ['if ($porch_unacceptable) { return 406; }', 'try_files $porch_file =404;']),
    ...[...site.files]
      .filter(([path, file]) => !path.startsWith('/assets/') && !typedByEnding(path, file.type))
      .flatMap(([path, file]) => block(`location = ${path}`, ['types {}', `default_type ${quote(file.type)};`])),
    ...block('location = /404.html', ['internal;', 'etag off;']),
    ...block('location = /404.md', ['internal;', 'etag off;']),
    ...block('location = /404.json', ['internal;']),
    ...[...problemSlugs].flatMap((slug) => problemLocation(slug, origin)),
    ...block('location /__page/', ['internal;', 'etag off;', `alias ${quote(`${clientDir}/`)};`]),
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
