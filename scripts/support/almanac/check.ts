import type { Crawler } from '#almanac/datasets/crawlers.ts';
import type { GlossaryTerm } from '#almanac/datasets/glossary.ts';
import type { Model } from '#almanac/datasets/models.ts';
import type { Protocol } from '#almanac/datasets/protocols.ts';
import type { Statement } from '#almanac/datasets/state.ts';
import { contradictingSummaries } from './summaries.ts';

/** The records of the five datasets, under the names that references use. */
export interface AlmanacRecords {
  crawlers: readonly Crawler[];
  protocols: readonly Protocol[];
  models: readonly Model[];
  glossary: readonly GlossaryTerm[];
  state: readonly Statement[];
}

export type DatasetName = keyof AlmanacRecords;
export const datasetNames = ['crawlers', 'protocols', 'models', 'glossary', 'state'] as const satisfies DatasetName[];

/** A reference from a field of one record to another record. */
interface Reference {
  from: DatasetName;
  id: string;
  field: string;
  to: DatasetName;
  target: string;
}

/** What the check found: one line for each problem. Errors fail the check, warnings don't. */
export interface AlmanacReport {
  errors: string[];
  warnings: string[];
}

/** Hosts that repeat what others publish: a copy can be behind its original, or changed. */
const copies: readonly { host: RegExp; instead: string }[] = [
  { host: /(^|\.)archive\.(org|is|ph|today)$/, instead: 'the original address' },
  { host: /(^|\.)webcache\.googleusercontent\.com$/, instead: 'the original address' },
  { host: /(^|\.)(npmmirror|cnpmjs)\.(com|org)$/, instead: "the project's repository" },
  { host: /(^|\.)(jsdelivr\.net|unpkg\.com|esm\.sh|skypack\.dev)$/, instead: "the project's repository" },
  { host: /(^|\.)(gitee|ghproxy|githubmirror|hub\.fastgit|kkgithub)\.[a-z]+$/, instead: 'the repository itself' },
  { host: /(^|\.)hf-mirror\.com$/, instead: 'huggingface.co' },
  { host: /(^|\.)(ietf-mirror|rfc2cn|faqs)\.[a-z]+$/, instead: 'www.rfc-editor.org' },
  { host: /(^|\.)(r\.jina\.ai|12ft\.io|scribd\.com)$/, instead: 'the original address' },
  { host: /(^|\.)(bit\.ly|t\.co|tinyurl\.com|goo\.gl)$/, instead: 'the address that the short link leads to' },
];

const staleAfterDays = 180;
const millisecondsPerDay = 86_400_000;

function referencesOf(records: AlmanacRecords): Reference[] {
  const references: Reference[] = [];
  const refer = (from: DatasetName, id: string, field: string, to: DatasetName, targets: readonly string[]): void => {
    references.push(...targets.map((target) => ({ from, id, field, to, target })));
  };
  for (const { id, replaces, replaced_by } of records.crawlers) {
    refer('crawlers', id, 'replaces', 'crawlers', replaces ?? []);
    refer('crawlers', id, 'replaced_by', 'crawlers', replaced_by ?? []);
  }
  for (const { id, relationships } of records.protocols) {
    refer(
      'protocols',
      id,
      'relationships',
      'protocols',
      relationships.map(({ target }) => target),
    );
  }
  for (const { id, replaced_by } of records.models) {
    refer('models', id, 'replaced_by', 'models', replaced_by === null ? [] : [replaced_by]);
  }
  for (const { id, see_also, protocols, crawlers } of records.glossary) {
    refer('glossary', id, 'see_also', 'glossary', see_also);
    refer('glossary', id, 'protocols', 'protocols', protocols);
    refer('glossary', id, 'crawlers', 'crawlers', crawlers);
  }
  for (const { id, entities } of records.state) {
    for (const entity of entities) {
      refer('state', id, 'entities', entity.dataset, [entity.id]);
    }
  }
  return references;
}

