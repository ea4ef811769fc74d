import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { parseJson } from './upstream.ts';

/** A document as it was read; `version` where the place it was read from gives one. */
export interface ReadDocument {
  text: string;
  version: string | null;
}

/** Reads a document. Rejects with an Error that says in a sentence why it can't. */
export type DocumentReader = (address: string) => Promise<ReadDocument>;

const run = promisify(execFile);

/** The largest document taken: models.dev, the longest of them, has about 4 MB. */
const maxBytes = 32 * 1024 * 1024;

/** The text of a response, as far as the limit. */
async function readBody(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    if (length > maxBytes) {
      throw new Error(`it is longer than ${maxBytes} bytes`);
    }
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}

async function readHttps(address: string, { timeout, token, fetch }: NetworkOptions): Promise<ReadDocument> {
  const { protocol, hostname } = new URL(address);
  if (protocol !== 'https:') {
    throw new Error('only https addresses are read');
  }
  const headers: Record<string, string> = { 'User-Agent': 'porchlight-almanac-watch', Accept: '*/*' };
  if (token !== null && hostname === 'api.github.com') {
    headers['Authorization'] = `Bearer ${token}`;
  }
  try {
    const response = await fetch(address, { headers, signal: AbortSignal.timeout(timeout) });
    if (!response.ok) {
      throw new Error(`it answered ${response.status}`);
    }
    return { text: await readBody(response), version: null };
  } catch (error) {
    if (error instanceof DOMException && error.name === 'TimeoutError') {
      throw new Error(`it did not answer within ${timeout / 1000} seconds`);
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : null;
    throw cause === null ? error : new Error(`it could not be reached: ${cause}`);
  }
}

const Packed = z
  .array(z.looseObject({ version: z.string(), filename: z.string().regex(/^[A-Za-z0-9._-]+\.tgz$/) }))
  .min(1);

/** A file of the newest version of a package, through the npm client that is installed. No script of the package runs. */
async function readNpm(address: string, { timeout }: NetworkOptions): Promise<ReadDocument> {
  const [, name, file] = /^npm:((?:@[a-z0-9-]+\/)?[a-z0-9.-]+)\/([A-Za-z0-9._-]+)$/.exec(address) ?? [];
  if (name === undefined || file === undefined) {
    throw new Error('it is not of the form npm:<package>/<file>');
  }
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-watch-'));
  const limits = { timeout: timeout * 3, maxBuffer: maxBytes };
  const { stdout } = await run(
    'npm',
    ['pack', `${name}@latest`, '--json', '--ignore-scripts', '--pack-destination', folder.path],
    limits,
  );
  const [packed] = parseJson(stdout, Packed);
  const archive = packed?.filename ?? '';
  await run('tar', ['-xzf', join(folder.path, archive), '-C', folder.path, `package/${file}`], limits);
  return { text: await readFile(join(folder.path, 'package', file), 'utf8'), version: packed?.version ?? null };
}

export interface NetworkOptions {
  /** Milliseconds that one document may take. */
  timeout: number;
  /** A token for api.github.com, which allows more requests an hour; sent to that host alone. */
  token: string | null;
  /** Node's fetch, or a stand-in of a test. */
  fetch: typeof fetch;
}

/** Reads documents where they are published. */
export const createNetworkReader =
  (options: NetworkOptions): DocumentReader =>
  (address) =>
    address.startsWith('npm:') ? readNpm(address, options) : readHttps(address, options);

const CopyIndex = z.record(
  z.string(),
  z.union([
    z.strictObject({ file: z.string().regex(/^[A-Za-z0-9._-]+$/) }),
    z.strictObject({ problem: z.string().min(1) }),
  ]),
);

/**
 * Reads documents from a folder of recorded copies. Its `index.json` says for each address which file holds the copy, or what
 * went wrong when it was recorded.
 */
export async function createCopyReader(folder: string): Promise<DocumentReader> {
  const index = parseJson(await readFile(join(folder, 'index.json'), 'utf8'), CopyIndex);
  return async (address) => {
    const copy = Object.hasOwn(index, address) ? index[address] : undefined;
    if (copy === undefined) {
      throw new Error('there is no recorded copy of it');
    }
    if ('problem' in copy) {
      throw new Error(copy.problem);
    }
    return { text: await readFile(join(folder, copy.file), 'utf8'), version: null };
  };
}
