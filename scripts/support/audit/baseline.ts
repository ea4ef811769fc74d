import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { AuditReport } from '#api/audit/report.ts';
import { UsageError } from '../command-line.ts';

const earlier = z.object({
  final_url: z.string(),
  score: z.int(),
  rubric: z.string(),
  checks: z.array(z.object({ id: z.string(), title: z.string(), status: z.string() })),
});
type Earlier = z.infer<typeof earlier>;
const earlierResults = z.union([earlier.transform((one) => [one]), z.array(earlier)]);

/** What changed between an earlier report on a site and this one. */
export interface Difference {
  url: string;
  before: number;
  after: number;
  /** Checks that are worse than before, with what was found. */
  worse: { id: string; title: string; from: string; to: string }[];
  better: { id: string; title: string; from: string; to: string }[];
  /** True when the two were judged by different rubrics, so that scores can't be compared. */
  rubricChanged: boolean;
}

const ranks: Record<string, number> = { fail: 0, partial: 1, pass: 2 };

/** Reads a result that `--format json` wrote. Throws UsageError. */
export async function readBaseline(file: string, cwd: string): Promise<Earlier[]> {
  const path = resolve(cwd, file);
  const text = await readFile(path, 'utf8').catch(() => {
    throw new UsageError(`There is no ${file}. Make it with --format json --output ${file}.`);
  });
  try {
    return earlierResults.parse(JSON.parse(text));
  } catch {
    throw new UsageError(`${file} isn't a result of --format json. Make it anew with --format json --output ${file}.`);
  }
}

/** Compares a report with the earlier one on the same address; null when there is none. Pure. */
export function differenceOf(report: AuditReport, baseline: readonly Earlier[]): Difference | null {
  const before = baseline.find(({ final_url }) => final_url === report.final_url);
  if (before === undefined) {
    return null;
  }
  const old = new Map(before.checks.map(({ id, status }) => [id, status]));
  const changes = report.checks.flatMap(({ id, title, status }) => {
    const from = old.get(id);
    const [was, is] = [ranks[from ?? ''], ranks[status]];
    return from === undefined || was === undefined || is === undefined || was === is
      ? []
      : [{ id, title, from, to: status, isWorse: is < was }];
  });
  const strip = ({ isWorse: _, ...change }: (typeof changes)[number]) => change;
  return {
    url: report.final_url,
    before: before.score,
    after: report.score,
    worse: changes.filter(({ isWorse }) => isWorse).map(strip),
    better: changes.filter(({ isWorse }) => !isWorse).map(strip),
    rubricChanged: before.rubric !== report.rubric,
  };
}
