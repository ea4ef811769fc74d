import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const distDir = process.env['DIST_DIR'] ?? join(root, 'dist');

test('docs/rooms.md names what the build makes', () => {
  const row = /^\| `dist\/` \| (.+) \|$/m.exec(readFileSync(join(root, 'docs/rooms.md'), 'utf8'))?.[1] ?? '';
  const named = [...row.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
  assert.ok(named.length >= 4);
  assert.deepEqual(
    named.filter((name) => !existsSync(join(distDir, name))),
    [],
  );
});
