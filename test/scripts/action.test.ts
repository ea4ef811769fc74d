import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { auditReport } from '#api/audit/report.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { openSite } from '../audit/sites.ts';

const root = join(import.meta.dirname, '../..');
const workspace = mkdtempSync(join(tmpdir(), 'action-'));
after(() => rmSync(workspace, { recursive: true }));

interface Step {
  id?: string;
  run?: string;
  env?: Record<string, string>;
}

test('the audit of the action runs from the checkout of the action, in the folder of the job', async () => {
  const shop = await openSite((asked, origin) => judgedSites['shop']?.answer(asked, origin) ?? { status: 500 });
  after(() => shop.close());
  const { runs, inputs } = parse(readFileSync(join(root, 'action.yml'), 'utf8')) as {
    runs: { steps: Step[] };
    inputs: Record<string, { default?: string }>;
  };
  const step = runs.steps.find(({ id }) => id === 'audit') ?? assert.fail('there is no audit');
  const given = {
    ...Object.fromEntries(Object.entries(inputs).map(([name, { default: value = '' }]) => [name, value])),
    urls: shop.origin,
    min: '100',
  };
  const settings = Object.entries(step.env ?? {}).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.(\w+) \}\}$/.exec(value) ?? [];
    return [name, given[input as keyof typeof given] ?? assert.fail(`${name} is no input`)];
  });
  await promisify(execFile)('bash', ['-e', '-o', 'pipefail', '-c', step.run ?? ''], {
    cwd: workspace,
    env: {
      ...Object.fromEntries(settings),
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      GITHUB_ACTION_PATH: root,
      GITHUB_OUTPUT: join(workspace, 'output'),
      GITHUB_STEP_SUMMARY: join(workspace, 'summary.md'),
    },
  });
  const read = (name: string): string => readFileSync(join(workspace, name), 'utf8');
  assert.equal(read('output'), 'code=1\n', 'under the minimum');
  assert.equal(read('summary.md'), read('porchlight.md'));
  assert.match(read('summary.md'), new RegExp(shop.host));
  auditReport.parse(JSON.parse(read('porchlight.json')));
  assert.equal((JSON.parse(read('porchlight.sarif')) as { version: string }).version, '2.1.0');
});
