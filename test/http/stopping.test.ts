import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect } from 'node:net';
import { it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { listen, stopListening } from '#api/http/listen.ts';

/** More than the buffers of a connection hold. */
const body = Buffer.alloc(32 * 1024 * 1024, 'a');

it('a client that reads slowly gets its whole answer before its connection is closed', async (t) => {
  const server = await listen(
    (_request, response) => {
      response.end(body);
    },
    { host: '127.0.0.1', port: 0, baseUrl: 'http://127.0.0.1' },
  );
  t.after(() => server.closeAllConnections());
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  let received = 0;
  socket.on('data', (chunk) => {
    received += chunk.length;
  });
  const answering = once(server, 'request');
  socket.pause().write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await answering;
  const stopped = stopListening(server, 9);
  // Longer than a connection may take to send its first request.
  await wait(1000);
  socket.resume();
  await stopped;
  await once(socket, 'close');
  assert.ok(received > body.length, `${received} of ${body.length} bytes came`);
});
