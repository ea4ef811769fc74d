import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageFile, runNode } from '../support/command.ts';
import { siteUrl } from '../support/site-under-test.ts';

test('agent-readiness gives 100', async () => {
  // It writes its report into the folder that it is called in.
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-agent-ready-'));
  try {
    const { code, stdout } = await runNode(
      packageFile('agent-readiness', 'bin/agent-ready.mjs'),
      [siteUrl, '--min-score', '100'],
      { cwd: folder },
    );
    assert.equal(code, 0, stdout);
    const report = JSON.parse(await readFile(join(folder, 'agent-ready-out', 'agent-ready.json'), 'utf8')) as {
      score: number;
    };
    assert.equal(report.score, 100, stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
});
