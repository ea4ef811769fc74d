import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stackSamples } from '#site/stack-fixes.ts';
import { auditSite } from '../audit/audited.ts';
import { bareSite } from '../audit/sites.ts';

const { report } = await auditSite(bareSite);
const fixed = report.checks.flatMap(({ id, fix }) => (fix === null ? [] : [{ id, fix }]));
const ofServer = fixed.filter(({ fix }) => fix.language === 'nginx');

test('a fix of the server comes for five stacks, the one that was recognised first', () => {
  assert.ok(ofServer.length >= 2, ofServer.map(({ id }) => id).join(' '));
  for (const { id, fix } of ofServer) {
    const samples = stackSamples(id, fix, 'caddy');
    assert.deepEqual(
      samples.map((sample) => sample.id),
      ['caddy', 'nginx', 'apache', 'express', 'cloudflare'],
      id,
    );
    assert.equal(samples.find((sample) => sample.id === 'nginx')?.code, fix.snippet);
    assert.equal(new Set(samples.map(({ code }) => code)).size, 5, id);
    assert.ok(
      samples.every(({ code }) => code.trim() !== '' && !code.includes('undefined')),
      id,
    );
  }
});

test('a stack that has no sample of its own leaves nginx first', () => {
  const [one] = ofServer;
  assert.ok(one);
  assert.equal(stackSamples(one.id, one.fix, 'wordpress')[0]?.id, 'nginx');
});

test('a fix that is the same on every server has no stacks', () => {
  const file = fixed.find(({ fix }) => fix.language !== 'nginx');
  assert.ok(file);
  assert.deepEqual(stackSamples(file.id, file.fix, 'nginx'), []);
});

test('the header of links is the same in every stack', () => {
  const nginx = {
    language: 'nginx',
    snippet: `add_header Link '<https://a.example/llms.txt>; rel="describedby"' always;`,
  };
  const codes = stackSamples('link-headers', nginx, 'nginx').map(({ code }) => code.replaceAll('\\"', '"'));
  assert.equal(codes.length, 5);
  for (const code of codes) {
    assert.ok(code.includes('<https://a.example/llms.txt>; rel="describedby"'), code);
  }
});
