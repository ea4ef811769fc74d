import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ListedExchange, listExchanges } from '#api/audit/exchange-list.ts';
import type { Exchange } from '#api/fetch/exchange.ts';

const startedAt = '2026-11-22T10:00:00.000Z';

const exchange = (members: Partial<Exchange> & { after: number; url: string }): Exchange => ({
  request: { method: 'GET', url: members.url, headers: { accept: 'text/html' } },
  hops: [],
  status: 200,
  headers: {},
  body: '',
  bodyBytes: 7,
  bodySha256: null,
  truncated: false,
  tls: null,
  timings: {
    startedAt: new Date(Date.parse(startedAt) + members.after).toISOString(),
    firstByteMs: 1,
    totalMs: 12.4,
  },
  outcome: 'ok',
  error: null,
  ...members,
});

test('exchanges are listed once, in the order in which they began', () => {
  const home = exchange({ url: 'https://example.com/', after: 40 });
  const listed = listExchanges({
    startedAt,
    exchanges: {
      home,
      'home-browser': structuredClone(home),
      robots: exchange({ url: 'https://example.com/robots.txt', after: 0 }),
    },
  });
  assert.deepEqual(
    listed.map(({ url, start_ms, duration_ms }) => [url, start_ms, duration_ms]),
    [
      ['https://example.com/robots.txt', 0, 12],
      ['https://example.com/', 40, 12],
    ],
  );
});

test('what was not sent is not listed, and what was not answered is', () => {
  const listed = listExchanges({
    startedAt,
    exchanges: {
      home: exchange({ url: 'https://example.com/', after: 5, status: null, outcome: 'timeout' }),
      robots: exchange({ url: 'https://example.com/a', after: 1, outcome: 'robots-disallowed', status: null }),
      missing: exchange({ url: 'https://example.com/b', after: 2, outcome: 'not-asked', status: null }),
    },
  });
  assert.deepEqual(
    listed.map(({ url, status }) => [url, status]),
    [['https://example.com/', null]],
  );
});

test('an address as long as a site likes, and a clock that went back, are within the schema', () => {
  const url = `https://example.com/${'x'.repeat(5000)}`;
  const [one] = listExchanges({ startedAt, exchanges: { home: exchange({ url, after: -900 }) } });
  assert.deepEqual(ListedExchange.parse(one), one);
  assert.deepEqual([one?.url.length, one?.start_ms], [300, 0]);
});
