import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../scripts/support/compare/run-agent-readability.ts';
import { packageFile, runNode } from '../support/command.ts';
import { siteUrl } from '../support/site-under-test.ts';

interface Report {
  score: number;
  categories: Record<string, { checks: { name: string; passed: boolean; skipped: boolean; detail?: string }[] }>;
}

// Where a draw has the home page first, it asks for `http://host.md` and cannot be pleased.
for (const seed of [11, 222, 3333, 44444]) {
  test(`@vercel/agent-readability finds nothing but what is decided otherwise here (draw ${seed})`, async () => {
    const { stdout, stderr } = await runNode(
      packageFile('@vercel/agent-readability', 'dist/cli/index.cjs'),
      ['audit', siteUrl, '--json'],
      { env: { NODE_OPTIONS: `--import=${seededRandom(seed)}` } },
    );
    assert.ok(stdout.startsWith('{'), stderr);
    const report = JSON.parse(stdout) as Report;
    const missed = Object.values(report.categories).flatMap(({ checks }) =>
      checks.filter(({ passed }) => !passed).map(({ name, detail }) => `${name}: ${detail}`),
    );
    // It wants markdown for whoever has the name of an agent; here a name selects nothing, and `Accept` does. It wants
    // status 200 for a page that is not there; here the status says that it is not.
    assert.deepEqual(missed, ['Agent UA → markdown: returned HTML', 'Missing page → markdown: returned 404']);
    assert.ok(report.score >= 92, `${report.score}`);
  });
}
