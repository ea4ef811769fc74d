import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { toAuditFeed } from '#api/audits/feed.ts';
import { type AuditResult, auditHistory, changeBetween, toHistory } from '#api/audits/history.ts';

const result = (audited_at: string, score: number, causes: string[] = [], rubric = '2026-11-22'): AuditResult => ({
  audited_at,
  score,
  grade: 'Readable',
  rubric,
  causes,
});
const home = 'https://one.example/';

describe('what changed', () => {
  it('is told in points, in what was fixed and in what is new', () => {
    const change = changeBetween(
      result('2026-11-14T10:00:00.000Z', 60, ['no-llms-txt', 'no-sitemap', 'feed']),
      result('2026-11-22T10:00:00.000Z', 72, ['feed', 'soft-404']),
    );
    assert.equal(change.sentence, '+12 since 14 November, 2 fixed, 1 new');
    assert.equal(change.points, 12);
    assert.deepEqual(
      change.fixed.map(({ cause }) => cause),
      ['no-llms-txt', 'no-sitemap'],
    );
    assert.deepEqual(change.new, [{ cause: 'soft-404', title: 'Missing pages answer as if they existed' }]);
    assert.equal(change.same_rubric, true);
  });

  it('names the year of an earlier one, and the hour of the same day', () => {
    const now = result('2026-11-22T10:00:00.000Z', 50, [], '2');
    const before = result('2025-12-31T10:00:00.000Z', 53, [], '1');
    assert.equal(changeBetween(before, now).sentence, '−3 since 31 December 2025, 0 fixed, 0 new');
    assert.equal(changeBetween(before, now).same_rubric, false);
    assert.match(changeBetween(result('2026-11-22T08:30:00.000Z', 50), now).sentence, /^±0 since 08:30 UTC/);
  });

  it('a cause that a later version does not know keeps its id', () => {
    const { fixed } = changeBetween(
      result('2026-11-14T10:00:00.000Z', 1, ['gone']),
      result('2026-11-22T10:00:00.000Z', 2),
    );
    assert.deepEqual(fixed, [{ cause: 'gone', title: 'gone' }]);
  });
});

test('a history is told against the last result of an earlier day, else against the first of today', () => {
  const first = result('2026-11-14T10:00:00.000Z', 40);
  const second = result('2026-11-15T10:00:00.000Z', 50);
  const today = [result('2026-11-22T12:00:00.000Z', 70), result('2026-11-22T11:00:00.000Z', 60)];
  assert.equal(toHistory(home, []).change, null);
  assert.equal(toHistory(home, [first]).change, null);
  assert.equal(toHistory(home, today).change?.points, 10);
  const whole = auditHistory.parse(toHistory(home, [...today, second, first]));
  assert.equal(whole.change?.since, second.audited_at);
  assert.equal(whole.results.length, 4);
});

test('the feed has an entry for each result, with what changed', () => {
  const results = [
    result('2026-11-22T10:00:00.000Z', 72, ['feed']),
    result('2026-11-14T10:00:00.000Z', 60, ['feed', 'no-sitemap']),
  ];
  const xml = toAuditFeed(toHistory('https://one.example/?a=1&b=<x>', results), {
    baseUrl: 'https://porch.example',
    siteName: 'Porch & Light',
  });
  assert.match(xml, /<feed xmlns="http:\/\/www\.w3\.org\/2005\/Atom"/);
  assert.match(xml, /<updated>2026-11-22T10:00:00\.000Z<\/updated>/);
  assert.equal(xml.match(/<entry>/g)?.length, 2);
  assert.match(xml, /72 of 100: Readable/);
  assert.match(xml, /\+12 since 14 November, 1 fixed, 0 new; 1 to fix/);
  assert.match(xml, /<id>https:\/\/porch\.example\/audit\?url=https%3A%2F%2Fone\.example/);
  assert.doesNotMatch(xml, /<x>|Porch & Light/);
});
