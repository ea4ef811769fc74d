import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { SignatureReport } from '#api/contract/signature-report.ts';
import { signCommand } from '../../../scripts/sign.ts';
import { runHere, runNode } from '../../support/command.ts';
import { startSignedServer } from './signed-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'sign-'));
const server = await startSignedServer();
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const script = fileURLToPath(new URL('../../../scripts/sign.ts', import.meta.url));
const url = `${server.baseUrl}/api/whoami?a=1`;

const sign = (...args: string[]) => runHere(signCommand, args, { cwd: folder });

test('--send signs, sends and prints an answer of tier B; the key is kept', async () => {
  const first = await sign(url, '--send');
  assert.equal(first.code, 0, first.stderr);
  assert.match(first.stderr, /^Made a new key in .*data\/agent-key\.pem\nkeyid [\w-]{43}\n200 OK\n$/);
  const report = SignatureReport.parse(JSON.parse(first.stdout));
  assert.deepEqual([report.tier, report.reason], ['B', null]);
  assert.equal(statSync(join(folder, 'data/agent-key.pem')).mode & 0o777, 0o600);
  const second = await sign(url, '--send');
  assert.match(second.stderr, new RegExp(`^Signing with the key in .*\nkeyid ${report.keyid}\n`));
});

test('as a process it writes the same, and its exit code says how it ended', async () => {
  const [fine, wrong] = await Promise.all([
    runNode(script, [url, '--print', 'headers', '--key', 'process.pem'], { cwd: folder }),
    runNode(script, [], { cwd: folder }),
  ]);
  assert.equal(fine.code, 0, fine.stderr);
  assert.match(fine.stdout, /^Signature-Key: /);
  assert.deepEqual([wrong.code, wrong.stdout], [2, '']);
  assert.match(wrong.stderr, /^One URL is expected.*\nRun npm run sign -- --help for the usage\.\n$/);
});

test('--data posts a body that is covered', async () => {
  const { stdout } = await sign(url, '--send', '--key', 'other.pem', '--data', '{"name":"it\'s"}');
  const report = SignatureReport.parse(JSON.parse(stdout));
  assert.deepEqual(
    [report.tier, report.covered],
    ['B', ['@method', '@authority', '@path', 'content-digest']],
    report.detail,
  );
  assert.doesNotMatch(report.detail, /the body/);
});

test('the printed headers are the three of the specification', async () => {
  const { stdout } = await sign(url, '--print', 'headers');
  assert.deepEqual(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(':')[0]),
    ['Signature-Key', 'Signature-Input', 'Signature'],
  );
  const both = await sign(url);
  assert.match(
    both.stdout,
    /^Signature-Key: [^\n]+\nSignature-Input: [^\n]+\nSignature: [^\n]+\n\ncurl -i -X GET 'http/,
  );
});

for (const [args, message] of [
  [[], /One URL is expected, 0 were given/],
  [['a', 'b'], /One URL is expected, 2 were given/],
  [['whoami'], /"whoami" is not an absolute http or https URL/],
  [['ftp://example.com/'], /is not an absolute http or https URL/],
  [['http://u:p@example.com/'], /user name or password/],
  [[url, '--method', 'get'], /--method is "get"; it is written in capitals/],
  [[url, '--data', '{}', '--method', 'GET'], /--data does not go with GET/],
  [[url, '--print', 'json'], /--print is "json"; it is curl or headers/],
  [[url, '--nothing'], /Unknown option '--nothing'/],
] as const) {
  test(`a wrong call is explained: ${args.join(' ')}`, async () => {
    const { code, stderr, stdout } = await sign(...args);
    assert.deepEqual([code, stdout], [2, '']);
    assert.match(stderr, message);
    assert.match(stderr, /--help for the usage\.\n$/);
  });
}

test('a damaged key file is explained', async () => {
  writeFileSync(join(folder, 'damaged.pem'), 'x');
  const { code, stderr } = await sign(url, '--key', 'damaged.pem');
  assert.equal(code, 1);
  assert.match(stderr, /^The key file .*damaged\.pem is damaged: .*\n$/);
});

test('a service that does not answer is explained', async () => {
  const unused = createServer();
  await new Promise<void>((resolve) => unused.listen(0, '127.0.0.1', resolve));
  const address = unused.address();
  assert.ok(address !== null && typeof address === 'object');
  await new Promise((resolve) => unused.close(resolve));
  const { code, stderr } = await sign(`http://127.0.0.1:${address.port}/`, '--send');
  assert.equal(code, 1);
  assert.match(stderr, /did not answer: .*ECONNREFUSED.*\. Is the address right, and the service running\?\n$/);
});

test('--help describes every option', async () => {
  const { code, stdout } = await sign('--help');
  assert.equal(code, 0);
  for (const option of ['--method', '--data', '--key', '--print', '--send']) {
    assert.match(stdout, new RegExp(`  ${option} `));
  }
});
