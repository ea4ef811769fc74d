import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SignatureReport } from '#api/contract/signature-report.ts';
import { signCommand } from '../../../scripts/sign.ts';
import { runHere } from '../../support/command.ts';
import { startSignedServer } from './signed-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'signing-'));
const server = await startSignedServer();
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});
const url = `${server.baseUrl}/api/whoami?a=1`;

function run(command: string, args: string[]): Promise<{ stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(command, args, { cwd: folder, timeout: 30_000 }, (_error, stdout, stderr) => resolve({ stdout, stderr }));
  });
}

test('the printed curl command runs as it is', async () => {
  for (const args of [[], ['--method', 'DELETE'], ['--data', '{"name":"it\'s"}']]) {
    const { stdout } = await runHere(signCommand, [url, '--print', 'curl', ...args], { cwd: folder });
    const answer = await run('bash', ['-c', stdout]);
    assert.equal(JSON.parse(answer.stdout.split('\r\n\r\n')[1] ?? '').tier, 'B', answer.stdout);
  }
});

const snippets = fileURLToPath(new URL('../../../site/content/signing/', import.meta.url));
const withBody = 'sign-post.mjs';
const withoutBody = 'sign-delete.mjs';
const interpreters: Record<string, string> = { 'sign.mjs': process.execPath, 'sign.py': 'python3', 'sign.sh': 'bash' };

test('every snippet is run here', () => {
  assert.deepEqual(readdirSync(snippets).sort(), [...Object.keys(interpreters), withBody, withoutBody].sort());
});

test('the snippet that signs a POST covers the body that it sends', async () => {
  const body = JSON.stringify({ name: 'Ünïcode', message: 'from the command line' });
  for (const args of [[], [body]]) {
    const { stdout, stderr } = await run(process.execPath, [join(snippets, withBody), url, ...args]);
    const report = SignatureReport.parse(JSON.parse(stdout || '{}'), { error: () => stderr });
    assert.deepEqual([report.tier, report.reason], ['B', null], report.detail);
    assert.ok(report.covered.includes('content-digest'), report.covered.join(' '));
    assert.doesNotMatch(report.detail, /the body/);
  }
});

test('the snippet that signs a DELETE uses the key that the others made', async () => {
  const made = await run(process.execPath, [join(snippets, withBody), url]);
  const { stdout, stderr } = await run(process.execPath, [join(snippets, withoutBody), url]);
  const report = SignatureReport.parse(JSON.parse(stdout || '{}'), { error: () => stderr });
  assert.deepEqual([report.tier, report.reason], ['B', null], report.detail);
  assert.equal(report.keyid, JSON.parse(made.stdout).keyid);
});

for (const [name, interpreter] of Object.entries(interpreters)) {
  test(`the snippet ${name} makes a key, signs and is answered with tier B, also the second time`, async () => {
    rmSync(join(folder, 'agent-key.pem'), { force: true });
    const keyids = new Set<string | null>();
    for (const target of [url, `${server.baseUrl}/`, server.baseUrl]) {
      const { stdout, stderr } = await run(interpreter, [join(snippets, name), target]);
      const report = SignatureReport.parse(JSON.parse(stdout || '{}'), { error: () => stderr });
      assert.deepEqual([report.tier, report.reason], ['B', null], report.detail);
      keyids.add(report.keyid);
    }
    assert.equal(keyids.size, 1);
    assert.equal(statSync(join(folder, 'agent-key.pem')).mode & 0o777, 0o600);
  });
}

test('the snippets share the form of their key', async () => {
  const keyids = new Set<string>();
  for (const [name, interpreter] of Object.entries(interpreters)) {
    const { stdout } = await run(interpreter, [join(snippets, name), `${url}&by=${name}`]);
    keyids.add(JSON.parse(stdout).keyid);
  }
  assert.equal(keyids.size, 1);
});
