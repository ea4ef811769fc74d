import { test } from 'node:test';
import { useEverything } from './mcp-official-client.ts';

test('the official client lists and calls every tool with a handshake, and checks the answers', () =>
  useEverything({ mode: 'legacy' }, '2025-11-25'));
