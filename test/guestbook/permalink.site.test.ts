import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signAt } from '../support/guestbook-client.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

test('an entry has a page of its own, from both fronts, in each representation', async () => {
  const { body } = await signAt(
    siteUrl,
    { name: 'A page of one entry', message: 'Here it is.' },
    { 'x-forwarded-for': '2001:db8:9::1' },
  );
  for (const front of [siteUrl, nginxUrl]) {
    for (const [path, accept, type] of [
      [`/guestbook/${body.id}`, 'text/html', 'text/html; charset=utf-8'],
      [`/guestbook/${body.id}`, 'text/markdown', 'text/markdown; charset=utf-8'],
      [`/guestbook/${body.id}.json`, '*/*', 'application/json'],
    ] as const) {
      const response = await fetch(`${front}${path}`, { headers: { accept } });
      assert.deepEqual([response.status, response.headers.get('content-type')], [200, type], `${front}${path}`);
      assert.match(await response.text(), /A page of one entry/);
    }
  }
});
