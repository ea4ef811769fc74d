import { packageFile, runNode } from '../../../test/support/command.ts';
import { type AuditorResult, limitMs, noResult, withoutAddress } from './auditor.ts';

interface Report {
  score: number;
  rating: string;
  categories: Record<string, { checks: { name: string; passed: boolean; skipped: boolean; detail?: string }[] }>;
}

/** A module that makes Math.random of a Node.js process give the same numbers in each run, for its option --import. */
export const seededRandom = (seed: number): string =>
  `data:text/javascript,${encodeURIComponent(`let s = ${seed}; Math.random = () => (s = (s * 16807) % 2147483647) / 2147483647;`)}`;

/**
 * Runs @vercel/agent-readability over a site. It looks at five pages that it draws at random; the draw is the same in
 * each run. Its checks have no ids but names.
 */
export async function runAgentReadability(origin: string): Promise<AuditorResult> {
  const { code, stdout, stderr } = await runNode(
    packageFile('@vercel/agent-readability', 'dist/cli/index.cjs'),
    ['audit', origin, '--json'],
    { env: { NODE_OPTIONS: `--import=${seededRandom(11)}` }, timeoutMs: limitMs },
  );
  if (code === null) {
    return noResult(`It did not end within ${limitMs / 1000} seconds.`);
  }
  if (!stdout.startsWith('{')) {
    return noResult(withoutAddress(stderr.slice(0, 200), origin));
  }
  const { score, rating, categories } = JSON.parse(stdout) as Report;
  return {
    score,
    grade: rating,
    problem: null,
    checks: Object.values(categories).flatMap(({ checks }) =>
      checks.map(({ name, passed, skipped, detail = '' }) => ({
        id: name,
        outcome: skipped ? 'not-applicable' : passed ? 'pass' : 'fail',
        note: detail,
      })),
    ),
  };
}
