import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { toString as textOf } from 'mdast-util-to-string';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { exchange } from '../support/raw-http.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const file = join(import.meta.dirname, '../../site/content/techniques/markdown-negotiation.md');
const table = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .parse(readFileSync(file, 'utf8'))
  .children.find((node) => node.type === 'table');
const [head, ...rows] = (table?.children ?? []).map((row) => row.children.map((cell) => textOf(cell)));

const types: Record<string, string> = { HTML: 'text/html', markdown: 'text/markdown' };
const userAgents = [
  'curl/8.14.1',
  'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
  'ClaudeBot/1.0',
];

test('what the page on negotiation says is answered is answered, by both fronts, to every client', async () => {
  assert.deepEqual(head, ['Accept', 'Answer', 'Reason']);
  assert.ok(rows.length >= 10);
  for (const [accepts = '', answer = ''] of rows) {
    for (const accept of accepts.startsWith('none, or ') ? [null, accepts.slice('none, or '.length)] : [accepts]) {
      for (const name of userAgents) {
        for (const origin of [siteUrl, nginxUrl]) {
          const headers: [string, string][] = [
            ['User-Agent', name],
            ...(accept === null ? [] : [['Accept', accept] as [string, string]]),
          ];
          const response = await exchange(origin, { target: '/about', headers });
          assert.deepEqual(
            [response.status, response.header('content-type')],
            [200, `${types[answer]}; charset=utf-8`],
            `${origin}: Accept ${accept}, User-Agent ${name}`,
          );
          assert.deepEqual((response.header('vary') ?? '').split(/\s*,\s*/).sort(), ['Accept', 'Accept-Encoding']);
        }
      }
    }
  }
});
