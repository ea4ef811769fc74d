import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Parts a list of test files by folder, with at most `most` files in a group; those that are named in `alone` are by themselves. */
export function toGroups(files: readonly string[], most: number, alone: readonly string[] = []): string[][] {
  const together = files.filter((file) => !alone.includes(file));
  const byFolder = Object.values(Object.groupBy(together, dirname)).filter((group) => group !== undefined);
  const groups = byFolder.flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / most) }, (_, part) => group.slice(part * most, (part + 1) * most)),
  );
  return [...alone.filter((file) => files.includes(file)).map((file) => [file]), ...groups];
}

/**
 * Writes into a folder a module that loads the files of each group, and gives what to run: the files named in `first`, in that order
 * and each by itself, then the largest groups. The runner sorts what it's given by name, so each name begins with its place.
 */
export function writeGroups(
  files: readonly string[],
  { root, folder, most, first = [] }: { root: string; folder: string; most: number; first?: readonly string[] },
): string[] {
  const alone = first.filter((file) => files.includes(file)).length;
  const groups = toGroups(files, most, first);
  return [...groups.slice(0, alone), ...groups.slice(alone).toSorted((one, other) => other.length - one.length)].map(
    (group, index) => {
      const name = (group[0] ?? '').replaceAll(/[/\\]/g, '-').replace(/(\.\w+)?\.test\.ts$/, '');
      const others = group.length > 1 ? '-and-others' : '';
      const module = join(folder, `${String(index).padStart(3, '0')}-${name}${others}.mjs`);
      const lines = group.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)))});\n`);
      writeFileSync(module, lines.join(''));
      return module;
    },
  );
}
