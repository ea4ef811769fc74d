import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { startNginx } from '../../scripts/support/nginx.ts';
import { freePort } from '../../scripts/support/ports.ts';

/*
 * deploy/compose-nginx.conf in an nginx of its own. Docker's names are replaced by addresses of this machine; the rest is as
 * it's used.
 */

const folder = mkdtempSync(join(tmpdir(), 'compose-nginx-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function serve(context: { after(end: () => void): void }, answer: RequestListener): Promise<number> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

test('nginx asks web-next as long as its file is there, and requests that web has are answered by web', async (t) => {
  const waiting = Promise.withResolvers<() => void>();
  const web = await serve(t, (request, response) => {
    if (request.url === '/slow') {
      waiting.resolve(() => response.end('web'));
      return;
    }
    response.end('web');
  });
  const next = await serve(t, (_, response) => response.end('web-next'));
  const [port, file, configuration] = [await freePort(), join(folder, 'web-next'), join(folder, 'front.conf')];
  const given = readFileSync(join(import.meta.dirname, '../../deploy/compose-nginx.conf'), 'utf8');
  const replaced = [
    ['listen 8080;', `listen 127.0.0.1:${port};`],
    ['http://web:4321;', `http://127.0.0.1:${web};`],
    ['http://web-next:4321;', `http://127.0.0.1:${next};`],
    ['/run/web-next', file],
  ].reduce((text, [from = '', to = '']) => {
    assert.equal(text.split(from).length, 2, `it has ${from} once`);
    return text.replace(from, to);
  }, given);
  writeFileSync(configuration, replaced);
  const origin = `http://127.0.0.1:${port}`;
  const nginx = await startNginx(configuration, folder, origin);
  t.after(() => nginx.stop());
  const ask = async (path = '/'): Promise<string> => (await fetch(`${origin}${path}`)).text();

  assert.equal(await ask(), 'web');
  const slow = ask('/slow');
  const answerSlow = await waiting.promise;
  writeFileSync(file, '');
  assert.equal(await ask(), 'web-next');
  answerSlow();
  assert.equal(await slow, 'web');
  assert.equal(await ask(), 'web-next');
  rmSync(file);
  assert.equal(await ask(), 'web');
});

for (const [who, believed, expected] of [
  ['a client', null, '127.0.0.1'],
  ['the host, which ends TLS,', '127.0.0.1', '203.0.113.9'],
] as const) {
  test(`an instance hears of ${expected} when ${who} sends another address as X-Forwarded-For`, async (t) => {
    const heard: unknown[] = [];
    const web = await serve(t, (request, response) => {
      heard.push([request.headers['x-forwarded-for'], request.headers.host]);
      response.end();
    });
    const [port, configuration] = [await freePort(), join(folder, 'told.conf')];
    const given = readFileSync(join(import.meta.dirname, '../../deploy/compose-nginx.conf'), 'utf8');
    writeFileSync(
      configuration,
      given
        .replace('listen 8080;', `listen 127.0.0.1:${port};`)
        .replace('http://web:4321;', `http://127.0.0.1:${web};`)
        .replace('set_real_ip_from 172.31.240.1;', (line) =>
          believed === null ? line : `set_real_ip_from ${believed};`,
        ),
    );
    const origin = `http://127.0.0.1:${port}`;
    const nginx = await startNginx(configuration, folder, origin);
    t.after(() => nginx.stop());
    heard.length = 0;
    await fetch(origin, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    assert.deepEqual(heard, [[expected, '127.0.0.1']]);
  });
}
