import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toChecksCsv } from '#api/audits/checks-csv.ts';
import { auditSite } from '../audit/audited.ts';
import { bareSite } from '../audit/sites.ts';

const { report } = await auditSite(bareSite);

/** Reads CSV as RFC 4180 has it. */
function parse(csv: string): string[][] {
  const rows: string[][] = [];
  for (const line of csv.match(/(?:"(?:[^"]|"")*"|[^"\r\n]|)+\r\n/g) ?? []) {
    rows.push(
      [...line.trimEnd().matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^",]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? '',
      ),
    );
  }
  return rows;
}

test('every check of a report is a row, with its fix', () => {
  const [head, ...rows] = parse(toChecksCsv(report));
  assert.deepEqual(head?.slice(0, 4), ['check', 'technique', 'status', 'points']);
  assert.deepEqual(
    rows.map(([id, technique, status]) => [id, technique, status]),
    report.checks.map(({ id, technique, status }) => [id, technique, status]),
  );
  assert.ok(rows.every((row) => row.length === head?.length));
  const [failed] = report.checks.filter(({ status }) => status === 'fail');
  assert.ok(rows.some((row) => row.includes(failed?.fix?.text ?? 'no fix')));
});

test('what a spreadsheet would run stays text', () => {
  const [check] = report.checks;
  assert.ok(check);
  for (const title of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', 'a "b", c\r\nd']) {
    const csv = toChecksCsv({ checks: [{ ...check, title }] });
    const field = parse(csv)[1]?.[5];
    assert.equal(field, /^[=+\-@\t]/.test(title) ? `'${title}` : title);
  }
});
