import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { viewField } from '#site/almanac/field-view.ts';

const line = (...pieces: unknown[]) => ({ as: 'line', pieces });

const cases: [string, { path?: string; field: string; value: unknown }, unknown][] = [
  ['null', { field: 'operator', value: null }, line({ soft: 'not confirmed' })],
  ['text', { field: 'operator', value: 'OpenAI' }, line('OpenAI')],
  ['a truth value', { field: 'is_open', value: false }, line('no')],
  ['a number', { field: 'context_tokens', value: 1_000_000 }, line({ number: '1,000,000' })],
  ['a year', { field: 'year', value: 2026 }, line({ number: '2026' })],
  ['an address', { field: 'docs_url', value: 'https://example.com/a' }, line({ out: 'https://example.com/a' })],
  ['a closed value', { path: 'crawlers', field: 'bot_type', value: 'user-action-fetcher' }, line('fetches for a user')],
  [
    'closed values',
    { path: 'crawlers', field: 'verification_methods', value: ['ip-ranges', 'reverse-dns'] },
    line('address ranges, reverse DNS'),
  ],
  ['a day', { path: 'crawlers', field: 'last_verified', value: '2026-08-22' }, line('22 August 2026')],
  ['a month', { path: 'models', field: 'knowledge_cutoff', value: '2026-05' }, line('May 2026')],
  ['a day that has come', { path: 'models', field: 'retired_on', value: '2026-01-05' }, line('5 January 2026')],
  ['a day ahead', { path: 'models', field: 'retired_on', value: '2099-12-11' }, line('announced for 11 December 2099')],
  ['a version that looks like a day', { field: 'current_spec_version', value: '2026-07-28' }, line('2026-07-28')],
  ['a country', { path: 'crawlers', field: 'operator_country', value: 'US' }, line('United States')],
  ['a list', { field: 'modalities', value: ['text', 'image'] }, line('text, image')],
  ['an empty list', { field: 'modalities', value: [] }, line({ soft: 'none' })],
  ['strings of a User-Agent', { field: 'ua_tokens', value: ['A', 'B'] }, line({ code: 'A' }, { code: 'B' })],
  ['a token', { field: 'robots_token', value: 'GPTBot' }, line({ code: 'GPTBot' })],
  [
    'an endpoint with an address',
    { field: 'discovery_endpoint', value: 'https://a.example/' },
    line({ out: 'https://a.example/' }),
  ],
  ['an endpoint with a path', { field: 'discovery_endpoint', value: '/llms.txt' }, line({ code: '/llms.txt' })],
  ['no adopters', { field: 'notable_adopters', value: [] }, line({ soft: 'none recorded' })],
  [
    'adopters that one source names',
    {
      field: 'notable_adopters',
      value: ['Kiln', 'Porch (beta, on request)'].map((value) => ({ value, source: 'https://a.example/' })),
    },
    line('Kiln; Porch (beta, on request) (', { out: 'https://a.example/' }, ')'),
  ],
  [
    'adopters of several sources',
    {
      field: 'notable_adopters',
      value: [
        { value: 'Kiln', source: 'https://a.example/' },
        { value: 'Lamp', source: 'https://b.example/' },
        { value: 'Porch', source: 'https://a.example/' },
      ],
    },
    {
      as: 'list',
      items: [
        ['Kiln, Porch (', { out: 'https://a.example/' }, ')'],
        ['Lamp (', { out: 'https://b.example/' }, ')'],
      ],
    },
  ],
  ['no entities', { field: 'entities', value: [] }, line({ soft: 'none' })],
  [
    'links to records, and the id of one that is not there',
    { path: 'crawlers', field: 'replaced_by', value: ['gptbot', 'no-such'] },
    line({ href: '/crawlers/gptbot', text: 'GPTBot' }, ', ', { href: '/crawlers/no-such', text: 'no-such' }),
  ],
  [
    'a relationship',
    { field: 'relationships', value: [{ predicate: 'extends', target: 'mcp', note: 'adds apps' }] },
    { as: 'list', items: [['Extends ', { href: '/protocols/mcp', text: 'MCP' }, ': adds apps']] },
  ],
  [
    'releases, newest first',
    {
      field: 'releases',
      value: [
        { version: '1', date: '2025-01' },
        { version: '2', date: '2026-01' },
      ],
    },
    { as: 'list', items: [['2, January 2026'], ['1, January 2025']] },
  ],
  ['no releases', { field: 'releases', value: [] }, line({ soft: 'none recorded' })],
  [
    'address ranges',
    { field: 'ip_ranges', value: { prefixes: ['192.0.2.0/24', '198.51.100.0/24'], seen: '2026-11-01' } },
    { as: 'folded', summary: '2 prefixes, as published on 1 November 2026', text: '192.0.2.0/24, 198.51.100.0/24' },
  ],
  [
    'examples of a User-Agent',
    { field: 'ua_examples', value: { accepted: ['GPTBot/1.0'], rejected: [] } },
    { as: 'lists', lists: [{ title: 'Recognised:', items: [[{ code: 'GPTBot/1.0' }]] }] },
  ],
  [
    'prices',
    {
      field: 'pricing_usd_per_mtok',
      value: {
        input: 2,
        output: 8,
        cached_input: 0.5,
        valid_until: '2026-12-31',
        afterwards: { input: 3, output: 9 },
        long_context: [{ above: 200_000, input: 4, output: 16 }],
        seen: '2026-11-01',
        source: 'https://example.com/prices',
      },
    },
    line(
      '2 input, 8 output, 0.5 cached input, until 31 December 2026, then 3 and 9; above 200,000 input tokens 4 and 16; as of 1 November 2026 at ',
      { out: 'https://example.com/prices' },
    ),
  ],
  [
    'a value with its verification',
    {
      field: 'share',
      value: { verify_status: 'open', value: null, note: 'no source', source_hint: 'https://example.com' },
    },
    line({ soft: 'not confirmed' }, '. ', { soft: 'no source' }, ' ', { out: 'https://example.com' }),
  ],
  [
    'an object without a view of its own',
    { field: 'limits', value: { year: 5 } },
    { as: 'list', items: [['Year: 5']] },
  ],
  ['a field with a view whose value has another shape', { field: 'releases', value: 'none yet' }, line('none yet')],
];

describe('the view of a field', () => {
  for (const [name, { path = 'protocols', field, value }, expected] of cases) {
    test(name, () => assert.deepEqual(viewField(path, field, value, 'not confirmed'), expected));
  }
});
