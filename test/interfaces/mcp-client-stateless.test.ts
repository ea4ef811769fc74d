import { test } from 'node:test';
import { statelessVersion } from '#api/catalog/to-mcp.ts';
import { useEverything } from './mcp-official-client.ts';

for (const [name, mode] of [
  ['without a handshake', { pin: statelessVersion }],
  ['as both sides agree', 'auto'],
] as const) {
  test(`the official client lists and calls every tool ${name}, and checks the answers`, () =>
    useEverything({ mode }, statelessVersion));
}
