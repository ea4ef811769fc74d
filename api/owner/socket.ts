import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { join, relative } from 'node:path';
import { type OwnerContext, runOwnerAction } from './actions.ts';

/** Longest body in bytes: an import of 500 entries fits many times over. */
const longestBody = 8 * 1024 * 1024;

/** Bytes that the path of a Unix socket may have on Linux and macOS. */
const longestPath = 103;

/** The socket in a data folder, written from the working folder where that is shorter. */
export function ownerSocketPath(dataDir: string): string {
  const whole = join(dataDir, 'owner.sock');
  const short = relative(process.cwd(), whole);
  return short.length < whole.length ? short : whole;
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > longestBody) {
      throw new Error(`The input is longer than ${longestBody} bytes.`);
    }
    chunks.push(chunk);
  }
  return JSON.parse(Buffer.concat(chunks).toString('utf8') || '{}');
}

/** The owner's entrance. */
export interface OwnerSocket {
  /** Its path; null when the data folder's path is too long for a socket. */
  path: string | null;
  close(): Promise<void>;
}

/**
 * Opens the owner's entrance: `POST /<command>` with JSON, over a Unix socket that the service's user alone can open. It
 * is not reachable over the network, so there is no password that could leak.
 */
export async function openOwnerSocket(context: OwnerContext): Promise<OwnerSocket> {
  const path = ownerSocketPath(context.config.dataDir);
  if (Buffer.byteLength(path) > longestPath) {
    return { path: null, close: async () => undefined };
  }
  const server = createServer((request, response) => {
    const answer = (status: number, body: unknown): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    };
    const name = String(request.url).slice(1);
    readBody(request)
      .then((input) => runOwnerAction(name, input, context))
      .then(
        (result) => answer(200, result),
        (error: unknown) => answer(400, { error: error instanceof Error ? error.message : String(error) }),
      );
  });
  // Whoever holds the lock of the data folder is alone in it: a socket that is there was left by a process that is gone.
  rmSync(path, { force: true });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause) => reject(new Error(`The owner's socket ${path} cannot be opened.`, { cause })));
    // The socket is made by this call; at no moment may another user open it.
    const mask = process.umask(0o177);
    server.listen(path, resolve);
    process.umask(mask);
  });
  chmodSync(path, 0o600);
  return {
    path,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