function duplicateIds(records: AlmanacRecords): string[] {
  return datasetNames.flatMap((name) => {
    const ids = records[name].map(({ id }) => id);
    return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map(
      (id) => `${name} ${id}: id: used more than once`,
    );
  });
}

function deadReferences(records: AlmanacRecords): string[] {
  const known = new Map(datasetNames.map((name) => [name, new Set(records[name].map(({ id }) => id))]));
  return referencesOf(records)
    .filter(({ to, target }) => !known.get(to)?.has(target))
    .map(({ from, id, field, to, target }) => `${from} ${id}: ${field}: ${to} has no record "${target}"`);
}

/** "A replaces B" and "B is replaced by A" say the same; one of them alone is half a fact. */
function oneSidedReplacements(crawlers: readonly Crawler[]): string[] {
  const byId = new Map(crawlers.map((crawler) => [crawler.id, crawler]));
  const missing = (field: 'replaces' | 'replaced_by', inverse: 'replaces' | 'replaced_by'): string[] =>
    crawlers.flatMap((crawler) =>
      (crawler[field] ?? [])
        .filter((target) => byId.has(target) && !byId.get(target)?.[inverse]?.includes(crawler.id))
        .map((target) => `crawlers ${crawler.id}: ${field}: ${target} does not say ${inverse} ${crawler.id}`),
    );
  return [...missing('replaces', 'replaced_by'), ...missing('replaced_by', 'replaces')];
}

function misreadUserAgents(
  crawlers: readonly Crawler[],
  identify: (userAgent: string) => { crawler: { id: string } | null },
): string[] {
  return crawlers.flatMap(({ id, ua_full, ua_examples: { accepted, rejected } }) => [
    ...[...accepted, ...(ua_full === null ? [] : [ua_full])]
      .filter((userAgent) => identify(userAgent).crawler?.id !== id)
      .map(
        (userAgent) =>
          `crawlers ${id}: ua_examples: "${userAgent}" is recognised as ${identify(userAgent).crawler?.id ?? 'no record'}`,
      ),
    ...rejected
      .filter((userAgent) => identify(userAgent).crawler?.id === id)
      .map((userAgent) => `crawlers ${id}: ua_examples: "${userAgent}" must not be recognised, and is`),
  ]);
}

/** Each record's addresses that a reader is sent to as a source, whatever field they're in. */
function sourcesOf(records: AlmanacRecords): { place: string; url: string }[] {
  const cited = datasetNames
    .filter((name) => name !== 'protocols')
    .flatMap((name) =>
      records[name].flatMap((record) => [
        ...record.sources.map(({ url }) => ({ place: `${name} ${record.id}: sources`, url })),
        ...(record.primary_source === null
          ? []
          : [{ place: `${name} ${record.id}: primary_source`, url: record.primary_source }]),
      ]),
    );
  const protocols = records.protocols.flatMap((record) => [
    { place: `protocols ${record.id}: source`, url: record.source },
    ...record.notable_adopters.map(({ source }) => ({
      place: `protocols ${record.id}: notable_adopters`,
      url: source,
    })),
  ]);
  return [...cited, ...protocols];
}

/** What the Internet Archive says on its blog is an original; an item of its catalogue is trusted to be about itself. */
const ofArchive = /^https?:\/\/(blog\.archive\.org|archive\.org\/details)\//;

