/** Picks `count` items evenly over a list, always the same ones of the same list. */
export function spread<Item>(items: readonly Item[], count: number): Item[] {
  if (items.length <= count) {
    return [...items];
  }
  return Array.from({ length: count }, (_, index) => items[Math.floor(((index + 0.5) * items.length) / count)]).filter(
    (item): item is Item => item !== undefined,
  );
}
