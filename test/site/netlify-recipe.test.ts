import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';

const recipe = readFileSync(join(import.meta.dirname, '../../site/content/recipes/netlify.md'), 'utf8');
const [, source = ''] = /^```js file=netlify\/edge-functions\/markdown\.js\n(.*?)\n```$/ms.exec(recipe) ?? [];
const { default: markdown } = (await import(`data:text/javascript,${encodeURIComponent(source)}`)) as {
  default: (request: Request, context: { next: () => Promise<Response> }) => Promise<Response>;
};

/** The published files: what Netlify serves when the function asks for a twin, or lets the request pass. */
const site = createServer((request, response) => {
  const isTwin = request.url === '/visit.md' || request.url === '/index.md';
  response.writeHead(isTwin ? 200 : 404, { 'Content-Type': 'text/plain' }).end(isTwin ? '# Visit\n' : 'nothing');
});
await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
after(() => site.close());
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
const html = 'text/html; charset=utf-8';
const twin = 'text/markdown; charset=utf-8';

for (const [path, accept, type] of [
  ['/visit', 'text/html', html],
  ['/visit', '*/*', html],
  ['/visit', undefined, html],
  ['/visit', 'text/markdown', twin],
  ['/visit/', 'text/markdown', twin],
  ['/', 'text/markdown', twin],
  ['/visit', 'text/html;q=0.5, text/markdown', twin],
  ['/visit', 'text/html, text/markdown;q=0.5', html],
  ['/visit', 'text/html, text/markdown;q=0', html],
  ['/nothing', 'text/markdown', html],
] as const) {
  test(`the edge function of the recipe for Netlify answers ${accept ?? 'no Accept'} at ${path}`, async () => {
    const next = async () => new Response('<h1>Visit</h1>', { headers: { 'Content-Type': html } });
    const request = new Request(`${origin}${path}`, accept === undefined ? {} : { headers: { accept } });
    const response = await markdown(request, { next });
    assert.deepEqual(
      [response.status, response.headers.get('content-type'), response.headers.get('vary')],
      [200, type, 'Accept'],
    );
    assert.equal((await response.text()).startsWith('# Visit'), type === twin);
  });
}

test('the edge function of the recipe for Netlify leaves files alone', async () => {
  const next = async () => new Response('body {}', { headers: { 'Content-Type': 'text/css' } });
  const response = await markdown(new Request(`${origin}/site.css`, { headers: { accept: 'text/markdown' } }), {
    next,
  });
  assert.deepEqual([response.headers.get('content-type'), response.headers.get('vary')], ['text/css', null]);
});
