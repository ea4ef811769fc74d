import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of the loopback interface that nothing listens on, for a program that can't be told to take any: one from below those that the
 * system hands out (Linux: from 32768, others: from 49152), so that no other process gets it before that program does.
 */
export async function freePort(): Promise<number> {
  const server = createServer().listen(randomInt(10_000, 32_768), '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE') {
      return freePort();
    }
    throw cause;
  }
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
