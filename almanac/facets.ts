import type { AlmanacDataset } from './datasets/index.ts';
import { fieldValue, recordFields } from './record-fields.ts';
import { type ListQuery, listRecords } from './record-list.ts';

/** One value of a field by which a list can be narrowed down. */
export interface Choice {
  /** As the filter of the list takes it: "null" is a missing value. */
  value: string;
  /** How many records have it, among those that fulfil all other conditions. */
  count: number;
  isChosen: boolean;
}

/** A field with its values, those of most records first. */
export interface Facet {
  field: string;
  choices: Choice[];
}

/** Counts the values of fields in a list as its conditions leave it. A field's own condition doesn't narrow its values down. */
export function countFacets(dataset: AlmanacDataset, fields: readonly string[], query: ListQuery): Facet[] {
  const known = recordFields(dataset).map(({ name }) => name);
  const unknown = fields.find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw new Error(`the list of ${dataset.path} has no filter ${unknown}`);
  }
  return fields.map((field) => {
    const { [field]: chosen, ...others } = query.equals ?? {};
    const wanted = chosen === undefined ? [] : [chosen].flat();
    // As the filter compares them: in any case.
    const isWanted = (key: string): boolean => wanted.some((each) => each.toLowerCase() === key);
    const choices = new Map<string, Choice>();
    const add = (value: string, count: number): void => {
      const key = value.toLowerCase();
      const known = choices.get(key) ?? { value, count: 0, isChosen: isWanted(key) };
      choices.set(key, { ...known, count: known.count + count });
    };
    for (const row of listRecords(dataset, { ...query, equals: others }).records) {
      const value = fieldValue(row, field);
      for (const each of new Set((Array.isArray(value) ? value : [value]).map(String))) {
        add(each, 1);
      }
    }
    for (const each of wanted) {
      add(each, 0);
    }
    return { field, choices: [...choices.values()].toSorted((one, other) => other.count - one.count) };
  });
}