function unfitSources(records: AlmanacRecords): string[] {
  return sourcesOf(records).flatMap(({ place, url }) => {
    const { hostname } = new URL(url);
    if (/^[\d.]+$|^\[/.test(hostname)) {
      return [`${place}: ${url} is an IP address, which nobody can look up again: cite the site's name`];
    }
    const copy = copies.find(({ host }) => host.test(hostname) && !ofArchive.test(url));
    return copy === undefined ? [] : [`${place}: ${url} is a copy: cite ${copy.instead}`];
  });
}

/** No model has learned of the month in which it came out: catalogues repeat the day of release as the cut-off. */
function impossibleCutOffs(models: readonly Model[]): string[] {
  return models
    .filter(
      ({ knowledge_cutoff: cutOff, released, note }) =>
        cutOff !== null &&
        released !== null &&
        note === null &&
        cutOff.length >= 7 &&
        cutOff.slice(0, 7) >= released.slice(0, 7),
    )
    .map(
      ({ id, knowledge_cutoff: cutOff }) =>
        `models ${id}: knowledge_cutoff: ${cutOff} is the month of the release or later, and no note explains it`,
    );
}

/** Fields that hold days on which something happened, which a copy has to be as new as to show. */
const datedFields = [
  ...['released', 'launch_date', 'spec_date', 'observed', 'published', 'releases'],
  ...['adoption_metric', 'relationships', 'definition', 'statement'],
];
/** "2026-09-01" anywhere in a text, but not in an address. */
const isoDay = /(?<![\w/.-])(20\d\d-\d\d-\d\d)(?![\w/-])/g;

/** A copy of August shows nothing of September: source_as_of is the day of the newest source that a record rests on. */
function olderThanShown(records: AlmanacRecords, today: string): string[] {
  return datasetNames.flatMap((name) =>
    records[name].flatMap(({ source_as_of: day, ...record }) => {
      const values: Readonly<Record<string, unknown>> = record;
      const newest = datedFields
        .flatMap((field) => [...JSON.stringify(values[field] ?? null).matchAll(isoDay)].map(([, found = '']) => found))
        .filter((found) => found <= today)
        .sort()
        .at(-1);
      return day !== null && newest !== undefined && newest > day
        ? [`${name} ${record.id}: source_as_of: ${day} is older than ${newest}, which the record shows`]
        : [];
    }),
  );
}

/** Second-hand evidence has to say where the original is, or what is known about it. */
function unexplainedEvidence(records: AlmanacRecords): string[] {
  return datasetNames.flatMap((name) =>
    records[name].flatMap((record) => {
      const note = 'note' in record ? record.note : null;
      return record.evidence === 'secondary' && !record.primary_source && !note
        ? [`${name} ${record.id}: evidence: second-hand, and neither primary_source nor note says more`]
        : [];
    }),
  );
}

function staleRecords(records: AlmanacRecords, today: string): string[] {
  return datasetNames.flatMap((name) => {
    const ages = records[name].flatMap(({ id, last_verified }) =>
      last_verified === null
        ? []
        : [
            {
              id,
              last_verified,
              days: Math.floor((Date.parse(today) - Date.parse(last_verified)) / millisecondsPerDay),
            },
          ],
    );
    const stale = ages.filter(({ days }) => days > staleAfterDays);
    const unopened = records[name].length - ages.length;
    return [
      ...(unopened === 0
        ? []
        : [`${name}: ${unopened} of ${records[name].length} records cite sources that nobody opened`]),
      ...(stale.length === 0
        ? []
        : [
            `${name}: ${stale.length} of ${records[name].length} records were last verified more than ${staleAfterDays} days before ${today}`,
          ]),
      ...stale.map(({ id, last_verified, days }) => `${name} ${id}: last_verified: ${last_verified}, ${days} days ago`),
    ];
  });
}

/**
 * Checks what a schema cannot see: ids, references between records, User-Agent examples, sources and age. `today` is a
 * day, YYYY-MM-DD; `identify` is what `/api/verify-crawler` answers from.
 */
export function checkAlmanac(
  records: AlmanacRecords,
  options: { today: string; identify: (userAgent: string) => { crawler: { id: string } | null } },
): AlmanacReport {
  return {
    errors: [
      ...duplicateIds(records),
      ...deadReferences(records),
      ...oneSidedReplacements(records.crawlers),
      ...misreadUserAgents(records.crawlers, options.identify),
      ...unexplainedEvidence(records),
      ...impossibleCutOffs(records.models),
      ...olderThanShown(records, options.today),
      ...contradictingSummaries(records.models),
      ...unfitSources(records),
    ],
    warnings: staleRecords(records, options.today),
  };
}
