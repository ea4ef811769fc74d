import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startOwnService } from '../support/own-service.ts';

const { origin, config } = await startOwnService();

const head = (type: string, path: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${config.port}\r\nContent-Type: ${type}\r\n`;

// biome-ignore format: one request a line
const slow: [name: string, bytes: string][] = [
  ['headers that never end', 'GET /api/whoami HTTP/1.1\r\nHost: a\r\nX-Slow: '],
  ['a body shorter than announced', `${head('application/json', '/api/guestbook')}Content-Length: 100\r\n\r\n{"name":`],
  ['chunks that never end', `${head('application/json', '/api/guestbook')}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n`],
];

test('a request that never ends is answered with 408 and its connection closed; others are served meanwhile', async () => {
  const answers = slow.map(async ([name, bytes]) => {
    const socket = connect(config.port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(bytes);
    return [name, await text(socket)] as const;
  });
  assert.equal((await fetch(`${origin}/api/guestbook`)).status, 200);
  for (const [name, answer] of await Promise.all(answers)) {
    assert.match(answer, /^HTTP\/1\.1 408 Request Timeout\r\n/, name);
    assert.match(answer, /\/problems\/request-timeout"/, name);
  }
  assert.equal((await (await fetch(`${origin}/api/guestbook`)).json()).totals.total, 0, 'nothing was stored');
});
