import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { AuditAnswer } from '#api/audits/start.ts';
import { goodSite } from '../audit/sites.ts';
import { testBaseUrl } from '../support/test-app.ts';
import { eventsOf, serve, stream } from './served.ts';

describe('an audit as a stream of events', async () => {
  const { app, url, site } = await serve(goodSite, { delayMs: 30 });
  const response = await stream(app, url).expect(200);
  const events = eventsOf(response.text);

  it('is not stored, not changed and not buffered on the way', () => {
    assert.equal(response.get('content-type'), 'text/event-stream');
    assert.equal(response.get('cache-control'), 'no-store, no-transform');
    assert.equal(response.get('x-accel-buffering'), 'no');
    assert.equal(response.get('content-encoding'), undefined);
  });

  it('tells of each request, and of each check once as soon as it is judged, and ends with the result', () => {
    const kinds = events.map(({ event }) => event);
    const last = AuditAnswer.parse(events.at(-1)?.data);
    assert.equal(kinds.at(-1), 'result');
    assert.deepEqual([...new Set(kinds)], ['progress', 'check', 'result']);
    const byId = (one: { id?: unknown }, other: { id?: unknown }): number =>
      String(one.id) < String(other.id) ? -1 : 1;
    const told = events.filter(({ event }) => event === 'check').map(({ data }) => data);
    for (const each of told) {
      assert.equal(Object.keys(each)[0], 'content_notice');
    }
    const checks = told.map(({ content_notice: _notice, ...check }) => check as { id?: unknown });
    assert.deepEqual(checks.toSorted(byId), last.checks.toSorted(byId));
    assert.ok(kinds.indexOf('check') < kinds.lastIndexOf('progress'), 'findings come while requests are on their way');
    const asked = events.filter(({ event, data }) => event === 'progress' && data['stage'] === 'asking');
    assert.ok(asked.some(({ data }) => data['name'] === 'robots' && data['outcome'] === 'ok'));
    assert.ok(asked.length >= 10 && site.asked.length >= 10);
  });

  it('ends with a problem when there is no result', async () => {
    site.close();
    const ended = eventsOf((await stream(app, `${url}guide/b`).expect(200)).text);
    assert.equal(ended.at(-1)?.event, 'problem');
    assert.equal(ended.at(-1)?.data['status'], 502);
    assert.equal(ended.at(-1)?.data['step'], 'connect');
    assert.equal(ended.at(-1)?.data['type'], `${testBaseUrl}/problems/audit-target-unreachable`);
  });

  it('is sent to who names it, and JSON to everybody else', async () => {
    for (const accept of ['*/*', 'application/json, text/event-stream;q=0.5', 'text/*']) {
      const other = await request(app).post('/api/audit').set('Accept', accept).send({ url: 'ftp://example.com' });
      assert.equal(other.get('content-type'), 'application/problem+json', accept);
    }
  });
});
