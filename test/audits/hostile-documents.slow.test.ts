import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { AuditFailed } from '#api/audits/errors.ts';
import type { AuditOutcome } from '#api/audits/outcome.ts';
import type { Answer } from '../audit/sites.ts';
import { until } from '../support/until.ts';
import { auditProcesses, serve } from './auditing-service.ts';

describe('large documents end in a report, in 256 MB', () => {
  const page = '<title>A page</title><main><h1>A page</h1><p>Some words.</p></main>';
  const html = (body: string) => ({ type: 'text/html', body });
  const cases: [name: string, answer: Answer][] = [
    [
      'a page of 60,000 links, at every address',
      () =>
        html(
          `${page}${Array.from({ length: 60_000 }, (_, index) => `<a href="/p${index}">link ${index}</a>`).join('')}`,
        ),
    ],
    [
      'deep YAML',
      ({ path }) =>
        path === '/openapi.json' ? { type: 'text/yaml', body: `openapi: ${'['.repeat(500_000)}` } : html(page),
    ],
    [
      'YAML with 40,000 keys',
      ({ path }) =>
        path === '/openapi.json'
          ? {
              type: 'text/yaml',
              body: `openapi: 3.1.0\n${Array.from({ length: 40_000 }, (_, index) => `key${index}: v${index}`).join('\n')}`,
            }
          : html(page),
    ],
  ];
  for (const [name, answer] of cases) {
    it(name, async () => {
      const { start } = await serve(answer);
      const before = auditProcesses();
      const running = start();
      await until(() => auditProcesses().length > before.length, 'the process is there');
      const [pid = 0] = auditProcesses().filter((candidate) => !before.includes(candidate));
      const result = await running;
      assert.equal(result.kind, 'report');
      // proc_pid_status(5): the most that was ever resident.
      const kilobytes = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
      assert.ok(kilobytes > 0 && kilobytes < 256 * 1024, `${Math.round(kilobytes / 1024)} MB`);
    });
  }
});

describe('pages that are made to be slow to read do not hold up the service', () => {
  const deep = '<div>'.repeat(300_000);
  const cases: [name: string, body: string][] = [
    ['deeply nested', deep],
    ['many attributes', `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}="b"`).join(' ')}>`],
    ['formatting that is never closed', '<b><i><a>'.repeat(50_000)],
    ['comments that never end', '<!--'.repeat(400_000)],
  ];
  for (const [name, body] of cases) {
    it(name, async () => {
      const { start } = await serve(({ path }) => (path === '/' ? { type: 'text/html', body } : { status: 404 }), {
        processTimeoutMs: 8000,
      });
      let turns = 0;
      const pulse = setInterval(() => {
        turns += 1;
      }, 1);
      const ending = await start().catch((error: unknown) => error);
      clearInterval(pulse);
      assert.ok(ending instanceof AuditFailed || (ending as AuditOutcome).kind === 'report', String(ending));
      assert.ok(turns > 20, 'the service had its turns meanwhile');
    });
  }
});
