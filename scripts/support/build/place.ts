import { readdir, rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute, join, relative } from 'node:path';

/** What a folder next to the build is: one that is being built, or the one before, on its way out. */
type Leftover = 'building' | 'replaced';

/** Throws when a build can't be in a folder: what's built imports packages by name, which are found from inside the project alone. */
export function checkPlace(distDir: string, projectDir: string): void {
  const path = relative(projectDir, distDir);
  if (path === '' || path.startsWith('..') || isAbsolute(path)) {
    throw new Error(
      `DIST_DIR=${distDir} isn't a folder inside ${projectDir}, and what's built elsewhere doesn't find the packages that it imports. Choose a folder inside, such as ./dist.`,
    );
  }
}

/** The name of a folder next to the build that belongs to this process. */
export const leftoverName = (distDir: string, kind: Leftover): string => `${distDir}.${kind}-${process.pid}`;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const isMissing = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT';

/** Renames a folder; one that isn't there is passed over, and so is a target that is. Resolves with whether it was renamed. */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (isMissing(error) || code === 'ENOTEMPTY' || code === 'EEXIST') {
      return false;
    }
    throw error;
  }
}

/**
 * Removes what processes that have ended left next to the build. A build that was on its way out is put back if there is no
 * other.
 */
export async function removeLeftovers(distDir: string): Promise<void> {
  const parent = dirname(distDir);
  const names = await readdir(parent).catch((error: unknown) => {
    if (isMissing(error)) {
      return [];
    }
    throw error;
  });
  for (const name of names) {
    const [, kind, pid] = /^\.(building|replaced)-(\d+)$/.exec(name.slice(basename(distDir).length)) ?? [];
    if (!name.startsWith(basename(distDir)) || kind === undefined || isAlive(Number(pid))) {
      continue;
    }
    const folder = join(parent, name);
    if (kind === 'building' || !(await renameIfThere(folder, distDir))) {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

/** Puts a finished build in the place of the one before. */
export async function moveIntoPlace(finished: string, distDir: string): Promise<void> {
  const replaced = leftoverName(distDir, 'replaced');
  await renameIfThere(distDir, replaced);
  await rename(finished, distDir);
  await rm(replaced, { recursive: true, force: true });
}
