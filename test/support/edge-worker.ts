import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { readConfig } from '#api/config.ts';
import { writeEdgeFolder } from '../../scripts/support/build/edge/folder.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { startWorkerd } from '../../scripts/support/workerd.ts';

/** The folder for Cloudflare of the site that the test command has built; it's removed when the tests of the file are over. */
export async function writeWorkerFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-edge-'));
  after(() => rm(folder, { recursive: true, force: true }));
  await writeEdgeFolder('cloudflare', { ...readConfig(), origin: null }, join(folder, 'cloudflare'));
  return folder;
}

/** Runs a written worker in workerd, in front of a service or of nothing. Resolves with its origin. */
export async function startWorker(
  folder: string,
  { origin, secret = '' }: { origin: string; secret?: string },
): Promise<string> {
  const port = await freePort();
  const workerd = await startWorkerd({
    ...{ folder, port, script: 'cloudflare/worker.js', assets: { folder: join(folder, 'cloudflare/files') } },
    variables: { ORIGIN: origin, EDGE_SECRET: secret },
  });
  after(() => workerd.stop());
  return `http://127.0.0.1:${port}`;
}
