import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { recordChanges } from '#almanac/record-changes.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();
const newest =
  recordChanges
    .map(({ date }) => date)
    .sort()
    .at(-1) ?? '';

interface Change {
  date: string;
  dataset: string;
  id: string;
}

describe('the list of changes', () => {
  it('leads from page to page through every change, newest first, each once', async () => {
    const seen: Change[] = [];
    let address: string | null = `${testBaseUrl}/api/changes?limit=37`;
    while (address !== null) {
      const { body }: { body: { next: string | null; changes: Change[] } } = await request(app)
        .get(address.slice(testBaseUrl.length))
        .expect(200);
      seen.push(...body.changes);
      address = body.next;
    }
    assert.equal(seen.length, recordChanges.length);
    assert.deepEqual(
      seen.map(({ date }) => date),
      recordChanges
        .map(({ date }) => date)
        .sort()
        .reverse(),
    );
    const key = ({ dataset, id, ...rest }: Change): string =>
      JSON.stringify([dataset, id, 'field' in rest && rest.field]);
    assert.deepEqual(seen.map(key).sort(), recordChanges.map(key).sort());
  });

  it('begins at a day, and finds nothing after the newest', async () => {
    const { body } = await request(app).get(`/api/changes?since=${newest}&limit=500`).expect(200);
    assert.equal(body.matched, recordChanges.filter(({ date }) => date >= newest).length);
    const { body: after } = await request(app).get('/api/changes?since=2099').expect(200);
    assert.deepEqual([after.matched, after.changes, after.next], [0, [], null]);
  });

  it('is the history of one record, which the record shows as well', async () => {
    const changed = recordChanges.find(({ kind }) => kind === 'changed');
    assert.ok(changed);
    const { dataset, id } = changed;
    const { body } = await request(app).get(`/api/changes?dataset=${dataset}&id=${id}`).expect(200);
    assert.ok(body.matched > 0);
    assert.ok(body.changes.every((change: Change) => change.dataset === dataset && change.id === id));
    const record = await request(app).get(`/api/${dataset}/${id}`).expect(200);
    assert.equal(record.body.changed.length, Math.min(10, body.matched));
    assert.equal(record.body.changed[0].source, body.changes[0].source);
  });
});

describe('feeds', () => {
  it('Atom, by format and by Accept', async () => {
    const byFormat = await request(app)
      .get('/api/changes?dataset=crawlers&limit=5&format=atom')
      .expect('Content-Type', /^application\/atom\+xml/);
    const byAccept = await request(app)
      .get('/api/changes?dataset=crawlers&limit=5')
      .set('Accept', 'application/atom+xml');
    assert.equal(byFormat.text.match(/<entry>/g)?.length, 5);
    assert.equal(byAccept.text, byFormat.text);
    assert.ok(!/\bundefined\b/.test(byFormat.text));
  });

  it('JSON Feed 1.1, each item with an id of its own', async () => {
    const { text } = await request(app)
      .get('/api/changes?format=json-feed')
      .expect('Content-Type', /^application\/feed\+json/);
    const feed = JSON.parse(text);
    assert.match(feed.version, /^https:\/\/jsonfeed\.org\/version\/1/);
    const ids = feed.items.map(({ id }: { id: string }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('what is refused', () => {
  for (const [query, pointer] of [
    ['since=yesterday', '?since'],
    ['dataset=nothing', '?dataset'],
    ['cursor=x', '?cursor'],
    ['cursor=999999', '?cursor'],
    ['format=rss', '?format'],
  ]) {
    it(String(query), async () => {
      const { body } = await request(app).get(`/api/changes?${query}`).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    });
  }
});
