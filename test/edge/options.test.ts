import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readEdgeOptions } from '../../scripts/support/build/edge/options.ts';

const baseUrl = 'https://porch.example';

test('hosts and the origin of the service', () => {
  assert.deepEqual(readEdgeOptions([], baseUrl), { hosts: [], origin: null });
  assert.deepEqual(readEdgeOptions(['--edge', 'cloudflare', '--edge', 'netlify'], baseUrl), {
    hosts: ['cloudflare', 'netlify'],
    origin: null,
  });
  assert.deepEqual(readEdgeOptions(['--edge=vercel', '--origin', 'https://Origin.porch.example/'], baseUrl), {
    hosts: ['vercel'],
    origin: 'https://origin.porch.example',
  });
});

for (const [args, message] of [
  [['--edge', 'akamai'], /akamai is no host.*--edge cloudflare/],
  [['cloudflare'], /cloudflare is no host/],
  [['--edge'], /edge/],
  [['--edge', 'netlify', '--origin', 'porch.example'], /--origin is the address/],
  [['--edge', 'netlify', '--origin', 'https://origin.porch.example/path'], /no path/],
  [['--edge', 'netlify', '--origin', 'ftp://origin.porch.example'], /--origin is the address/],
  // The worker would ask itself.
  [['--edge', 'netlify', '--origin', 'https://porch.example'], /BASE_URL itself/],
] as [string[], RegExp][]) {
  test(`refused: ${args.join(' ')}`, () => {
    assert.throws(() => readEdgeOptions(args, baseUrl), message);
  });
}
