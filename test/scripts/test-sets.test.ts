import assert from 'node:assert/strict';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { describe, it, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { toGroups, writeGroups } from '../../scripts/support/test-groups.ts';
import { setOf, testSets } from '../../scripts/support/test-sets.ts';

const root = join(import.meta.dirname, '..', '..');
const files = globSync('test/**/*.test.ts', { cwd: root }).sort();

/** What only the tests of the built site and the slow ones have: the site, nginx, a browser, Java. */
const needsSite = [
  'scripts/support/requirements.ts',
  'test/support/site-under-test.ts',
  'test/support/built-service.ts',
  'test/support/nu-checker.ts',
  'api/live/render-thread.ts',
];

/** What a file below `test` or `scripts` imports, directly or through others of them, with itself. */
function reachedFrom(file: string, reached = new Set<string>()): Set<string> {
  if (!reached.has(file)) {
    reached.add(file);
    for (const [, kind, path] of readFileSync(join(root, file), 'utf8').matchAll(/ from '([#.])([^']+\.ts)'/g)) {
      if (kind === '.') {
        reachedFrom(relative(root, join(root, dirname(file), `.${path}`)), reached);
      } else {
        reached.add(String(path));
      }
    }
  }
  return reached;
}

test('the end of a file name says which set a test belongs to', () => {
  assert.equal(setOf('test/http/limits.test.ts'), 'unit');
  assert.equal(setOf('test/http/contract.site.test.ts'), 'site');
  assert.equal(setOf('test/stores/durability.slow.test.ts'), 'slow');
  for (const set of ['unit', 'site', 'slow']) {
    assert.ok(files.some((file) => setOf(file) === set));
  }
});

describe('a unit test needs no build, no browser and no nginx; what needs one ends in .site.test.ts', () => {
  for (const file of files.filter((name) => setOf(name) === 'unit')) {
    it(file, () => {
      const reached = reachedFrom(file);
      assert.deepEqual(
        needsSite.filter((needed) => reached.has(needed)),
        [],
      );
    });
  }
});

test('a file that holds no tests ends in .ts alone, so that no set runs it', () => {
  const named = globSync('test/**/*.{site,slow,unit}.ts', { cwd: root });
  assert.deepEqual(named, []);
});

test('what the tests of the built site need is found', () => {
  const site = files.filter((file) => setOf(file) === 'site').map((file) => reachedFrom(file));
  for (const needed of needsSite) {
    assert.ok(
      site.some((reached) => reached.has(needed)),
      needed,
    );
  }
});

describe('hooks that run around each test stand in a describe, for files of a folder run in one process', () => {
  for (const file of files.filter((name) => setOf(name) !== 'slow')) {
    it(file, () => {
      assert.doesNotMatch(readFileSync(join(root, file), 'utf8'), /^(?:before|after)Each\(/m);
    });
  }
});

test('files are run by folder, the largest group first, and none is left out', () => {
  const groups = toGroups(files, 14);
  assert.deepEqual(groups.flat().sort(), files);
  assert.ok(groups.every(({ length }) => length <= 14));
  assert.ok(groups.every((group) => new Set(group.map(dirname)).size === 1));
  const alone = files.slice(-2);
  const [one, other, ...rest] = toGroups(files, 14, alone);
  assert.deepEqual([one, other], [alone.slice(0, 1), alone.slice(1)]);
  assert.deepEqual([...alone, ...rest.flat()].sort(), files);
});

test('the module of a group loads each of its files, and the runner, which sorts by name, takes the long ones first', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'groups-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const some = ['test/audit/z.test.ts', 'test/b.test.ts', 'test/http/a.test.ts', 'test/http/c.test.ts'];
  const modules = writeGroups(some, { root, folder, most: 2, first: ['test/b.test.ts'] });
  const loaded = modules.toSorted().map((module) => {
    const files = readFileSync(module, 'utf8').matchAll(/import\("(.*)"\)/g);
    return [...files].map(([, url = '']) => relative(root, fileURLToPath(url)));
  });
  assert.deepEqual(loaded, [
    ['test/b.test.ts'],
    ['test/http/a.test.ts', 'test/http/c.test.ts'],
    ['test/audit/z.test.ts'],
  ]);
});

test('the files that are run first are there, each in its set', () => {
  for (const [set, { first }] of Object.entries(testSets)) {
    assert.deepEqual(
      first.filter((file) => !files.includes(file) || setOf(file) !== set),
      [],
      set,
    );
  }
});
