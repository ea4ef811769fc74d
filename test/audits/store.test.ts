import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it, test } from 'node:test';
import { z } from 'zod';
import type { AuditResult } from '#api/audits/history.ts';
import { type Audits, auditsPolicy, createAudits, openAudits, type RecordedAbout } from '#api/audits/store.ts';

const folder = mkdtempSync(join(tmpdir(), 'audits-'));
after(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'audits.json');

const report = z.strictObject({ score: z.int(), text: z.string() });
type Report = z.infer<typeof report>;
const start = Date.parse('2026-11-21T12:00:00Z');
const now = () => new Date(start);

const result: AuditResult = { audited_at: '2026-11-21T12:00:00.000Z', score: 60, grade: 'C', rubric: '1', causes: [] };

/** What is recorded of a home page that was found where it was looked for. */
const at = (page: string, kept: AuditResult | null = result): RecordedAbout => ({
  home: page,
  asked: page,
  result: kept,
});

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
    assert.equal(audits.get('https://one.example/'), null);
    assert.equal(await audits.record(at('https://one.example/'), { score: 60, text: 'first' }), true);
    clock += 59_999;
    assert.deepEqual(audits.get('https://one.example/'), {
      report: { score: 60, text: 'first' },
      recorded_at: '2026-11-21T12:00:00.000Z',
      ageSeconds: 59,
    });
    await audits.record(at('https://two.example/'), { score: 10, text: '' });
    clock += 1000;
    await audits.record(at('https://one.example/'), { score: 80, text: 'second \ud83d\udd26 </script>' });
    assert.equal(audits.get('https://one.example/')?.report.score, 80);
    assert.deepEqual(audits.list(), [
      { home: 'https://one.example/', recorded_at: '2026-11-21T12:01:00.999Z' },
      { home: 'https://two.example/', recorded_at: '2026-11-21T12:00:59.999Z' },
    ]);
    assert.equal(changes, 3);
    clock = start;
    assert.equal(audits.get('https://one.example/')?.ageSeconds, 0);
    await audits.close();
  });
}

test('reports outlive a restart; one of an earlier shape is as none', async () => {
  const audits = await openAudits({ file, report, now });
  assert.equal(audits.get('https://one.example/')?.report.text, 'second \ud83d\udd26 </script>');
  await audits.close();
  const newer = await openAudits({ file, report: report.extend({ rubric: z.string() }), now });
  assert.equal(newer.get('https://one.example/'), null);
  await newer.record(at('https://one.example/'), { score: 81, text: '', rubric: '2' });
  assert.equal(newer.get('https://one.example/')?.report.rubric, '2');
  await newer.close();
});

test('the newest 200 are kept', async () => {
  const audits = createAudits({ report, now });
  for (let index = 0; index < 205; index += 1) {
    await audits.record(at(`https://site-${index}.example/`), { score: 1, text: '' });
  }
  assert.equal(audits.list().length, auditsPolicy.maxReports);
  assert.equal(audits.list()[0]?.home, 'https://site-204.example/');
  assert.equal(audits.get('https://site-4.example/'), null);
  assert.notEqual(audits.get('https://site-5.example/'), null);
});

test('no more than fits into the bytes is kept, the newest first, and no report that is too long', async () => {
  const audits = createAudits({ report, now });
  const text = 'é'.repeat(125 * 1024);
  const size = Buffer.byteLength(JSON.stringify({ score: 1, text }));
  for (let index = 0; index < 40; index += 1) {
    assert.equal(await audits.record(at(`https://site-${index}.example/`), { score: 1, text }), true);
  }
  assert.equal(audits.list().length, Math.floor(auditsPolicy.maxBytes / size));
  assert.equal(audits.list()[0]?.home, 'https://site-39.example/');

  const long = { score: 1, text: 'é'.repeat(auditsPolicy.maxReportBytes / 2) };
  assert.equal(await audits.record(at('https://site-39.example/'), long), false);
  assert.equal(audits.get('https://site-39.example/')?.report.text, text);
});

test('what is no address of a page is refused', async () => {
  const audits = createAudits({ report, now });
  for (const wrong of ['', 'one.example', 'file:///etc/passwd', 'javascript:alert(1)']) {
    await assert.rejects(audits.record(at(wrong), { score: 1, text: '' }), /is not the address of a page/);
  }
  assert.equal(await audits.record(at('http://127.0.0.1:8080/'), { score: 1, text: '' }), true);
});

