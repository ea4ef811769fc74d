import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixesOf } from '#api/audit/fixes/fixes.ts';
import { platformIds } from '#api/audit/fixes/platforms/index.ts';
import { toServerFix } from '#api/audits/server-fix.ts';
import { auditSite } from '../audit/audited.ts';
import { bareSite } from '../audit/sites.ts';

const { report } = await auditSite(bareSite);
const stackOf = (platform: (typeof platformIds)[number]) => ({ ...report, stack: { platform, judged_by: [] } });

test('a report has one configuration of the server, for five stacks, the one that was recognised first', () => {
  const fix = toServerFix(stackOf('caddy'));
  assert.ok(fix);
  assert.deepEqual(
    fix.stacks.map(({ id }) => id),
    ['caddy', 'nginx', 'apache', 'express', 'cloudflare'],
  );
  for (const id of ['markdown-on-request', 'nosniff', 'cache-lifetimes']) {
    assert.ok(
      fix.checks.some((check) => check === id),
      `${id} of ${fix.checks.join(' ')}`,
    );
  }
  assert.equal(new Set(fix.stacks.flatMap(({ files }) => files.map(({ text }) => text))).size, 7);
  assert.ok(fix.stacks.every(({ tested_with: testedWith, steps }) => testedWith !== null && steps.length > 0));
});

test('it is the one that was tested: that of the fix list and the archive', () => {
  for (const platform of platformIds) {
    const [first] = toServerFix(stackOf(platform))?.stacks ?? [];
    const { configuration } = fixesOf(report, { platform, now: new Date(report.audited_at) });
    assert.equal(first?.id, platform);
    assert.deepEqual({ files: first?.files, steps: first?.steps, limits: first?.limits }, configuration);
  }
});

test('the script that the steps run comes with them, as it was tested', () => {
  const fix = toServerFix(report);
  const { files } = fixesOf(report, { platform: 'nginx', now: new Date(report.audited_at) });
  const naming = fix?.stacks.filter(({ steps }) => steps.some((step) => step.includes('make-twins.mjs')));
  assert.deepEqual(
    naming?.map(({ id }) => id),
    ['nginx', 'apache', 'caddy', 'express', 'cloudflare'],
  );
  assert.deepEqual(
    fix?.script,
    files.find(({ path }) => path === 'make-twins.mjs'),
  );
  for (const { id, steps } of naming ?? []) {
    const text = steps.join('\n');
    assert.ok(text.indexOf('npm install --save-dev unified') < text.indexOf('`node make-twins.mjs'), id);
  }
  const packages = [...(fix?.script?.text ?? '').matchAll(/from '(?!node:)([^']+)'/g)].map(([, name]) => name);
  assert.ok(packages.length > 4);
  for (const name of packages) {
    assert.match(naming?.[0]?.steps[0] ?? '', new RegExp(`\\b${name}\\b`), 'every package that it needs is named');
  }
});

test('no configuration names the script where the fixes lack it', () => {
  for (const platform of platformIds) {
    for (const cause of ['no-markdown', 'no-markdown-address', 'negotiation'] as const) {
      const checks = report.checks.map((check) =>
        check.status === 'fail' || check.status === 'partial' ? { ...check, cause } : check,
      );
      const { files, configuration } = fixesOf({ ...report, checks }, { platform, now: new Date(report.audited_at) });
      const isNamed = configuration?.steps.some((step) => step.includes('make-twins.mjs'));
      assert.ok(!isNamed || files.some(({ path }) => path === 'make-twins.mjs'), `${platform}, ${cause}`);
    }
  }
});

test('a stack that is not among the common ones comes before them', () => {
  assert.deepEqual(
    toServerFix(stackOf('wordpress'))?.stacks.map(({ id }) => id),
    ['wordpress', 'nginx', 'apache', 'caddy', 'express', 'cloudflare'],
  );
});

test('findings that are no matter of the server keep a fix of their own', () => {
  const cleared = new Set<string>(toServerFix(report)?.checks);
  const others = report.checks.filter(({ id, fix }) => fix !== null && !cleared.has(id));
  assert.ok(others.length > 5);
  assert.ok(others.some(({ id }) => id === 'llms-txt-valid'));
});

test('a server that needs no change has no configuration', () => {
  const checks = report.checks.map((check) =>
    check.status === 'fail' || check.status === 'partial' ? { ...check, status: 'pass' as const, cause: null } : check,
  );
  assert.equal(toServerFix({ ...report, checks }), null);
});
