import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { freePort } from '../../scripts/support/ports.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-dev-'));
const port = await freePort();
const origin = `http://127.0.0.1:${port}`;
const npm = spawn('npm', ['run', 'dev'], {
  cwd: projectDir,
  env: { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: String(port), DATA_DIR: dataDir },
  stdio: ['ignore', 'pipe', 'inherit'],
});
after(async () => {
  if (npm.exitCode === null) {
    npm.kill('SIGKILL');
  }
  await rm(dataDir, { recursive: true, force: true });
});

before(async () => {
  let said = '';
  // Not by iteration, whose end would close the pipe that Astro writes its warnings to.
  await new Promise<void>((resolve, reject) => {
    npm.stdout.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes(' is at ')) {
        resolve();
      }
    });
    npm.stdout.once('end', () => reject(new Error(`it ended: ${said}`)));
  });
});

const get = async (path: string, accept = 'text/html'): Promise<{ status: number; type: string; body: string }> => {
  const response = await fetch(`${origin}${path}`, { headers: { accept } });
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() };
};

test('a form takes what is sent, and the live page shows it in each representation', async () => {
  const signed = await fetch(`${origin}/guestbook`, {
    method: 'POST',
    headers: { accept: 'text/html' },
    body: new URLSearchParams({ name: 'Ada', message: 'Seen while developing.' }),
  });
  assert.equal(signed.status, 201);
  assert.match(await signed.text(), /Seen while developing\./);
  for (const [path, accept] of [
    ['/guestbook', 'text/html'],
    ['/guestbook', 'text/markdown'],
    ['/guestbook.json', '*/*'],
  ] as const) {
    assert.match((await get(path, accept)).body, /Seen while developing\./, `${path} as ${accept}`);
  }
});

test('MCP answers', async () => {
  const response = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  });
  assert.deepEqual(await response.json(), { jsonrpc: '2.0', id: 1, result: {} });
});

test('a question is answered on its page', async () => {
  const { status, body } = await get('/ask?q=What+is+MCP');
  assert.equal(status, 200);
  assert.match(body, /id="answer-heading"[^>]*>Answer</, 'it is answered and not declined');
  assert.match(body, /An open protocol by which/);
});

test('pages, twins, files and errors are there', async () => {
  assert.match((await get('/about')).body, /<script type="module" src="\/@vite\/client">/, 'a page reloads itself');
  assert.match((await get('/about', 'text/markdown')).body, /^---\ntitle: /);
  assert.equal(JSON.parse((await get('/about.json')).body).kind, 'about');
  assert.equal((await get('/llms.txt')).type, 'text/markdown; charset=utf-8');
  assert.equal((await get('/nothing-here')).status, 404);
  assert.equal((await get('/llms-full.txt')).status, 404, 'the text of all pages is written by the build alone');
  assert.equal((await get('/@vite/client')).status, 200);
  const refused = await fetch(`${origin}/about`, { method: 'POST' });
  assert.deepEqual([refused.status, refused.headers.get('allow')], [405, 'GET, HEAD']);
});

test('SIGTERM ends it', async () => {
  const ended = once(npm, 'exit');
  npm.kill('SIGTERM');
  await ended;
  await assert.rejects(fetch(origin));
});