describe('which report an address is answered with', async () => {
  const audits = createAudits({ report, now });
  const keep = (home: string, asked: string, text: string) =>
    audits.record({ home, asked, result }, { score: 1, text });
  const textAt = (url: string) => audits.get(url)?.report.text;
  await keep('https://www.one.example/', 'http://one.example/', 'home');
  await keep('https://www.one.example/docs/a', 'https://www.one.example/docs/a', 'page');
  await keep('https://www.one.example/?page=2', 'https://www.one.example/?page=2', 'query');
  await keep('https://project.example/base/', 'https://moved.example/', 'below');
  for (const [url, expected] of [
    ['https://www.one.example/', 'home'],
    ['https://www.one.example/index.html', 'home'],
    ['https://www.one.example/#top', 'home'],
    ['http://one.example/', 'home'],
    ['https://one.example/', 'home'],
    ['https://www.one.example/?page=2', 'query'],
    ['https://www.one.example/docs/a', 'page'],
    ['https://www.one.example/never-audited', 'home'],
    ['https://moved.example/', 'below'],
    ['https://project.example/', 'below'],
    ['https://other.example/', undefined],
    ['https://sub.one.example/', undefined],
  ] as const) {
    it(`${url}: ${expected}`, () => assert.equal(textAt(url), expected));
  }
});

test('a report of another page, or one that could judge too little, replaces no full one of the home page', async () => {
  const audits = createAudits({ report, now });
  const home = 'https://one.example/';
  const textAt = (url: string) => audits.get(url)?.report.text;
  assert.equal(await audits.record(at(home, null), { score: 20, text: 'provisional' }), true);
  assert.equal(await audits.record(at(home), { score: 60, text: 'full' }), true);
  assert.equal(await audits.record(at(home, null), { score: 20, text: 'provisional again' }), false);
  assert.equal(textAt(home), 'full');
  for (let index = 0; index < 20; index += 1) {
    await audits.record(at(`https://one.example/missing-${index}`), { score: 10, text: `page ${index}` });
    await audits.record(at(`https://one.example/?v=${index}`), { score: 10, text: `query ${index}` });
  }
  assert.equal(textAt(home), 'full');
  assert.equal(audits.list().length, auditsPolicy.maxReportsOfOrigin);
  assert.equal(await audits.record(at(home), { score: 70, text: 'newer' }), true);
  assert.equal(textAt(home), 'newer');
});

test('the last 20 results of a page are kept, whether or not their reports are', async () => {
  const audits = createAudits({ report, now });
  const home = 'https://one.example/';
  const long = { score: 1, text: 'é'.repeat(auditsPolicy.maxReportBytes / 2) };
  for (let score = 0; score < 25; score += 1) {
    await audits.record(at(`${home}index.html`, { ...result, score }), long);
  }
  await audits.record(at(home, null), { score: 99, text: 'provisional' });
  assert.deepEqual(
    audits.results(home).map(({ score }) => score),
    Array.from({ length: 20 }, (_, index) => 24 - index),
  );
  assert.deepEqual(audits.results('https://two.example/'), []);
});

test('a store of version 1 is taken over: the reports by where their pages were found', async () => {
  const old = join(folder, 'old.json');
  const stored = (origin: string, url: string, final_url: string, provisional: boolean) => {
    const text = JSON.stringify({ url, final_url, provisional });
    return { origin, recorded_at: '2026-11-20T12:00:00.000Z', report: text, bytes: text.length };
  };
  const audits = [
    stored('https://one.example', 'https://one.example/', 'https://www.one.example/', false),
    stored('https://two.example', 'https://two.example/', 'https://two.example/', true),
  ];
  writeFileSync(old, JSON.stringify({ version: 1, sequence: 0, state: { audits } }), { mode: 0o600 });
  const any = z.object({ final_url: z.string() });
  const opened = await openAudits({ file: old, report: any, now });
  assert.equal(opened.get('https://one.example/')?.report.final_url, 'https://www.one.example/');
  assert.equal(await opened.record(at('https://www.one.example/', null), { final_url: 'x' }), false);
  assert.equal(await opened.record(at('https://two.example/', null), { final_url: 'y' }), true);
  assert.deepEqual(opened.results('https://www.one.example/'), []);
  await opened.close();
});
