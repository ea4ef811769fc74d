import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import request from 'supertest';
import { crawlers, datasets, models, protocols } from '#almanac/datasets/index.ts';
import { recordFields } from '#almanac/record-fields.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();

/** The ids that a list answers, in its order. */
async function idsOf(path: string): Promise<string[]> {
  const { body } = await request(app).get(path).expect(200);
  return body.records.map(({ id }: { id: string }) => id);
}

describe('the whole list', () => {
  for (const { path, records } of datasets) {
    it(`/api/${path} without parameters has the five members of the specification and every record`, async () => {
      const { body } = await request(app).get(`/api/${path}`).expect(200);
      assert.deepEqual(Object.keys(body), ['title', 'description', 'updated', 'fields', 'records']);
      assert.deepEqual(body.records, JSON.parse(JSON.stringify(records)));
    });

    it(`/api/${path}?view=compact has every record in at most 60 KB`, async () => {
      const { body, text } = await request(app).get(`/api/${path}?view=compact`).expect(200);
      assert.equal(body.records.length, records.length);
      assert.equal(body.matched, records.length);
      assert.equal(body.next, null);
      assert.ok(Buffer.byteLength(text) <= 60_000, `${path}: ${Buffer.byteLength(text)} bytes`);
      for (const record of body.records) {
        assert.deepEqual(
          Object.keys(record).filter((name) => !body.fields.includes(name)),
          [],
        );
      }
    });
  }
});

describe('ranges and dates', () => {
  it('a month finds its days, and the month itself', async () => {
    const expected = models.records.filter(({ released }) => released?.startsWith('2026-10')).map(({ id }) => id);
    assert.ok(expected.length > 0);
    assert.deepEqual(await idsOf('/api/models?released=2026-10'), expected);
  });

  it('since a day, newest first', async () => {
    const expected = models.records
      .filter(({ released }) => released !== null && released.length === 10 && released >= '2026-09-01')
      .map(({ id }) => id);
    const found = await idsOf('/api/models?released_from=2026-09-01&sort=-released&fields=released');
    assert.ok(expected.every((id) => found.includes(id)));
    const dates = found.map((id) => models.get(id)?.released ?? '');
    assert.deepEqual(dates, [...dates].sort().reverse());
    assert.ok(dates.every((date) => date >= '2026-09'));
  });

  it('between two days, from a month to a month', async () => {
    const found = await idsOf('/api/models?released_from=2026-02&released_to=2026-02');
    assert.deepEqual(
      found,
      models.records
        .filter(({ released }) => released?.startsWith('2026-02') || released === '2026')
        .map(({ id }) => id),
    );
  });

  it('numbers compare as numbers, inside a price too', async () => {
    const found = await idsOf(
      '/api/models?open_weights=true&context_window_from=1000000&pricing_usd_per_mtok.input_to=1&sort=pricing_usd_per_mtok.input',
    );
    const expected = models.records.filter(
      ({ open_weights, context_window, pricing_usd_per_mtok }) =>
        open_weights === true &&
        (context_window ?? 0) >= 1_000_000 &&
        pricing_usd_per_mtok !== null &&
        pricing_usd_per_mtok.input <= 1,
    );
    assert.ok(expected.length > 0);
    assert.deepEqual([...found].sort(), expected.map(({ id }) => id).sort());
  });

  it('a date that carries its standing counts by its value', async () => {
    const field = recordFields(protocols).find(({ name }) => name === 'spec_date');
    assert.equal(field?.kind, 'date');
    const found = await idsOf('/api/protocols?spec_date_from=2026-07');
    assert.ok(found.includes('mcp'));
  });
});

