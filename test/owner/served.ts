import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { ownerCommand } from '../../scripts/owner.ts';
import { goodSite, openSite } from '../audit/sites.ts';
import { runHere } from '../support/command.ts';
import { signAt } from '../support/guestbook-client.ts';
import { startOwnService } from '../support/own-service.ts';

export const site = await openSite(goodSite);
after(() => site.close());
export const { origin, config } = await startOwnService({
  environment: { OWNER_NAME: 'Olive Owner', AUDIT_ALLOW_HOSTS: site.host },
});
export const folder = await mkdtemp(join(tmpdir(), 'owner-'));
after(() => rm(folder, { recursive: true, force: true }));
export const socket = join(config.dataDir, 'owner.sock');
export const script = join(import.meta.dirname, '../../scripts/owner.ts');

export const env = { DATA_DIR: config.dataDir, OWNER_NAME: 'Olive Owner' };

/** Runs the owner's command against the service of this file. */
export const owner = (...args: string[]) => runHere(ownerCommand, args, { cwd: folder, env });

export async function done(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await owner(...args);
  assert.equal(code, 0, stderr);
  return stdout;
}

export async function fails(code: number, says: RegExp, ...args: string[]): Promise<void> {
  const result = await owner(...args);
  assert.equal(result.code, code, result.stdout + result.stderr);
  assert.match(result.stderr, says);
  assert.doesNotMatch(result.stderr, /\n\s+at /, 'no stack trace');
}

export const write = async (message: string): Promise<string> =>
  (await signAt(origin, { name: 'Ada', message })).body.id;
