import type { AlmanacDataset } from '#almanac/datasets/index.ts';

/** Parameters by which a list is narrowed down, in the order in which they were given. */
export type Given = readonly (readonly [name: string, value: string])[];

/** The address of a dataset's page with one parameter set, or left out for null. */
export function narrowedPath(dataset: AlmanacDataset, given: Given, name: string, value: string | null): string {
  const others = given.filter(([other]) => other !== name).map(([...pair]) => pair);
  const query = new URLSearchParams(value === null ? others : [...others, [name, value]]);
  return query.size === 0 ? `/${dataset.path}` : `/${dataset.path}?${query}`;
}
