import assert from 'node:assert/strict';
import { once } from 'node:events';
import http from 'node:http';
import { test } from 'node:test';
import { AuditAnswer } from '#api/audits/start.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

test('behind nginx the events of an audit come one by one, not all at the end', async () => {
  const request = http.request(`${nginxUrl}/api/audit`, {
    method: 'POST',
    // An address of its own, whose free audits no other test takes.
    localAddress: '127.0.0.2',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', 'Accept-Encoding': 'gzip, br' },
  });
  request.end(JSON.stringify({ url: `${siteUrl}/` }));
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const chunks: string[] = [];
  for await (const chunk of response.setEncoding('utf8')) {
    chunks.push(String(chunk));
  }
  const text = chunks.join('');
  assert.equal(response.statusCode, 200, text);
  assert.equal(response.headers['content-type'], 'text/event-stream');
  assert.equal(response.headers['content-encoding'], undefined);
  assert.ok(!chunks[0]?.includes('event: result'), 'the first piece came before the result was there');
  const [, data = ''] = /event: result\ndata: (.*)\n\n$/.exec(text) ?? [];
  const answer = AuditAnswer.parse(JSON.parse(data));
  assert.equal(answer.url, `${siteUrl}/`);
  assert.ok(answer.certifiable, `this site passes its own audit: ${answer.score}`);
});
