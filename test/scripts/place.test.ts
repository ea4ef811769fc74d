import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkPlace, leftoverName, moveIntoPlace, removeLeftovers } from '../../scripts/support/build/place.ts';

const folder = mkdtempSync(join(tmpdir(), 'place-'));
after(() => rmSync(folder, { recursive: true }));

/** The id of a process that has ended. */
const gone = spawnSync(process.execPath, ['--version']).pid;

/** A folder with such builds beside each other, each holding a file with its own name. */
function place(name: string, ...builds: string[]): string {
  for (const build of builds) {
    mkdirSync(join(folder, name, build), { recursive: true });
    writeFileSync(join(folder, name, build, 'is'), build);
  }
  return join(folder, name, 'dist');
}

const there = (name: string): string[] => readdirSync(join(folder, name)).sort();

test('a finished build takes the place of the one before, which is gone', async () => {
  const dist = place('replace', 'dist', 'finished');
  await moveIntoPlace(join(folder, 'replace', 'finished'), dist);
  assert.deepEqual(there('replace'), ['dist']);
  assert.equal(readFileSync(join(dist, 'is'), 'utf8'), 'finished');
});

test('a first build needs no place of one before', async () => {
  const dist = place('first', 'finished');
  await moveIntoPlace(join(folder, 'first', 'finished'), dist);
  assert.deepEqual(there('first'), ['dist']);
});

test('what a process that has ended left is removed; what belongs to one that lives, and what is not ours, stays', async () => {
  const kept = ['dist', 'dist.backup', `dist.building-${process.pid}`, `other.building-${gone}`];
  const dist = place('leftovers', ...kept, `dist.building-${gone}`, `dist.replaced-${gone}`);
  await removeLeftovers(dist);
  assert.deepEqual(there('leftovers'), kept.toSorted());
  assert.equal(leftoverName(dist, 'building'), join(folder, 'leftovers', `dist.building-${process.pid}`));
});

test('a process that ended between the two moves: the build before is put back', async () => {
  const dist = place('between', `dist.replaced-${gone}`, `dist.building-${gone}`);
  await removeLeftovers(dist);
  assert.deepEqual(there('between'), ['dist']);
  assert.equal(readFileSync(join(dist, 'is'), 'utf8'), `dist.replaced-${gone}`);
});

test('a folder that is not there holds no leftovers', async () => {
  await removeLeftovers(join(folder, 'none', 'dist'));
});

test('a build outside the project, or in its place, is refused by the name of the setting', () => {
  for (const distDir of ['/srv/site', '/srv', '/srv/porchlight', '/srv/porchlight-dist', '/']) {
    assert.throws(
      () => checkPlace(distDir, '/srv/porchlight'),
      /^Error: DIST_DIR=.* isn't a folder inside \/srv\/porchlight/,
    );
  }
  for (const distDir of ['/srv/porchlight/dist', '/srv/porchlight/node_modules/.cache/site']) {
    assert.doesNotThrow(() => checkPlace(distDir, '/srv/porchlight'));
  }
});
