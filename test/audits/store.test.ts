import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { z } from 'zod';
import { type Audits, auditsPolicy, createAudits, openAudits } from '#api/audits/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'audits-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'audits.json');

const report = z.strictObject({ score: z.int(), text: z.string() });
type Report = z.infer<typeof report>;
const start = Date.parse('2026-11-21T12:00:00Z');
const now = () => new Date(start);

const kinds: [string, (now: () => Date) => Promise<Audits<Report>>][] = [
  ['in memory', async (clock) => createAudits({ report, now: clock })],
  ['on disk', (clock) => openAudits({ file, report, now: clock })],
];
for (const [kind, open] of kinds) {
  test(`the last report on a site is kept, with its age ${kind}`, async () => {
    let clock = start;
    const audits = await open(() => new Date(clock));
    let changes = 0;
    audits.onChange(() => {
      changes += 1;
    });
    assert.equal(audits.get('https://one.example'), null);
    assert.equal(await audits.record('https://one.example', { score: 60, text: 'first' }), true);
    clock += 59_999;
    assert.deepEqual(audits.get('https://one.example'), {
      report: { score: 60, text: 'first' },
      recorded_at: '2026-11-21T12:00:00.000Z',
      ageSeconds: 59,
    });
    await audits.record('https://two.example', { score: 10, text: '' });
    clock += 1000;
    await audits.record('https://one.example', { score: 80, text: 'second \ud83d\udd26 </script>' });
    assert.equal(audits.get('https://one.example')?.report.score, 80);
    assert.deepEqual(audits.list(), [
      { origin: 'https://one.example', recorded_at: '2026-11-21T12:01:00.999Z' },
      { origin: 'https://two.example', recorded_at: '2026-11-21T12:00:59.999Z' },
    ]);
    assert.equal(changes, 3);
    clock = start;
    assert.equal(audits.get('https://one.example')?.ageSeconds, 0);
    await audits.close();
  });
}

test('reports outlive a restart; one of an earlier shape is as none', async () => {
  const audits = await openAudits({ file, report, now });
  assert.equal(audits.get('https://one.example')?.report.text, 'second \ud83d\udd26 </script>');
  await audits.close();
  const newer = await openAudits({ file, report: report.extend({ rubric: z.string() }), now });
  assert.equal(newer.get('https://one.example'), null);
  await newer.record('https://one.example', { score: 81, text: '', rubric: '2' });
  assert.equal(newer.get('https://one.example')?.report.rubric, '2');
  await newer.close();
});

test('the newest 200 are kept', async () => {
  const audits = createAudits({ report, now });
  for (let index = 0; index < 205; index += 1) {
    await audits.record(`https://site-${index}.example`, { score: 1, text: '' });
  }
  assert.equal(audits.list().length, auditsPolicy.maxReports);
  assert.equal(audits.list()[0]?.origin, 'https://site-204.example');
  assert.equal(audits.get('https://site-4.example'), null);
  assert.notEqual(audits.get('https://site-5.example'), null);
});

test('no more than fits into the bytes is kept, the newest first, and no report that is too long', async () => {
  const audits = createAudits({ report, now });
  const text = 'é'.repeat(125 * 1024);
  const size = Buffer.byteLength(JSON.stringify({ score: 1, text }));
  for (let index = 0; index < 40; index += 1) {
    assert.equal(await audits.record(`https://site-${index}.example`, { score: 1, text }), true);
  }
  assert.equal(audits.list().length, Math.floor(auditsPolicy.maxBytes / size));
  assert.equal(audits.list()[0]?.origin, 'https://site-39.example');

  const long = { score: 1, text: 'é'.repeat(auditsPolicy.maxReportBytes / 2) };
  assert.equal(await audits.record('https://site-39.example', long), false);
  assert.equal(audits.get('https://site-39.example')?.report.text, text);
});

test('what is no origin is refused', async () => {
  const audits = createAudits({ report, now });
  for (const wrong of ['', 'one.example', 'https://one.example/', 'file:///etc/passwd', 'https://a@b.example']) {
    await assert.rejects(audits.record(wrong, { score: 1, text: '' }), /is not an origin/);
  }
  assert.equal(await audits.record('http://127.0.0.1:8080', { score: 1, text: '' }), true);
});
