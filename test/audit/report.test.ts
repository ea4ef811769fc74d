import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { checks } from '#api/audit/checks/index.ts';
import { auditReport, toReport } from '#api/audit/report.ts';
import { rubricGroups } from '#api/audit/rubric.ts';
import { type Audit, parseRecording } from '#api/audit/run.ts';
import { auditSite } from './audited.ts';
import { judgedSites } from './judged-sites.ts';

const golden = join(import.meta.dirname, '../fixtures/audit-verdicts.json');
const capabilities = new Set(Object.keys(rubricGroups.capabilities.checks));

/** Checks that no other check counts for, and that don't apply where there's nothing for them to judge. */
const mayHaveNothing = new Set([
  'https',
  'hsts',
  'image-alternatives',
  'forms-without-scripts',
  'named-controls',
  'llms-txt-links',
  'llms-txt-markdown',
]);

const audits = new Map<string, Awaited<ReturnType<typeof auditSite>>>();
for (const [name, { answer }] of Object.entries(judgedSites)) {
  audits.set(name, await auditSite(answer));
}

const verdictsOf = ({ report }: Audit): Record<string, unknown> => ({
  score: report.score,
  full_score: report.full_score,
  coverage: report.coverage,
  cap: report.cap === null ? null : `${report.cap.score} by ${report.cap.check}`,
  certifiable: report.certifiable,
  site_type: report.site_type.id,
  ...Object.fromEntries(report.checks.map(({ id, status }) => [id, status])),
});

if (process.env['UPDATE_FIXTURES'] === '1') {
  const verdicts = Object.fromEntries([...audits].map(([name, one]) => [name, verdictsOf(one)]));
  writeFileSync(golden, `${JSON.stringify(verdicts, null, 2)}\n`);
}
const expected = existsSync(golden)
  ? (JSON.parse(readFileSync(golden, 'utf8')) as Record<string, Record<string, unknown>>)
  : {};

describe('each site gets the verdicts that were written down', () => {
  for (const [name, one] of audits) {
    test(`${name}: ${judgedSites[name]?.what}`, () => assert.deepEqual(verdictsOf(one), expected[name]));
  }

  test('no verdict is left over', () => assert.deepEqual(Object.keys(expected), [...audits.keys()]));
});

describe('each plan', () => {
  for (const [name, { report }] of audits) {
    test(`${name}: clears each finding once, and adds up to 100`, () => {
      const found = report.checks.filter(({ status }) => status === 'partial' || status === 'fail').map(({ id }) => id);
      const cleared = report.plan.flatMap(({ findings }) => findings);
      assert.deepEqual(cleared.toSorted(), found.toSorted());
      const gained = report.plan.reduce((sum, { points }) => sum + points, 0);
      assert.equal(report.score + gained, report.plan.at(-1)?.score_after ?? report.score);
      assert.equal(report.plan.at(-1)?.score_after ?? 100, 100);
    });

    test(`${name}: a finding names one of the causes of its check, and an absence is counted by a failure`, () => {
      for (const { id, status, cause, counted_by } of report.checks) {
        const isShort = status === 'partial' || status === 'fail';
        assert.equal(cause !== null, isShort, id);
        assert.ok(
          cause === null || checks.find((check) => check.id === id)?.causes.some((one) => one === cause),
          `${id}: ${cause}`,
        );
        const counting = report.checks.find((check) => check.id === counted_by);
        assert.ok(
          counted_by === null || (status === 'not-applicable' && counting?.status === 'fail'),
          `${id}: ${counted_by}`,
        );
      }
    });
  }
});

const orderOf = ({ id }: { id: string }): number => checks.findIndex((check) => check.id === id);

describe('each report', () => {
  for (const [name, { report, evidence, told }] of audits) {
    test(`${name}: has the form of the schema, and what was told of a check early is what the report says`, () => {
      assert.deepEqual(auditReport.parse(report), report);
      const isRead = evidence.exchanges['home']?.outcome === 'ok';
      const inOrder = told.toSorted((one, other) => orderOf(one) - orderOf(other));
      assert.deepEqual(inOrder, isRead ? report.checks : []);
    });

    test(`${name}: comes out the same, byte for byte, of the recording`, () => {
      const text = JSON.stringify(report);
      assert.equal(JSON.stringify(toReport(evidence)), text);
      assert.equal(JSON.stringify(toReport(parseRecording(JSON.stringify(evidence)))), text);
    });

    test(`${name}: no check failed by itself, and each says what it looked at`, () => {
      for (const { id, status, evidence: lines, fix } of report.checks) {
        assert.ok(lines.length > 0, `${id} has no evidence`);
        assert.ok(!lines.some(({ note }) => note.includes('The check itself failed')), `${id}: ${lines[0]?.note}`);
        assert.equal(fix !== null, status === 'partial' || status === 'fail', id);
      }
    });

    test(`${name}: what leaves the sum is a capability, has nothing to look at, or is of a host without pages`, () => {
      const left = report.checks
        .filter(({ status, counted_by }) => status === 'not-applicable' && counted_by === null)
        .map(({ id }) => id);
      const others = left.filter((id) => !capabilities.has(id) && !mayHaveNothing.has(id));
      assert.ok(
        others.length === 0 || report.site_type.id === 'api',
        `${others.join(', ')}: name the check that counts the absence (absent), or list it in mayHaveNothing`,
      );
    });
  }
});

test('a perfect site scores 100 and is certified', () => {
  const report = audits.get('perfect')?.report;
  assert.deepEqual(
    report?.checks.filter(({ status }) => status !== 'pass').map(({ id, status }) => [id, status]),
    [
      ['https', 'not-applicable'],
      ['hsts', 'not-applicable'],
      ['oauth-metadata', 'not-applicable'],
    ],
  );
  assert.equal(report?.score, 100);
  assert.equal(report?.coverage, 1);
  assert.equal(report?.certifiable, true);
  assert.equal(report?.grade, 'exemplary');
});

test('many findings are told while requests are still on their way', async () => {
  const { toldMeanwhile } = await auditSite(judgedSites['perfect']?.answer ?? assert.fail(), { delayMs: 30 });
  assert.ok(toldMeanwhile > 10, `${toldMeanwhile} of ${checks.length}`);
});

test('a dead advertisement scores below silence', () => {
  assert.ok((audits.get('dead-advertisements')?.report.score ?? 100) < (audits.get('museum')?.report.score ?? 0));
});

test('an audit that its caller gives up ends with the reason', async () => {
  const reason = new Error('Nobody waits any more.');
  await assert.rejects(
    auditSite(() => ({ body: 'slow' }), { signal: AbortSignal.abort(reason) }),
    { name: 'AbortError', cause: reason },
  );
});

test('what is no recording is said where', () => {
  assert.throws(() => parseRecording('{'), /The recording is not JSON/);
  assert.throws(() => parseRecording('{"format":2}'), /not readable at format/);
});
