import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { openRenderThread } from '#api/live/render-thread.ts';

/** A server build whose pages name the thread that rendered them; one of them ends it. */
const entry = `
import { threadId } from 'node:worker_threads';
export const handler = (request, response) => {
  if (request.url === '/end') {
    process.exit(1);
  }
  const facts = { url: 'http://localhost' + request.url, title: String(threadId), description: '', updated: '2026-11-22', lang: 'en', kind: 'page', data: null };
  response.setHeader('content-type', 'text/html');
  response.end(
    '<!DOCTYPE html><html lang="en"><head><title>' + threadId + '</title></head><body><main><h1>A page</h1></main>' +
      '<script type="application/json" data-twin>' + JSON.stringify(facts) + '</script></body></html>',
  );
};
`;

const distDir = mkdtempSync(join(tmpdir(), 'thread-'));
mkdirSync(join(distDir, 'server'));
writeFileSync(join(distDir, 'server', 'entry.mjs'), entry);
after(() => rmSync(distDir, { recursive: true }));

const threadOf = ({ html }: { html: string }): string => /<title>(\d+)</.exec(html)?.[1] ?? 'none';

test('pages that are asked for together are rendered by one thread', async () => {
  const { render, close } = openRenderThread(distDir);
  const threads = (await Promise.all([render('/a', {}), render('/b', {})])).map(threadOf);
  assert.equal(threads[0], threads[1]);
  assert.notEqual(threads[0], 'none');
  assert.equal(threadOf(await render('/c', {})), threads[0]);
  await close();
});

test('a thread without work ends, and the next page begins another', async () => {
  const { render, close } = openRenderThread(distDir, { idleMs: 1 });
  const first = threadOf(await render('/a', {}));
  await wait(50);
  assert.notEqual(threadOf(await render('/a', {})), first);
  await close();
});

test('a thread that dies fails what it was asked for, and is replaced', async () => {
  const { render, close } = openRenderThread(distDir);
  await assert.rejects(render('/end', {}), /The thread that renders pages has ended/);
  assert.match(threadOf(await render('/a', {})), /^\d+$/);
  await close();
});

test('closing fails what is under way', async () => {
  const { render, close } = openRenderThread(distDir);
  const page = render('/a', {});
  const failed = assert.rejects(page, /is closed/);
  await close();
  await failed;
  await assert.rejects(render('/a', {}), /is closed/, 'and nothing begins another thread');
});
