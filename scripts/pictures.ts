import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { projectDir } from './support/build/stamp.ts';
import { comparePictures, type PictureChange } from './support/pictures/compare.ts';
import { writeSheet } from './support/pictures/sheet.ts';
import { type Picture, takePictures } from './support/pictures/take.ts';
import { freePort, waitFor } from './support/ports.ts';

/**
 * Compares how pages look before and after a change: `npm run pictures -- FOLDER [BASE]`. The commit BASE (`main`) and the
 * working tree are built and photographed in the same run by the same browser, so that no fonts of another machine differ.
 * Ends with 1 when a page looks different and no commit since BASE says that somebody looked, with the trailer
 * `Pictures-Seen: yes`.
 */
const [folder, base = 'main'] = process.argv.slice(2);
if (folder === undefined) {
  console.error('Usage: npm run pictures -- FOLDER [BASE]   (BASE is the commit to compare with, main unless given)');
  process.exit(2);
}

const git = (...words: string[]): string => execFileSync('git', words, { cwd: projectDir, encoding: 'utf8' }).trim();
const commit = git('merge-base', base, 'HEAD');
const port = await freePort();
const trailer = /^Pictures-Seen: yes$/m;

/** Where sources are built for their pictures; below the packages, which the built server imports. */
const distDir = join(projectDir, 'node_modules/.cache/porchlight-pictures');

/** Builds and serves the sources in a folder, on empty data, and takes their pictures. */
async function photograph(sources: string): Promise<Picture[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'porchlight-pictures-'));
  const service = spawn(process.execPath, ['scripts/start.ts'], {
    cwd: sources,
    env: {
      ...process.env,
      PORT: String(port),
      HOST: '127.0.0.1',
      BASE_URL: `http://127.0.0.1:${port}`,
      DATA_DIR: dataDir,
      DIST_DIR: distDir,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  try {
    await waitFor(`http://127.0.0.1:${port}/api/health`, 600);
    return await takePictures(`http://127.0.0.1:${port}`);
  } finally {
    service.kill('SIGTERM');
    await once(service, 'exit');
    await rm(dataDir, { recursive: true, force: true });
    await rm(distDir, { recursive: true, force: true });
  }
}

/** The pictures of a commit, from a worktree of its own with the packages of this one. */
async function photographCommit(): Promise<Picture[]> {
  const tree = await mkdtemp(join(tmpdir(), 'porchlight-base-'));
  git('worktree', 'add', '--detach', '--force', tree, commit);
  try {
    await symlink(join(projectDir, 'node_modules'), join(tree, 'node_modules'));
    return await photograph(tree);
  } finally {
    git('worktree', 'remove', '--force', tree);
  }
}

const before = await photographCommit();
const after = await photograph(projectDir);
const changes: PictureChange[] = [];
for (const [index, picture] of after.entries()) {
  const earlier = before[index];
  const change = earlier === undefined ? null : await comparePictures(earlier, picture);
  if (change !== null) {
    changes.push(change);
    console.log(`${change.name}: ${(change.share * 100).toFixed(2)} % differs`);
  }
}
const target = resolve(folder);
await writeSheet(target, after, changes);
console.log(
  `${changes.length} of ${after.length} pictures differ from ${commit.slice(0, 7)}. Look at ${join(target, 'index.html')}.`,
);
if (changes.length > 0 && !trailer.test(git('log', '--format=%B', `${commit}..HEAD`))) {
  console.error('When they are as they should be, say so in a commit: a line `Pictures-Seen: yes` at its end.');
  process.exitCode = 1;
}
