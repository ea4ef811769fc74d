/** The value below which this share of the others lies; 0 when there are none. */
export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((one, other) => one - other)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

/** The middle one of some values. */
export const median = (values: readonly number[]): number => percentile(values, 0.5);
