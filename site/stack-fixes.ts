/** A fix of the server's configuration, for one stack. */
export interface StackSample {
  /** As the tabs of techniques name it, so that a choice there is a choice here. */
  id: string;
  title: string;
  language: string;
  code: string;
}

type Others = Record<'apache' | 'caddy' | 'express' | 'cloudflare', string>;

const stacks: readonly Omit<StackSample, 'code'>[] = [
  { id: 'nginx', title: 'nginx', language: 'nginx' },
  { id: 'apache', title: 'Apache', language: 'apache' },
  { id: 'caddy', title: 'Caddy', language: 'caddyfile' },
  { id: 'express', title: 'Express', language: 'js' },
  { id: 'cloudflare', title: 'Cloudflare', language: 'text' },
];

const quoted = (value: string): string => `"${value.replaceAll('"', '\\"')}"`;

const inExpress = (line: string): string =>
  `app.use((request, response, next) => {\n  ${line}\n  next();\n});\n// before your routes`;

/** A header with every answer. */
const header = (name: string, value: string): Others => ({
  apache: `Header always set ${name} ${quoted(value)}`,
  caddy: `header ${name} ${quoted(value)}`,
  express: inExpress(`response.set('${name}', '${value}');`),
  cloudflare: `# The file _headers\n/*\n  ${name}: ${value}`,
});

/** What the other stacks need where a check's fix is for nginx, by the id of the check; given that fix. */
const others: Readonly<Record<string, (nginx: string) => Others>> = {
  'markdown-on-request': () => ({
    apache:
      'AddType "text/markdown; charset=utf-8" .md\nRewriteEngine On\nRewriteCond %{HTTP:Accept} text/markdown [NC]\nRewriteCond %{REQUEST_FILENAME}.md -f\nRewriteRule ^(.+)$ $1.md [END]\nHeader always merge Vary Accept\n# for q-values, choose in the application with a negotiation library',
    caddy:
      '@markdown {\n  header Accept *text/markdown*\n  file {path}.md\n}\nheader Vary Accept\nheader @markdown Content-Type "text/markdown; charset=utf-8"\nrewrite @markdown {path}.md\n# for q-values, choose in the application with a negotiation library',
    express:
      "app.use((request, response, next) => {\n  response.vary('Accept');\n  if (request.accepts('html', 'text/markdown') === 'text/markdown') {\n    request.url = request.path.replace(/\\/$/, '/index') + '.md';\n  }\n  next();\n});\n// before express.static and your routes; q-values count",
    cloudflare:
      "// A Worker with the assets of the site\nexport default {\n  async fetch(request, { ASSETS }) {\n    const url = new URL(request.url);\n    if (request.headers.get('Accept')?.includes('text/markdown')) {\n      url.pathname = url.pathname.replace(/\\/$/, '/index') + '.md';\n    }\n    const answer = await ASSETS.fetch(new Request(url, request));\n    const response = new Response(answer.body, answer);\n    response.headers.append('Vary', 'Accept');\n    return response;\n  },\n};",
  }),
  'twin-address': () => ({
    apache: 'AddType text/markdown .md\nAddCharset utf-8 .md',
    caddy: '@markdown path *.md\nheader @markdown Content-Type "text/markdown; charset=utf-8"',
    express: "// Sends .md files as text/markdown; charset=utf-8\napp.use(express.static('site'));",
    cloudflare: '# The file _headers\n/*.md\n  Content-Type: text/markdown; charset=utf-8',
  }),
  'vary-accept': () => ({
    apache: 'Header always merge Vary Accept',
    caddy: 'header +Vary Accept',
    express: inExpress("response.vary('Accept');"),
    cloudflare: '# The file _headers\n/*\n  Vary: Accept',
  }),
  hsts: () => header('Strict-Transport-Security', 'max-age=31536000'),
  nosniff: () => header('X-Content-Type-Options', 'nosniff'),
  'cache-lifetimes': () => ({
    apache: 'Header set Cache-Control "public, max-age=300" "expr=%{CONTENT_TYPE} =~ m#^text/(html|markdown)#"',
    caddy: '@pages path *.html *.md */\nheader @pages Cache-Control "public, max-age=300"',
    express: inExpress("response.set('Cache-Control', 'public, max-age=300');"),
    cloudflare: '# The file _headers\n/*\n  Cache-Control: public, max-age=300',
  }),
  'short-redirects': (nginx) => {
    const host = /server_name (.*);/.exec(nginx)?.[1] ?? '';
    return {
      apache: `<VirtualHost *:80>\n  ServerName ${host}\n  Redirect permanent / https://${host}/\n</VirtualHost>`,
      caddy: `# Caddy leads from http to https by itself\n${host} {\n  root * /srv/site\n  file_server\n}`,
      express:
        "app.set('trust proxy', 1);\napp.use((request, response, next) => {\n  if (request.secure) {\n    next();\n  } else {\n    response.redirect(301, 'https://' + request.hostname + request.originalUrl);\n  }\n});",
      cloudflare: 'Dashboard, SSL/TLS, Edge Certificates: switch Always Use HTTPS on.',
    };
  },
  'link-headers': (nginx) => {
    const links = /'(.*)'/.exec(nginx)?.[1] ?? '';
    return {
      ...header('Link', links),
      apache: `Header always add Link ${quoted(links)}`,
      caddy: `header +Link ${quoted(links)}`,
      express: inExpress(`response.append('Link', '${links}');`),
    };
  },
};

/**
 * A fix for every stack that has one of its own, the stack that the audit recognised first; empty for a fix that is the same
 * whatever the server is.
 */
export function stackSamples(
  check: string,
  fix: { snippet: string; language: string },
  platform: string,
): StackSample[] {
  const rest = others[check]?.(fix.snippet);
  if (rest === undefined || fix.language !== 'nginx') {
    return [];
  }
  const codes: Readonly<Record<string, string>> = { nginx: fix.snippet, ...rest };
  return stacks
    .map((stack) => ({ ...stack, code: codes[stack.id] ?? '' }))
    .toSorted((one, other) => Number(other.id === platform) - Number(one.id === platform));
}
