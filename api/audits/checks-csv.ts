import type { AuditReport } from '../audit/report.ts';

/** Where the checks of a report are a table. */
export const checksCsvPath = '/audit/checks.csv';

const columns = ['check', 'technique', 'status', 'points', 'weight', 'title', 'cause', 'fix', 'reference'] as const;

/**
 * A field of a CSV file (RFC 4180). What a spreadsheet would read as a formula gets an apostrophe in front: the report holds
 * words of the audited site.
 */
function toField(value: string | number | null): string {
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Every check of a report as a row of CSV, in the order of the report, under a line with the names of the columns. */
export const toChecksCsv = ({ checks }: Pick<AuditReport, 'checks'>): string =>
  [
    columns,
    ...checks.map(({ id, technique, status, points, weight, title, cause, fix, reference }) => [
      ...[id, technique, status, points, weight, title, cause],
      ...[fix?.text ?? null, reference.url],
    ]),
  ]
    .map((row) => `${row.map(toField).join(',')}\r\n`)
    .join('');
