import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { createTestApp } from '../support/test-app.ts';

/** The scenarios of the public conformance suite that ask for nothing a test server alone has (its tools, its images). */
const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'completion-complete',
  'dns-rebinding-protection',
];

const server = createServer();
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const folder = await mkdtemp(join(tmpdir(), 'porchlight-conformance-'));
after(async () => {
  server.close();
  await rm(folder, { recursive: true });
});
const { port } = server.address() as AddressInfo;
const { app } = createTestApp({ environment: { BASE_URL: `http://127.0.0.1:${port}` } });
server.on('request', app);
const suite = join(
  import.meta.dirname,
  '..',
  '..',
  'node_modules',
  '@modelcontextprotocol',
  'conformance',
  'dist',
  'index.js',
);

for (const scenario of scenarios) {
  test(`the public conformance suite passes: ${scenario}`, async () => {
    const address = `http://127.0.0.1:${port}/mcp`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [suite, 'server', '--url', address, '--scenario', scenario],
      { cwd: folder },
    );
    assert.match(stdout, /Passed: (\d+)\/\1, 0 failed/, stdout);
  });
}
