import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Parts a list of test files by folder, with at most `most` files in a group. */
export function toGroups(files: readonly string[], most: number): string[][] {
  const byFolder = Object.values(Object.groupBy(files, dirname)).filter((group) => group !== undefined);
  return byFolder.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / most) }, (_, part) => group.slice(part * most, (part + 1) * most)),
  );
}

/**
 * Writes into a folder a module that loads the files of each group, and gives what to run, the largest group first. A group of one
 * file is that file.
 */
export function writeGroups(
  files: readonly string[],
  { root, folder, most }: { root: string; folder: string; most: number },
): string[] {
  return toGroups(files, most)
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
