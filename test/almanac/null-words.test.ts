import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { models } from '#almanac/datasets/models.ts';
import { protocols } from '#almanac/datasets/protocols.ts';
import { state } from '#almanac/datasets/state.ts';

/** A record of a dataset; the test fails when there is none. */
function recordOf<Row extends { id: string }>(dataset: { get(id: string): Row | undefined }, id: string): Row {
  const record = dataset.get(id);
  assert.ok(record, id);
  return record;
}

test('null has its word where another field rules a value out, and nowhere else', () => {
  const gptBot = recordOf(crawlers, 'gptbot');
  const secondary = crawlers.records.find(({ evidence }) => evidence === 'secondary');
  const token = crawlers.records.find(({ sends_own_user_agent }) => !sends_own_user_agent);
  const event = state.records.find(({ value }) => value === null);
  const [model] = models.records;
  const [protocol] = protocols.records;
  assert.ok(secondary && token && event && model && protocol);
  assert.deepEqual(
    [
      crawlers.nullWord(gptBot, 'primary_source'),
      crawlers.nullWord(gptBot, 'replaces'),
      crawlers.nullWord(gptBot, 'operator_country'),
      crawlers.nullWord(gptBot, 'ua_full'),
      crawlers.nullWord(secondary, 'primary_source'),
      crawlers.nullWord(token, 'ua_substring'),
      crawlers.nullWord({ ...gptBot, robots_token: null }, 'robots_snippet'),
      crawlers.nullWord({ ...gptBot, supports_web_bot_auth: false }, 'jwks_url'),
      crawlers.nullWord({ ...gptBot, supports_web_bot_auth: null }, 'jwks_url'),
      models.nullWord({ ...model, open_weights: false }, 'weights_url'),
      models.nullWord({ ...model, open_weights: null }, 'weights_url'),
      models.nullWord({ ...model, status: 'current' }, 'retired_on'),
      models.nullWord({ ...model, status: 'retired' }, 'retired_on'),
      protocols.nullWord(protocol, 'governance_body'),
      state.nullWord(event, 'unit'),
      state.nullWord(event, 'scope'),
      state.nullWord({ ...event, value: 1 }, 'method'),
      crawlers.nullWord(recordOf(crawlers, 'scrapy'), 'operator_country'),
      protocols.nullWord(recordOf(protocols, 'ietf'), 'current_spec_version'),
      protocols.nullWord(recordOf(protocols, 'agents-md'), 'current_spec_version'),
      protocols.nullWord(recordOf(protocols, 'agents-md'), 'spec_date'),
    ],
    [
      'does not apply',
      'none',
      'not confirmed',
      'not confirmed',
      'not confirmed',
      'does not apply',
      'does not apply',
      'does not apply',
      'not confirmed',
      'does not apply',
      'not confirmed',
      'does not apply',
      'not confirmed',
      'not confirmed',
      'does not apply',
      'does not apply',
      'not stated',
      'does not apply',
      'does not apply',
      'not confirmed',
      'does not apply',
    ],
  );
});

test('a model has no token limit, token price or tools where what it writes rules them out', () => {
  const [model] = models.records;
  assert.ok(model);
  const fields = ['max_output', 'pricing_usd_per_mtok', 'tool_use'] as const;
  const words = (...outputs: typeof model.output_modalities): string[] =>
    fields.map((field) => models.nullWord({ ...model, output_modalities: outputs }, field));
  assert.deepEqual(words('text'), ['not confirmed', 'not confirmed', 'not confirmed']);
  assert.deepEqual(words(), ['not confirmed', 'not confirmed', 'not confirmed']);
  assert.deepEqual(words('image'), ['not confirmed', 'not confirmed', 'does not apply']);
  assert.deepEqual(words('image', 'text'), ['not confirmed', 'not confirmed', 'not confirmed']);
  assert.deepEqual(words('embedding'), ['does not apply', 'not confirmed', 'does not apply']);
  assert.deepEqual(words('audio', 'video'), ['does not apply', 'does not apply', 'does not apply']);
});

test('a record whose evidence is primary has no origin to be missed', () => {
  for (const { id, records, nullWord } of datasets as readonly {
    id: string;
    records: readonly { id: string; evidence?: string; primary_source?: string | null }[];
    nullWord(record: object, field: string): string;
  }[]) {
    for (const record of records.filter(({ evidence, primary_source: origin }) => evidence === 'primary' && !origin)) {
      assert.equal(nullWord(record, 'primary_source'), 'does not apply', `${id} ${record.id}`);
    }
  }
});
