import { datasets } from '#almanac/datasets/index.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { describeScoring } from '#api/audits/scoring.ts';
import { renderMarkdown } from './markdown.ts';
import { pageAt, sitePages } from './site-map.ts';

/** What the palette finds: `[kind, title, path, other words]`. The kind is the place of its name in `kinds`. */
export type SearchEntry = [kind: number, title: string, path: string, words: string];

/** What `/search-index.json` holds. */
export interface SearchIndex {
  kinds: string[];
  entries: SearchEntry[];
}

const kinds = ['Pages', 'Techniques', 'Playbook', 'Checks of the audit', 'Almanac', 'Errors'] as const;
type Kind = (typeof kinds)[number];

/** The names that a record goes by beyond its title. */
function namesOf(record: object): string {
  const row = record as Record<string, unknown>;
  return [
    'aliases',
    'also_known_as',
    'abbreviation',
    'abbreviation_of',
    'operator',
    'robots_token',
    'provider',
    'api_id',
  ]
    .flatMap((field) => row[field] ?? [])
    .filter((value) => typeof value === 'string')
    .join(' ');
}

/**
 * Everything that a reader can go to by name: pages and sections, techniques, chapters, checks, records and error types.
 *
 * @param texts Markdown of each technique, by its id.
 */
export function toSearchIndex(texts: ReadonlyMap<string, string>): SearchIndex {
  const entry = (kind: Kind, title: string, path: string, words = ''): SearchEntry => [
    kinds.indexOf(kind),
    title,
    path,
    words,
  ];
  const kindOf = (path: string): Kind =>
    path.startsWith('/techniques/')
      ? 'Techniques'
      : path.startsWith('/playbook/')
        ? 'Playbook'
        : path.startsWith('/problems/')
          ? 'Errors'
          : 'Pages';
  const sectionsOf = (id: string, source: string): SearchEntry[] =>
    renderMarkdown(source)
      .headings.filter(({ depth }) => depth === 2 || depth === 3)
      .map(({ id: anchor, text }) =>
        entry('Techniques', text, `/techniques/${id}#${anchor}`, pageAt(`/techniques/${id}`).title),
      );
  return {
    kinds: [...kinds],
    entries: [
      ...sitePages
        .filter((page) => !page.isRecord)
        .map((page) => entry(kindOf(page.path), page.title, page.path, page.description)),
      ...[...texts].flatMap(([id, source]) => sectionsOf(id, source)),
      ...describeScoring().checks.map((check) =>
        entry('Checks of the audit', check.title, `/audit/scoring#${check.id}`, check.id),
      ),
      ...datasets.flatMap((dataset) =>
        dataset.records.map((record) =>
          entry('Almanac', recordTitle(record), `/${dataset.path}/${record.id}`, namesOf(record)),
        ),
      ),
    ],
  };
}
