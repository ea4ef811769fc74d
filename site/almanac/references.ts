import { datasets } from '#almanac/datasets/index.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { techniqueCatalog } from '#almanac/techniques.ts';
import { site } from '../site.ts';

/** A link to a record or a page of this site. */
export interface Reference {
  href: string;
  text: string;
}

const techniqueNames = new Map(techniqueCatalog(site.origin).techniques.map(({ id, name }) => [id as string, name]));

/** A link to the record of a dataset with an id. */
export function recordReference(path: string, id: string): Reference {
  const record = datasets.find((dataset) => dataset.path === path)?.get(id);
  return { href: `/${path}/${id}`, text: record === undefined ? id : recordTitle(record) };
}

/** Fields of each dataset whose values are ids of records: the path of the dataset they lead to. */
const idFields: Record<string, Record<string, string>> = {
  crawlers: { replaces: 'crawlers', replaced_by: 'crawlers' },
  models: { replaced_by: 'models' },
  glossary: { see_also: 'glossary', protocols: 'protocols', crawlers: 'crawlers', techniques: 'techniques' },
};

/** The links that a field holds as ids, or null when it holds something else. */
export function referencesIn(path: string, field: string, value: unknown): Reference[] | null {
  const target = idFields[path]?.[field];
  if (target === undefined || value === null) {
    return null;
  }
  const ids = Array.isArray(value) ? value.map(String) : [String(value)];
  return ids.map((id) =>
    target === 'techniques'
      ? { href: `/techniques/${id}`, text: techniqueNames.get(id) ?? id }
      : recordReference(target, id),
  );
}
