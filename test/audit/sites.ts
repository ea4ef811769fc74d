import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A site of the test: what it was asked for, in order, as `METHOD path accept`. */
export interface TestSite {
  origin: string;
  host: string;
  asked: { method: string; path: string; headers: http.IncomingHttpHeaders; body: string }[];
  close(): void;
}

export type Answer = (
  request: { method: string; path: string; accept: string; headers: http.IncomingHttpHeaders; body: string },
  origin: string,
) => { status?: number; type?: string; headers?: Record<string, string>; body?: string };

/** Serves answers on loopback, each after `delayMs`. */
export async function openSite(answer: Answer, delayMs = 0): Promise<TestSite> {
  const asked: TestSite['asked'] = [];
  const server = http.createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) {
      chunks.push(chunk);
    }
    const body = Buffer.concat(chunks).toString();
    const { method = '', url: path = '', headers } = request;
    asked.push({ method, path, headers, body });
    const {
      status = 200,
      type,
      headers: extra,
      body: text = '',
    } = answer({ method, path, accept: headers.accept ?? '', headers, body }, origin);
    if (delayMs > 0) {
      await new Promise((resolve) => setTimeout(resolve, delayMs));
    }
    response.writeHead(status, { ...(type === undefined ? {} : { 'Content-Type': type }), ...extra });
    response.end(method === 'HEAD' ? '' : text);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const origin = `http://${host}`;
  return {
    origin,
    host,
    asked,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const html = (title: string, path: string, body: string): string =>
  `<!doctype html><html lang="en"><head><title>${title}</title><link rel="alternate" type="text/markdown" href="${path}.md">` +
  '<link rel="alternate" type="application/atom+xml" href="/feed.atom"><script type="module" src="/tools.js"></script></head>' +
  `<body><main><h1>${title}</h1>${body}</main></body></html>`;

const json = (value: unknown, type = 'application/json') => ({ type, body: JSON.stringify(value) });

/** A site that has about everything: twins, files, an index of sitemaps, an MCP endpoint and an address with a price. */
export const goodSite: Answer = ({ method, path, accept, headers, body }, origin) => {
  const pages = ['/', ...Array.from({ length: 12 }, (_, index) => `/guide/${String.fromCharCode(97 + index)}`)];
  const stem = (page: string): string => (page === '/' ? '/index' : page);
  const twin = pages.find((page) => path === `${stem(page)}.md`);
  if (twin !== undefined) {
    return { type: 'text/markdown; charset=utf-8', body: `---\ntitle: Page ${twin}\n---\n\n# Page ${twin}\n` };
  }
  if (pages.includes(path)) {
    const wantsMarkdown = /^text\/markdown(?!;q=0)/.test(accept);
    return wantsMarkdown
      ? { type: 'text/markdown; charset=utf-8', headers: { Vary: 'Accept' }, body: `# Page ${path}\n` }
      : {
          type: 'text/html; charset=utf-8',
          headers: {
            Vary: 'Accept',
            Link: `<${origin}/api/openapi.json>; rel="service-desc"; type="application/json"`,
          },
          body: html(`Page ${path}`, stem(path), `<p>${'Words. '.repeat(60)}</p>`),
        };
  }
  if (path === '/mcp' && method === 'POST') {
    const call = JSON.parse(body) as { id: number; method: string };
    if (call.method === 'initialize') {
      return {
        ...json({ jsonrpc: '2.0', id: call.id, result: { protocolVersion: '2025-11-25' } }),
        headers: { 'Mcp-Session-Id': 'session-1' },
      };
    }
    return headers['mcp-session-id'] === 'session-1' && call.method === 'tools/list'
      ? {
          type: 'text/event-stream',
          body: `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [{ name: 'look' }] } })}\n\n`,
        }
      : { status: 400, ...json({ jsonrpc: '2.0', id: call.id, error: { code: -32000, message: 'No session' } }) };
  }
  const urlset = (from: number, to: number): string =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${pages
      .slice(from, to)
      .map((page) => `<url><loc>${origin}${page}</loc><lastmod>2026-11-01</lastmod></url>`)
      .join('')}</urlset>`;
  const files: Record<string, ReturnType<Answer>> = {
    '/robots.txt': { type: 'text/plain', body: `User-agent: *\nAllow: /\n\nSitemap: ${origin}/sitemap-index.xml\n` },
    '/sitemap.xml': { status: 404, type: 'text/plain', body: 'none' },
    '/sitemap-index.xml': {
      type: 'application/xml',
      body: `<sitemapindex><sitemap><loc>${origin}/sitemap-1.xml</loc></sitemap><sitemap><loc>${origin}/sitemap-2.xml</loc></sitemap></sitemapindex>`,
    },
    '/sitemap-1.xml': { type: 'application/xml', body: urlset(0, 7) },
    '/sitemap-2.xml': { type: 'application/xml', body: urlset(7, 13) },
    '/llms.txt': {
      type: 'text/markdown',
      body: `# Good\n\n> A good site.\n\n## Guide\n\n${pages.map((page) => `- [Page](${origin}${stem(page)}.md): words`).join('\n')}\n- [Elsewhere](https://example.com/)\n`,
    },
    '/llms-full.txt': { type: 'text/markdown', body: '# Good\n' },
    '/sitemap.md': { type: 'text/markdown', body: '# Sitemap\n' },
    '/feed.atom': { type: 'application/atom+xml', body: '<feed xmlns="http://www.w3.org/2005/Atom"/>' },
    '/tools.js': { type: 'text/javascript', body: 'document.modelContext?.registerTool({});' },
    '/.well-known/security.txt': { type: 'text/plain', body: 'Contact: mailto:a@example.com\n' },
    '/.well-known/agents.json': json({
      endpoints: [{ method: 'GET', path: '/api/paid', pricing: { amount_usd: '0.1' } }],
      interfaces: {},
    }),
    '/.well-known/api-catalog': json({ linkset: [] }, 'application/linkset+json'),
    '/.well-known/ai-catalog.json': json({
      specVersion: '1.0',
      entries: [{ type: 'application/mcp-server-card+json', url: `${origin}/mcp/server-card` }],
    }),
    '/mcp/server-card': json({ name: 'x/y', remotes: [{ type: 'streamable-http', url: `${origin}/mcp` }] }),
    '/.well-known/agent-skills/index.json': json({
      skills: [{ name: 'read', url: '/skills/read.md', digest: 'sha256:0' }],
    }),
    '/skills/read.md': { type: 'text/markdown', body: '---\nname: read\n---\n' },
    '/openapi.json': json({
      openapi: '3.1.0',
      paths: { '/api/dear': { get: { responses: { 402: {} } } }, '/api/{id}': { get: { responses: { 402: {} } } } },
    }),
    '/api/openapi.json': json({ openapi: '3.1.0', paths: {} }),
    '/api/paid': { status: 402, ...json({ x402Version: 2 }) },
    '/api/dear': { status: 402, ...json({ x402Version: 2 }) },
  };
  return (
    files[path] ?? { status: 404, type: /json/.test(accept) ? 'application/problem+json' : 'text/html', body: '{}' }
  );
};

/** A site of one page that has nothing else, not even a robots.txt. */
export const bareSite: Answer = ({ path }) =>
  path === '/'
    ? {
        type: 'text/html',
        body: '<title>Bare</title><h1>Bare</h1><a href="/a">A</a><a href="/b.pdf">B</a><a href="https://example.com/">C</a>',
      }
    : path === '/a'
      ? { type: 'text/html', body: '<h1>A</h1>' }
      : { status: 404, type: 'text/html', body: '<h1>Not found</h1>' };
