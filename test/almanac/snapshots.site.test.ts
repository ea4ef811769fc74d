import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import canonicalize from 'canonicalize';
import { datasets } from '#almanac/datasets/index.ts';
import { editionsOf } from '#almanac/edition-list.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const fronts = [siteUrl, nginxUrl];

for (const origin of fronts) {
  describe(`snapshots, from ${origin === siteUrl ? 'the service' : 'nginx'}`, () => {
    const get = (path: string, headers = {}): Promise<Response> => fetch(`${origin}${path}`, { headers });

    test('every edition in the list answers at its address, with the data that its digest is of', async () => {
      const { count, editions } = await (await get('/api/snapshots')).json();
      assert.equal(count, datasets.flatMap(({ path }) => editionsOf(path)).length);
      for (const { url, ...edition } of editions) {
        const response = await get(url.slice(siteUrl.length));
        assert.equal(response.status, 200, url);
        assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
        const answer = await response.json();
        assert.deepEqual(answer.edition, edition);
        assert.equal(
          createHash('sha256')
            .update(String(canonicalize(answer.data)))
            .digest('hex'),
          edition.sha256,
        );
      }
    });

    test('a day has the last edition of it or before it: for ever once a later one is out', async () => {
      const past = await get('/api/models/snapshots/2026-11-21');
      assert.equal(past.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      assert.equal((await past.json()).edition.version, '2026-11-21.1');
      const newest = editionsOf('models').at(-1);
      const today = await get(`/api/models/snapshots/${newest?.date}`);
      assert.equal(today.headers.get('cache-control'), 'public, max-age=300');
      assert.equal((await today.json()).edition.version, newest?.version);
    });

    test('one record of an edition', async () => {
      const { data } = await (await get('/api/crawlers/snapshots/2026-11-21.1?id=gptbot')).json();
      assert.deepEqual(
        data.records.map(({ id }: { id: string }) => id),
        ['gptbot'],
      );
    });

    for (const [path, status, type, detail] of [
      ['/api/models/snapshots/2026-11-20', 404, 'not-found', /first edition of models is of 2026-11-21/],
      ['/api/models/snapshots/2999-01-01', 404, 'not-found', /still to come/],
      ['/api/models/snapshots/2026-11-21.99', 404, 'not-found', /no edition 2026-11-21\.99/],
      ['/api/models/snapshots/2026-02-30', 400, 'invalid-query', /neither a day/],
      ['/api/models/snapshots/latest', 400, 'invalid-query', /neither a day/],
      ['/api/models/snapshots/2026-11-21.1?id=nobody', 404, 'not-found', /no record "nobody"/],
      ['/api/models/snapshots/2026-11-21.1?fields=id', 400, 'invalid-query', /\?fields is not known/],
      ['/api/cars/snapshots/2026-11-21', 404, 'not-found', /No dataset is called "cars"/],
      ['/api/models/snapshots', 404, 'not-found', /api\/snapshots\?dataset=models/],
      ['/api/snapshots?dataset=cars', 400, 'invalid-query', /is not one of crawlers/],
    ] as const) {
      test(`${path} is refused with ${status}, and the answer says what to ask for`, async () => {
        const response = await get(path);
        assert.equal(response.status, status);
        assert.equal(response.headers.get('content-type'), 'application/problem+json');
        assert.equal(response.headers.get('cache-control'), 'no-store');
        const problem = await response.json();
        assert.equal(problem.type, `${siteUrl}/problems/${type}`);
        assert.match(problem.detail, detail);
      });
    }

    test('the address in the citation of a page answers what the page shows', async () => {
      for (const [path, name] of [
        ['/crawlers/gptbot', 'gptbot'],
        ['/models', null],
      ] as const) {
        const html = await (await get(path)).text();
        const cited =
          /<code[^>]*>[\s\S]*?url\s+= \{(http[^}]+)\}/.exec(html.replaceAll(/<\/?span[^>]*>/g, ''))?.[1] ?? '';
        assert.ok(cited.startsWith(`${siteUrl}/api/`), cited);
        assert.ok(html.includes(`[Data set]. ${cited}`), 'the sentence has the same address');
        const { data } = await (await get(cited.slice(siteUrl.length))).json();
        assert.equal(data.records.length, name === null ? editionsOf('models').at(-1)?.records : 1);
      }
    });
  });
}
