/**
 * The names that get a row of their own: all that count at least `threshold`, the lowest threshold for which they are no
 * more than `most`. So no name is left out that has as many as one that is in. Most first, then by name.
 */
export function atLeast(counts: ReadonlyMap<string, number>, most: number): { names: string[]; threshold: number } {
  const ranked = [...counts].sort(([a, many], [b, more]) => more - many || a.localeCompare(b, 'en'));
  for (let threshold = 1; ; threshold += 1) {
    const names = ranked.flatMap(([name, count]) => (count >= threshold ? [name] : []));
    if (names.length <= most) {
      return { names, threshold };
    }
  }
}
