import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Most files of a group, so that a file that hangs ends with its group before long. */
const groupSize = 14;

/**
 * Parts a list of test files by folder: the files of a group run in one process, one after the other, and load what
 * they share once.
 */
export function toGroups(files: readonly string[]): string[][] {
  const byFolder = Object.values(Object.groupBy(files, dirname)).filter((group) => group !== undefined);
  return byFolder.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / groupSize) }, (_, part) =>
      group.slice(part * groupSize, (part + 1) * groupSize),
    ),
  );
}

/**
 * Writes into a folder a module that loads the files of each group, and gives what to run, the largest group first. A group of one
 * file is that file.
 */
export function writeGroups(files: readonly string[], { root, folder }: { root: string; folder: string }): string[] {
  return toGroups(files)
    .toSorted((one, other) => other.length - one.length)
    .map((group) => {
      const [first = ''] = group;
      if (group.length === 1) {
        return first;
      }
      const module = join(
        folder,
        `${first.replaceAll(/[/\\]/g, '-').replace(/(\.\w+)?\.test\.ts$/, '')}-and-others.mjs`,
      );
      const lines = group.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)))});\n`);
      writeFileSync(module, lines.join(''));
      return module;
    });
}
