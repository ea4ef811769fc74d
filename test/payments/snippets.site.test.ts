import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { goodSite, openSite } from '../audit/sites.ts';
import { startOwnService } from '../support/own-service.ts';
import { testPlaybook } from '../support/playbook.ts';

const site = await openSite(goodSite);
const { origin } = await startOwnService({
  environment: { AUDIT_ALLOW_HOSTS: site.host },
});
const folder = await mkdtemp(join(tmpdir(), 'paying-'));
after(async () => {
  site.close();
  await rm(folder, { recursive: true });
});

const snippets = join(import.meta.dirname, '../../site/content/paying');
const interpreters: Record<string, string> = { '.mjs': process.execPath, '.py': 'python3', '.sh': 'bash' };

/** Saves a snippet as /developers shows it, with the service in place of the site, and runs it. */
async function run(file: string, ...args: string[]) {
  const code = await readFile(join(snippets, file), 'utf8');
  await writeFile(join(folder, file), code.replaceAll('{base_url}', origin));
  const interpreter = interpreters[extname(file)] ?? assert.fail(`Nothing runs ${file}.`);
  const child = spawn(interpreter, [file, ...args], { cwd: folder });
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  return { exit, stdout, stderr };
}

test('pay.sh buys the playbook as markdown', async () => {
  const { exit, stdout, stderr } = await run('pay.sh');
  assert.deepEqual([exit, stderr, stdout], [0, '', testPlaybook.markdown]);
});

test('pay.py buys the playbook and says what it paid', async () => {
  const { exit, stdout, stderr } = await run('pay.py');
  assert.deepEqual([exit, stderr], [0, '']);
  assert.equal(stdout, 'An index for language models\npaid 0.10 USD in a demonstration\n');
});

test('audit.sh is free three times, and pays the fourth', async () => {
  const payments: unknown[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { exit, stdout, stderr } = await run('audit.sh', `${site.origin}/`);
    assert.deepEqual([exit, stderr], [0, '']);
    const answer = JSON.parse(stdout);
    assert.equal(answer.url, `${site.origin}/`);
    payments.push(answer.payment?.amount_usd ?? null);
  }
  assert.deepEqual(payments, [null, null, null, '0.005']);
});

test('pay.mjs buys the playbook, and an audit beyond the free ones', async () => {
  const bought = await run('pay.mjs');
  assert.equal(bought.exit, 0, bought.stderr);
  assert.deepEqual(JSON.parse(bought.stdout).chapters, testPlaybook.chapters);
  assert.match(bought.stderr, /0\.10 USD, in a demonstration: no money moves/);
  const audited = await run('pay.mjs', '/api/audit', `${site.origin}/`);
  assert.equal(audited.exit, 0, audited.stderr);
  assert.equal(JSON.parse(audited.stdout).payment.demo, true);
});