describe('parts of a list', () => {
  it('a page leads to the next until every record was read once', async () => {
    const seen: string[] = [];
    let address: string | null = `${testBaseUrl}/api/glossary?limit=70&sort=term&fields=term`;
    while (address !== null) {
      const { body }: { body: { records: { id: string }[]; next: string | null } } = await request(app)
        .get(address.slice(testBaseUrl.length))
        .expect(200);
      seen.push(...body.records.map(({ id }) => id));
      address = body.next;
    }
    assert.equal(seen.length, datasets.find(({ path }) => path === 'glossary')?.records.length);
    assert.equal(new Set(seen).size, seen.length);
  });

  it('fields shows those alone, and the id', async () => {
    const { body } = await request(app).get('/api/crawlers?fields=robots_token,operator&bot_type=training&limit=2');
    assert.deepEqual(body.fields, ['id', 'operator', 'robots_token']);
    assert.equal(body.count, 2);
    assert.equal(body.matched, crawlers.records.filter(({ bot_type }) => bot_type === 'training').length);
    for (const record of body.records) {
      assert.deepEqual(Object.keys(record), ['id', 'operator', 'robots_token']);
    }
  });

  it('a dot shows a member of a field, where it is in the record', async () => {
    const query = 'provider=Anthropic&fields=name,pricing_usd_per_mtok.input,pricing_usd_per_mtok.output';
    const { body } = await request(app).get(`/api/models?${query}`).expect(200);
    assert.deepEqual(body.fields, ['id', 'name', 'pricing_usd_per_mtok.input', 'pricing_usd_per_mtok.output']);
    const expected = models.records
      .filter(({ provider }) => provider === 'Anthropic')
      .map(({ id, name, pricing_usd_per_mtok: price }) => ({
        ...{ id, name },
        pricing_usd_per_mtok: price === null ? null : { input: price.input, output: price.output },
      }));
    assert.deepEqual(body.records, expected);
    const { body: whole } = await request(app).get(
      '/api/models?limit=1&fields=pricing_usd_per_mtok,pricing_usd_per_mtok.input',
    );
    assert.deepEqual(whole.records[0].pricing_usd_per_mtok, models.records[0]?.pricing_usd_per_mtok);
  });

  it('several values have commas between them, also where a field is closed; one with a comma of its own is one', async () => {
    const ofTwo = models.records.filter(({ provider }) => ['OpenAI', 'Google'].includes(provider));
    assert.deepEqual(
      await idsOf('/api/models?provider=OpenAI,Google'),
      ofTwo.map(({ id }) => id),
    );
    assert.deepEqual(
      await idsOf('/api/crawlers?bot_type=training,archive'),
      crawlers.records.filter(({ bot_type }) => ['training', 'archive'].includes(bot_type)).map(({ id }) => id),
    );
    const withComma = crawlers.records.find(({ purpose }) => purpose.includes(', ') && purpose.length < 200);
    assert.ok(withComma);
    const found = await idsOf(`/api/crawlers?${new URLSearchParams({ purpose: withComma.purpose })}`);
    assert.ok(found.includes(withComma.id));
  });

  it('"null" finds what is missing, also where a field is closed', async () => {
    assert.deepEqual(
      await idsOf('/api/models?open_weights=null'),
      models.records.filter(({ open_weights }) => open_weights === null).map(({ id }) => id),
    );
  });
});

describe('one record', () => {
  for (const { path, records } of datasets) {
    it(`of ${path} is shown in the fields that are named, and a wrong name is answered with the right ones`, async () => {
      const record = records[0] as unknown as { id: string; last_verified: string };
      const { body } = await request(app).get(`/api/${path}/${record.id}?fields=last_verified`).expect(200);
      assert.deepEqual(body.record, { id: record.id, last_verified: record.last_verified });
      for (const [query, says] of [
        ['fields=nothing', /"nothing".*last_verified/],
        ['colour=red', /is not known\. Accepted here: .*fields/],
      ] as const) {
        const { body: refused } = await request(app).get(`/api/${path}/${record.id}?${query}`).expect(400);
        assert.match(refused.errors[0].detail, says);
      }
      await request(app).get(`/api/${path}/${record.id}?utm_source=mail`).expect(200);
    });
  }

  it('is shown with a member of a field', async () => {
    const { body } = await request(app).get('/api/models/gpt-4o?fields=pricing_usd_per_mtok.input').expect(200);
    const input = models.get('gpt-4o')?.pricing_usd_per_mtok?.input;
    assert.deepEqual(body.record, { id: 'gpt-4o', pricing_usd_per_mtok: { input } });
  });
});

describe('the matches of a search', () => {
  it('lead from page to page, each once, to as many as there are', async () => {
    const seen: string[] = [];
    let total = -1;
    let address: string | null = `${testBaseUrl}/api/search?q=payments&limit=7&dataset=protocols`;
    while (address !== null) {
      type Page = { next: string | null; matched: number; results: { id: string }[] };
      const { body }: { body: Page } = await request(app).get(address.slice(testBaseUrl.length)).expect(200);
      seen.push(...body.results.map(({ id }) => id));
      total = body.matched;
      address = body.next;
    }
    assert.ok(total > 7);
    assert.equal(seen.length, total);
    assert.equal(new Set(seen).size, total);
    const { body } = await request(app).get('/api/search?q=payments&limit=50&dataset=protocols').expect(200);
    assert.deepEqual(
      body.results.map(({ id }: { id: string }) => id),
      seen.slice(0, 50),
    );
  });
});

