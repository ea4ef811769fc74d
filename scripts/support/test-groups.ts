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
 * Writes into a folder a module that loads the files of each group, and gives what to run: the groups that hold a file named in `first`,
 * in that order, then the largest. The runner sorts what it's given by name, so each name begins with its place.
 */
export function writeGroups(
  files: readonly string[],
  { root, folder, most, first = [] }: { root: string; folder: string; most: number; first?: readonly string[] },
): string[] {
  const place = (group: readonly string[]): number =>
    Math.min(...group.map((file) => (first.includes(file) ? first.indexOf(file) : first.length)));
  return toGroups(files, most)
    .toSorted((one, other) => place(one) - place(other) || other.length - one.length)
    .map((group, index) => {
      const name = (group[0] ?? '').replaceAll(/[/\\]/g, '-').replace(/(\.\w+)?\.test\.ts$/, '');
      const others = group.length > 1 ? '-and-others' : '';
      const module = join(folder, `${String(index).padStart(3, '0')}-${name}${others}.mjs`);
      const lines = group.map((file) => `await import(${JSON.stringify(pathToFileURL(join(root, file)))});\n`);
      writeFileSync(module, lines.join(''));
      return module;
    });
}
