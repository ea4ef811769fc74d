import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { namedExchanges } from '#api/audit/evidence/exchange-name.ts';
import { toReport } from '#api/audit/report.ts';
import { parseRecording } from '#api/audit/run.ts';
import { assertHolds, recording, repeat, replaced } from './hostile-evidence.ts';

describe('hostile headers', () => {
  const long = 'x'.repeat(60_000);
  const headers: Record<string, string> = {
    link: repeat('</a>; rel="', 60_000),
    vary: repeat('accept,', 60_000),
    'cache-control': `max-age=${'9'.repeat(400)}`,
    'content-type': long,
    'strict-transport-security': repeat('max-age=', 60_000),
    'content-signal': repeat('ai-train=yes,', 60_000),
    'x-robots-tag': repeat('noindex:', 60_000),
    'www-authenticate': repeat('Payment ', 60_000),
    'payment-required': repeat('W', 60_000),
    'cf-mitigated': '\u0000\ud800',
    location: long,
  };
  for (const [name, value] of Object.entries(headers)) {
    test(name, () => assertHolds(replaced((one) => ({ headers: { ...one.headers, [name]: [value, value] } }))));
  }
});

describe('whatever the outcome', () => {
  for (const status of [null, 100, 204, 304, 401, 402, 404, 410, 418, 429, 500, 503, 999]) {
    test(`every status ${status}`, () => assertHolds(replaced(() => ({ status }))));
  }
  for (const outcome of ['refused', 'dns', 'tls', 'timeout', 'protocol', 'robots-disallowed', 'not-asked'] as const) {
    test(`every outcome ${outcome}`, () => {
      const evidence = replaced(() => ({ outcome, status: null, headers: {}, body: '', error: 'It did not work.' }));
      assertHolds(evidence);
      assert.equal(toReport(evidence).certifiable, false);
    });
  }
  test('exchanges are missing one by one', () => {
    for (const [name] of namedExchanges(parseRecording(recording).exchanges)) {
      const evidence = parseRecording(recording);
      delete evidence.exchanges[name];
      assertHolds(evidence);
    }
  });
  test('there is nothing at all', () => {
    const report = toReport({ ...parseRecording(recording), exchanges: {}, pages: [], llmsLinks: [], mcp: null });
    assert.equal(report.score, 0);
    assert.equal(report.provisional, true);
  });
});