describe('a parameter that an endpoint does not know', () => {
  for (const address of [
    '/api/search?q=gptbot&page=2',
    '/api/guestbook?since=2026-01-01&page=1',
    '/api/verify-crawler?ua=GPTBot&address=192.0.2.1',
    '/api/ask?q=What%20is%20MCP&lang=en',
  ]) {
    it(`is refused: ${address}`, async () => {
      const { body } = await request(app).get(address).expect(400);
      assert.match(body.errors[0].detail, /is not known\. Accepted here: /);
    });
  }

  it('is passed over where none is taken', async () => {
    await request(app).get('/api/techniques?page=2').expect(200);
  });
});

describe('a value that no record has', () => {
  const near: [path: string, parameter: string, says: RegExp][] = [
    ['models?provider=Gooogle', 'provider', /no record has "Gooogle"\. Near it: .*\bGoogle\b/],
    ['models?license=apache', 'license', /Near it: .*Apache/],
    ['models?name=claude', 'name', /Near it: Claude /],
    ['models?provider=Gooogle,OpenAI', 'provider', /no record has "Gooogle"/],
    ['crawlers?operator=Facebook', 'operator', /Near it: .*Meta/],
    ['crawlers?operator=zxqv', 'operator', /Most records have: /],
  ];
  for (const [path, parameter, says] of near) {
    it(`is answered with values near it: ${path}`, async () => {
      const { body } = await request(app).get(`/api/${path}`).expect(200);
      assert.equal(body.matched === 0, !path.includes('OpenAI'));
      assert.deepEqual(
        body.hints.map((hint: { parameter: string }) => hint.parameter),
        [parameter],
      );
      assert.match(body.hints[0].detail, says);
    });
  }

  it('has no hint where one has it and other conditions leave nothing', async () => {
    const { body } = await request(app).get('/api/models?provider=OpenAI&released_to=2001').expect(200);
    assert.deepEqual([body.matched, body.hints], [0, undefined]);
  });
});

describe('what no model can be', () => {
  const refused: [query: string, pointer: string, says: RegExp][] = [
    ['released=lastweek', '?released', /a day, a month or a year/],
    ['released=2026-13-45', '?released', /a day, a month or a year/],
    ['released=2026-1', '?released', /a day, a month or a year/],
    ['context_window=many', '?context_window', /a number such as/],
    ['released_from=2026-12-01&released_to=2026-01-01', '?released_from', /lies above released_to/],
    ['context_window_from=2000&context_window_to=1000', '?context_window_from', /lies above context_window_to/],
    ['status=active,nothing', '?status', /is not one of/],
    ['provider=OpenAI&provider=Google', '?provider', /commas/],
  ];
  for (const [query, pointer, says] of refused) {
    it(query, async () => {
      const { body } = await request(app).get(`/api/models?${query}`).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
      assert.match(body.errors[0].detail, says);
    });
  }
});

describe('what is refused', () => {
  const refused: [query: string, pointer: string, says: RegExp][] = [
    ['bot_type=trainings', '?bot_type', /training, search-index, user-action-fetcher/],
    ['fields=nothing', '?fields', /"nothing".*robots_token/],
    ['fields=', '?fields', /is empty/],
    ['sort=-nothing', '?sort', /"-nothing".*last_verified/],
    ['view=tiny', '?view', /compact, full/],
    ['limit=0', '?limit', /less than 1/],
    ['limit=ten', '?limit', /whole number/],
    ['last_verified_from=yesterday', '?last_verified_from', /a day, a month or a year/],
    ['cursor=xyz', '?cursor', /this list/],
    ['cursor=WyIiLCJub2JvZHkiXQ', '?cursor', /this list/],
  ];
  for (const [query, pointer, says] of refused) {
    it(query, async () => {
      const { body } = await request(app).get(`/api/crawlers?${query}`).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
      assert.match(body.errors[0].detail, says);
    });
  }

  it('an id that is not known leads to the compact list', async () => {
    const { body } = await request(app).get('/api/crawlers/no-such-bot').expect(404);
    assert.match(body.detail, /\/api\/crawlers\?view=compact/);
  });
});
