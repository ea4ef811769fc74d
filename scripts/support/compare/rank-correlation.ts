/** The place of each value among all, from 1; values that are alike share the mean of their places. */
function ranksOf(values: readonly number[]): number[] {
  return values.map((value) => {
    const below = values.filter((other) => other < value).length;
    const alike = values.filter((other) => other === value).length;
    return below + (alike + 1) / 2;
  });
}

/**
 * Spearman's rank correlation of pairs: 1 where both order them alike, -1 where they order them the other way round. Null
 * for fewer than three pairs, or where one side has the same value throughout.
 */
export function rankCorrelation(pairs: readonly (readonly [one: number, other: number])[]): number | null {
  const ones = ranksOf(pairs.map(([one]) => one));
  const others = ranksOf(pairs.map(([, other]) => other));
  const mean = (pairs.length + 1) / 2;
  const product = (left: number[], right: number[]): number =>
    left.reduce((sum, rank, index) => sum + (rank - mean) * ((right[index] ?? mean) - mean), 0);
  const spread = Math.sqrt(product(ones, ones) * product(others, others));
  return pairs.length < 3 || spread === 0 ? null : product(ones, others) / spread;
}
