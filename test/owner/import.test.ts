import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { entryAt, listAt } from '../support/guestbook-client.ts';
import { done, fails, folder, origin, owner, write } from './served.ts';

test('import takes older entries over, cleaned, without provenance, in tier n/a', async () => {
  const file = join(folder, 'export.json');
  const old = (id: string, members: object = {}) => ({
    ...{ id, name: 'Old friend', message: 'From before.', model: null, visitor_type: 'agent', user_agent: 'x/1' },
    ...{ signed_at: '2026-07-01T08:00:00.000Z', url: 'https://elsewhere.example', ...members },
  });
  const hostile = old('00000000000b', { name: 'A\u202eB', message: 'hidden\u{e0041}\u001b[2J', signals: ['x'] });
  await writeFile(file, JSON.stringify({ entries: [old('00000000000a'), hostile] }));
  assert.match(await done('import', file), /^2 entries imported, 0 skipped/);
  assert.match(await done('import', file), /^0 entries imported, 2 skipped/);
  const { entries } = (await listAt(origin)).body;
  const found = (id: string) => entries.find((each) => each.id === id);
  assert.deepEqual(
    [found('00000000000a')?.identity.tier, found('00000000000a')?.provenance, found('00000000000a')?.review.state],
    ['n/a', undefined, 'awaiting'],
  );
  assert.deepEqual([found('00000000000b')?.name, found('00000000000b')?.message], ['AB', 'hidden']);
  assert.deepEqual(
    entries.map(({ signed_at }) => signed_at),
    entries
      .map(({ signed_at }) => signed_at)
      .sort()
      .reverse(),
  );

  await writeFile(file, JSON.stringify([old('00000000000c', { signed_at: '2026-10-01T08:00:00Z' })]));
  await fails(1, /Entry 1 of the import.*only older entries/, 'import', file);
  await writeFile(file, '{"entries": 3}');
  await fails(1, /neither an array/, 'import', file);
  await fails(1, /cannot be read as JSON/, 'import', join(folder, 'missing.json'));

  await fails(2, /--reason is missing/, 'withdraw', '00000000000b');
  await done('withdraw', '00000000000b', '--reason', 'Its writer asked by mail.');
  assert.equal((await entryAt(origin, '00000000000b')).status, 404);
});

test('import cleans what an owner is said to have written, and refuses a moment that cannot be stored', async () => {
  const file = join(folder, 'others.json');
  const old = (id: string, members: object) => ({
    ...{ id, name: 'Old friend', message: 'From before.', model: null, visitor_type: 'agent', user_agent: 'x/1' },
    ...{ signed_at: '2026-07-01T08:00:00.000Z', ...members },
  });
  const at = '2026-07-02';
  const link = { what: 'a\u001b[2Jb', url: 'https://example.org/' };
  const reply = { by: 'Sam\u202e', drafted_by: 'Sam\u0007', at, text: 'Hello\u001b[31m', links: [link] };
  const label = { label: 'off-topic', reason: 'It\u202e is', by: 'Sam\u0000', at };
  await writeFile(
    file,
    JSON.stringify([
      old('0000000000c1', { host_reply: reply }),
      old('0000000000c2', { label, review: { state: 'labelled' } }),
    ]),
  );
  assert.match(await done('import', file), /^2 entries imported/);
  const { host_reply } = (await entryAt(origin, '0000000000c1')).body.entry;
  assert.deepEqual(host_reply, {
    ...{ by: 'Sam', drafted_by: 'Sam', at, text: 'Hello' },
    links: [{ ...link, what: 'ab' }],
  });
  assert.deepEqual((await entryAt(origin, '0000000000c2')).body.entry.label, { ...label, reason: 'It is', by: 'Sam' });
  await writeFile(file, JSON.stringify([old('0000000000c3', { signed_at: '0000-01-01T00:00:00+14:00' })]));
  await fails(1, /Entry 1 of the import is not valid: .*signed_at/s, 'import', file);
});

test('ten thousand older entries are imported at once, and two owners at the same moment both get an answer', async () => {
  const file = join(folder, 'many.json');
  const many = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ id: `e${index.toString(16).padStart(11, '0')}`, name: 'Old friend', message: `Entry ${index}`, model: null },
    ...{ visitor_type: 'agent', user_agent: 'x/1', signed_at: new Date(1.7e12 + index * 1000).toISOString() },
  }));
  await writeFile(file, JSON.stringify(many));
  assert.match(await done('import', file), /^10000 entries imported, 0 skipped.*, 9\d{3} of the imported ones dropped/);
  const { totals } = (await listAt(origin)).body;
  assert.equal(totals.total, 500);
  const id = await write('For two owners.');
  const codes = await Promise.all([owner('clear', id), owner('label', id, 'off-topic', '--reason', 'x')]);
  assert.deepEqual(codes.map(({ code }) => code).sort(), [0, 1]);
});
