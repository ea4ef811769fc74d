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

describe('changes counted', () => {
  const countsOf = (changes: readonly { kind: string }[]): Record<string, number> =>
    Object.fromEntries([...Map.groupBy(changes, ({ kind }) => kind)].map(([kind, same]) => [kind, same.length]));

  it('by record: each once, from page to page, with its kinds and fields', async () => {
    const seen: { dataset: string; id: string; date: string; kinds: Record<string, number>; fields?: string[] }[] = [];
    let address: string | null = `${testBaseUrl}/api/changes?dataset=protocols&group=record&limit=40`;
    while (address !== null) {
      const { body }: { body: { next: string | null; changes: []; groups: typeof seen } } = await request(app)
        .get(address.slice(testBaseUrl.length))
        .expect(200);
      assert.deepEqual(body.changes, []);
      seen.push(...body.groups);
      address = body.next;
    }
    const byRecord = Map.groupBy(
      recordChanges.filter(({ dataset }) => dataset === 'protocols'),
      ({ id }) => id,
    );
    assert.equal(seen.length, byRecord.size);
    for (const { id, kinds, fields = [] } of seen) {
      const changes = byRecord.get(id) ?? [];
      assert.deepEqual(kinds, countsOf(changes), id);
      const changed = changes.flatMap((change) => (change.kind === 'changed' ? [change.field] : []));
      assert.deepEqual([...fields].sort(), [...new Set(changed)].sort(), id);
    }
    const days = seen.map(({ date }) => date);
    assert.deepEqual(days, days.toSorted().reverse());
  });

  it('by day and by dataset, in a few hundred tokens', async () => {
    for (const group of ['day', 'dataset']) {
      const { body, text } = await request(app).get(`/api/changes?group=${group}`).expect(200);
      assert.equal(body.matched, recordChanges.length);
      assert.equal(body.next, null);
      assert.deepEqual(
        body.summary.datasets.models,
        countsOf(recordChanges.filter((each) => each.dataset === 'models')),
      );
      const counted = body.groups.flatMap(({ kinds }: { kinds: Record<string, number> }) => Object.values(kinds));
      assert.equal(
        counted.reduce((sum: number, count: number) => sum + count, 0),
        recordChanges.length,
      );
      assert.ok(text.length < 4000, `${text.length} bytes`);
    }
    const { text } = await request(app).get('/api/changes?group=record').expect(200);
    assert.ok(text.length < 8000, `${text.length} bytes`);
  });

  it('of some fields, and of the last days', async () => {
    const { body } = await request(app).get('/api/changes?field=status,license&limit=500').expect(200);
    const expected = recordChanges.filter((each) => 'field' in each && ['status', 'license'].includes(each.field));
    assert.equal(body.matched, expected.length);
    const { app: later } = createTestApp({ now: () => new Date(`${newest}T12:00:00Z`) });
    const { body: today } = await request(later).get('/api/changes?since=0d&group=day').expect(200);
    assert.deepEqual(
      today.groups.map(({ date }: Change) => date),
      [newest],
    );
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
    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1');
    assert.deepEqual([feed.authors.length, feed.author, feed.language], [1, undefined, 'en']);
    const ids = feed.items.map(({ id }: { id: string }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });
});

describe('feeds, page by page', () => {
  const changed = recordChanges.filter(({ dataset }) => dataset === 'protocols').length;
  const read = async (address: string): Promise<string> =>
    (await request(app).get(address.slice(testBaseUrl.length)).expect(200)).text;
  const start = `${testBaseUrl}/api/changes?dataset=protocols&limit=500&format=`;

  it('Atom leads to every change by rel="next"; all pages have one id, and each says where it is', async () => {
    const ids = new Set<string>();
    let address: string | undefined = `${start}atom`;
    while (address !== undefined) {
      const page: string = await read(address);
      const linkOf = (rel: string): string | undefined =>
        new RegExp(`<link rel="${rel}" href="([^"]*)"`).exec(page)?.[1]?.replaceAll('&amp;', '&');
      assert.match(page, new RegExp(`^\\s*<id>${testBaseUrl}/api/changes\\?dataset=protocols</id>$`, 'm'));
      assert.match(page, /<author>\s*<name>/);
      assert.equal(linkOf('self'), address);
      for (const [, id = ''] of page.matchAll(/<id>(\S*#change-\d+)<\/id>/g)) {
        ids.add(id);
      }
      address = linkOf('next');
    }
    assert.equal(ids.size, changed);
  });

  it('JSON Feed does so by next_url', async () => {
    const ids = new Set<string>();
    let address: string | undefined = `${start}json-feed`;
    while (address !== undefined) {
      const feed: { feed_url: string; next_url?: string; items: { id: string }[] } = JSON.parse(await read(address));
      assert.equal(feed.feed_url, address);
      for (const { id } of feed.items) {
        ids.add(id);
      }
      address = feed.next_url;
    }
    assert.equal(ids.size, changed);
  });

  it('its text is text: what looks like a tag is shown', async () => {
    const change = recordChanges.findLast((each) => each.kind === 'changed' && /^<\w/.test(String(each.new)));
    assert.ok(change?.kind === 'changed');
    const { dataset, id, field } = change;
    const query = new URLSearchParams({ dataset, id, field, format: 'atom' });
    assert.match(await read(`${testBaseUrl}/api/changes?${query}`), /is now[^<\]]*&lt;\w/);
  });
});

describe('what a client has already', () => {
  for (const format of ['json', 'atom', 'json-feed']) {
    it(`isn't sent again: ${format}`, async () => {
      const address = `/api/changes?limit=5&format=${format}`;
      const { headers } = await request(app).get(address).expect(200);
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['vary'], 'Accept, Accept-Encoding');
      const again = await request(app).get(address).set('If-None-Match', String(headers['etag'])).expect(304);
      assert.equal(again.text, '');
      await request(app).get(address).set('If-None-Match', '"other"').expect(200);
    });
  }
});

describe('what is refused', () => {
  for (const [query, pointer] of [
    ['since=yesterday', '?since'],
    ['dataset=nothing', '?dataset'],
    ['cursor=x', '?cursor'],
    ['cursor=999999', '?cursor'],
    ['format=rss', '?format'],
    ['field=nothing', '?field'],
    ['group=field', '?group'],
    ['group=day&format=atom', '?group'],
    ['group=record&cursor=1', '?cursor'],
  ]) {
    it(String(query), async () => {
      const { body } = await request(app).get(`/api/changes?${query}`).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    });
  }
});
