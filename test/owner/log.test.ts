import assert from 'node:assert/strict';
import { appendFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openOwnerLog } from '#api/owner/log.ts';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';

const folder = mkdtempSync(join(tmpdir(), 'owner-log-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'data', 'owner.log');
const now = () => new Date('2026-11-21T12:00:00Z');
const act = { by: 'Owner', action: 'clear', entry: '0123456789ab', reason: null };

test('acts are appended in order, one JSON line each, and read again', async () => {
  const log = await openOwnerLog({ file, now });
  const acts = await Promise.all(['a', 'b', 'c'].map((reason) => log.append({ ...act, reason })));
  assert.deepEqual(acts[0], { time: '2026-11-21T12:00:00.000Z', ...act, reason: 'a' });
  assert.deepEqual(await log.read(), acts);
  assert.throws(() => log.append({ ...act, by: '' }));
  await assert.rejects(openOwnerLog({ file, now }), /is locked/);
  await log.close();
  assert.equal(readFileSync(file, 'utf8'), acts.map((line) => `${JSON.stringify(line)}\n`).join(''));
  assert.equal(statSync(file).mode & 0o777, 0o600);
});

test('a torn line is left where it is, and the next act stands on a line of its own', async () => {
  appendFileSync(file, '{"time":"2026-');
  const log = await openOwnerLog({ file, now });
  await log.append({ ...act, reason: 'd' });
  assert.deepEqual(
    (await log.read()).map(({ reason }) => reason),
    ['a', 'b', 'c', 'd'],
  );
  await log.close();
  assert.ok(readFileSync(file, 'utf8').includes('{"time":"2026-\n{'));
});

test('a place that cannot hold the file is StorageUnavailable', async () => {
  writeFileSync(join(folder, 'taken'), '');
  await assert.rejects(openOwnerLog({ file: join(folder, 'taken', 'owner.log'), now }), StorageUnavailable);
});
