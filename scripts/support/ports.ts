import { once } from 'node:events';
import { createServer } from 'node:net';

/** A port of the loopback interface that nothing listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') {
    throw new Error('the system gave no port');
  }
  return address.port;
}

/** Waits until an address answers. */
export async function waitFor(url: string, seconds = 120): Promise<void> {
  for (const end = Date.now() + seconds * 1000; ; ) {
    try {
      await fetch(url);
      return;
    } catch (cause) {
      if (Date.now() > end) {
        throw new Error(`${url} does not answer after ${seconds} s`, { cause });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}
