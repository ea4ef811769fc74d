import type { AuditReport } from '../audit/report.ts';
import { toCsv } from '../text/csv.ts';

/** Where the checks of a report are a table. */
export const checksCsvPath = '/audit/checks.csv';

const columns = ['check', 'technique', 'status', 'points', 'weight', 'title', 'cause', 'fix', 'reference'] as const;

/** Every check of a report as a row, in the order of the report, under a line with the names of the columns. */
export const toChecksCsv = ({ checks }: Pick<AuditReport, 'checks'>): string =>
  toCsv([
    columns,
    ...checks.map(({ id, technique, status, points, weight, title, cause, fix, reference }) => [
      ...[id, technique, status, points, weight, title, cause],
      ...[fix?.text ?? null, reference.url],
    ]),
  ]);
