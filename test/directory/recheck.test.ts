import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { AuditService } from '#api/audits/service.ts';
import { dueMembers, isOverdue, openRechecker } from '#api/directory/recheck.ts';
import { createDirectory, toListingId } from '#api/directory/store.ts';
import { recheckPolicy } from '#api/directory/time.ts';
import { createCounters } from '#api/stores/counters.ts';

const url = 'https://one.example';
const id = toListingId(url);
const joined = Date.parse('2026-11-01T12:00:00.000Z');
const inDays = (days: number): number => joined + days * 24 * 60 * 60 * 1000;

type Ending = { score: number; certifiable?: boolean; final_url?: string } | 'unreachable' | 'busy';

/** A directory with one member, and audits that end as the test says. */
async function open() {
  let time = joined;
  let ending: Ending = { score: 90 };
  const asked: (string | null)[] = [];
  const faults: unknown[] = [];
  const now = () => new Date(time);
  const directory = createDirectory();
  await directory.put({
    url,
    score: 80,
    grade: 'ready',
    certified_at: new Date(joined).toISOString(),
    tier: 'standard',
  });
  const auditService = {
    toTarget: (text: string) => new URL(text),
    async start(target: URL, { client }: { client: string | null }) {
      asked.push(client);
      if (ending === 'busy') {
        throw new Error('The queue is full.');
      }
      if (ending === 'unreachable') {
        return { kind: 'unreachable', step: 'dns', sentence: 'It is gone.', ageSeconds: null };
      }
      const { score, certifiable = score >= 70, final_url = target.href } = ending;
      return { kind: 'report', ageSeconds: null, report: { score, certifiable, final_url, grade: 'ready' } };
    },
  } as unknown as AuditService;
  const parts = { directory, auditService, counters: createCounters({ now }), now };
  const rechecker = openRechecker({ ...parts, onError: (error) => faults.push(error) });
  return {
    directory,
    rechecker,
    asked,
    faults,
    parts,
    at(days: number, next: Ending): void {
      time = inDays(days);
      ending = next;
    },
  };
}

describe('members are audited again', () => {
  it('every 30 days, after everybody else, and one that passes has its new score', async () => {
    const { directory, rechecker, asked, at } = await open();
    at(recheckPolicy.everyDays - 1, { score: 95 });
    assert.equal(await rechecker.lookOnce(), null);
    at(recheckPolicy.everyDays, { score: 95 });
    assert.deepEqual(await rechecker.lookOnce(), { id, outcome: 'kept' });
    assert.deepEqual(asked, [null]);
    const listed = directory.get(id);
    assert.equal(listed?.score, 95);
    assert.equal(listed?.checked_at, new Date(inDays(30)).toISOString());
    assert.equal(await rechecker.lookOnce(), null);
    await rechecker.close();
  });

  it('one that fails is marked, and leaves with the first failure after 90 days', async () => {
    const { directory, rechecker, at } = await open();
    for (const [days, ending, outcome] of [
      [30, { score: 40 }, 'marked'],
      [60, 'unreachable', 'marked'],
      [90, { score: 99, certifiable: false }, 'marked'],
      [120, { score: 95, final_url: 'https://elsewhere.example/' }, 'delisted'],
    ] as const) {
      at(days, ending);
      assert.deepEqual(await rechecker.lookOnce(), { id, outcome }, String(days));
      const listed = directory.get(id);
      assert.equal(listed?.below_since, outcome === 'delisted' ? undefined : new Date(inDays(30)).toISOString());
      assert.equal(listed?.score, outcome === 'delisted' ? undefined : 80);
    }
    await rechecker.close();
  });

  it('one that passes again loses its mark', async () => {
    const { directory, rechecker, at } = await open();
    at(30, { score: 40 });
    await rechecker.lookOnce();
    at(60, { score: 71 });
    assert.equal((await rechecker.lookOnce())?.outcome, 'kept');
    assert.equal(directory.get(id)?.below_since, null);
    await rechecker.close();
  });

  it('an audit that could not be made says nothing about the site, and is made an hour later', async () => {
    const { directory, rechecker, faults, at } = await open();
    at(30, 'busy');
    assert.equal((await rechecker.lookOnce())?.outcome, 'later');
    assert.equal(directory.get(id)?.below_since, null);
    assert.equal(faults.length, 1);
    assert.equal(await rechecker.lookOnce(), null, 'not at once');
    at(30 + 1 / 24, { score: 90 });
    assert.equal((await rechecker.lookOnce())?.outcome, 'kept');
    await rechecker.close();
  });

  it('a member whose audit could not be made keeps nobody waiting', async () => {
    const { directory, rechecker, at } = await open();
    const two = 'https://two.example';
    const joinedLater = new Date(inDays(1)).toISOString();
    await directory.put({ url: two, score: 80, grade: 'ready', certified_at: joinedLater, tier: 'standard' });
    at(31, 'busy');
    assert.deepEqual(await rechecker.lookOnce(), { id, outcome: 'later' });
    at(31, { score: 90 });
    assert.deepEqual(await rechecker.lookOnce(), { id: toListingId(two), outcome: 'kept' });
    assert.equal(await rechecker.lookOnce(), null);
    await rechecker.close();
  });

  it('of two instances one audits a member', async () => {
    const { rechecker, parts, asked, at } = await open();
    const other = openRechecker({ ...parts, onError: assert.fail });
    at(30, { score: 40 });
    await Promise.all([rechecker.lookOnce(), other.lookOnce()]);
    assert.equal(asked.length, 1);
    await Promise.all([rechecker.close(), other.close()]);
  });

  it('the owner can have one audited at any time', async () => {
    const { rechecker, at } = await open();
    at(1, { score: 10 });
    assert.deepEqual(await rechecker.check(id), { id, outcome: 'marked' });
    assert.equal(await rechecker.check('000000000000'), null);
    await rechecker.close();
  });
});

describe('who is due', async () => {
  const { directory, rechecker } = await open();
  await rechecker.close();
  await directory.put({
    url: 'https://two.example',
    score: 70,
    grade: 'ready',
    certified_at: new Date(inDays(-5)).toISOString(),
    tier: 'standard',
  });
  const all = directory.list();

  it('is the one that has waited longest', () => {
    const dueAfter = (days: number) => dueMembers(all, new Date(inDays(days))).map((each) => each.url);
    assert.deepEqual(dueAfter(24), []);
    assert.deepEqual(dueAfter(25), ['https://two.example']);
    assert.deepEqual(dueAfter(60), ['https://two.example', url]);
  });

  it('is never overdue while it passes', () => {
    assert.ok(all.every((each) => !isOverdue(each, new Date(inDays(1000)))));
  });
});
