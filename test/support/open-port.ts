import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';

/** Serves on a free port of loopback until the test, or the file, is over. Returns the origin. */
export async function openPort(handler: RequestListener): Promise<string> {
  const server = createServer(handler).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.close();
    // A connection that a client keeps open would hold up the end of the file for seconds.
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
