import { packageFile, runNode } from '../../../test/support/command.ts';
import { type AuditorResult, limitMs, noResult, type Outcome, withoutAddress } from './auditor.ts';

interface Report {
  results: { id: string; status: string; message: string }[];
  scoring: { overall: number; grade: string };
}

const outcomes: Record<string, Outcome> = {
  pass: 'pass',
  warn: 'partial',
  fail: 'fail',
  skip: 'not-applicable',
  error: 'no-result',
};

/**
 * Runs afdocs over a site, with no pause between requests. It follows no links: where llms.txt and sitemap name fewer than
 * five pages it leaves 20 of its checks out of the score. So it gets the paths that our audit looked at; without any, it
 * takes all pages that it finds, in the order of their addresses.
 */
export async function runAfdocs(origin: string, paths: readonly string[]): Promise<AuditorResult> {
  const { code, stdout, stderr } = await runNode(
    packageFile('afdocs', 'bin/afdocs.mjs'),
    [
      ...['check', origin, '--format', 'json', '--score', '--quiet'],
      ...(paths.length === 0
        ? ['--sampling', 'deterministic']
        : ['--urls', paths.map((path) => `${origin}${path}`).join(',')]),
      ...['--request-delay', '0'],
    ],
    { timeoutMs: limitMs },
  );
  if (code === null) {
    return noResult(`It did not end within ${limitMs / 1000} seconds.`);
  }
  if (!stdout.startsWith('{')) {
    return noResult(withoutAddress(stderr.slice(0, 200), origin));
  }
  const { results, scoring } = JSON.parse(stdout) as Report;
  return {
    score: scoring.overall,
    grade: scoring.grade,
    problem: null,
    checks: results.map(({ id, status, message }) => ({ id, outcome: outcomes[status] ?? 'no-result', note: message })),
  };
}
