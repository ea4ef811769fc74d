import { z } from 'zod';
import { crawlers, glossary, models, protocols, state } from '#almanac/datasets/index.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import { RecordChange } from '#almanac/record-changes.ts';
import { type AlmanacRecords, checkAlmanac, type DatasetName, datasetNames } from './check.ts';
import { summaryWith } from './summaries.ts';

const Name = z.enum(datasetNames);

/** A report as `npm run almanac:watch` writes it, as far as changes are taken from it. */
export const TakenReport = z.looseObject({
  day: z.iso.date(),
  via: z.enum(['network', 'copies']),
  findings: z.array(
    z.looseObject({
      id: z.string(),
      kind: z.string(),
      source: z.url(),
      message: z.string(),
      record: z.object({ dataset: Name, id: z.string() }).optional(),
      difference: z.object({ field: z.string(), ours: z.unknown(), theirs: z.unknown() }).optional(),
      draft: z.object({ dataset: Name, record: z.record(z.string(), z.unknown()) }).optional(),
    }),
  ),
});
export type TakenReport = z.infer<typeof TakenReport>;
type TakenFinding = TakenReport['findings'][number];

const FileDocument = z.looseObject({
  updated: z.string(),
  fields: z.array(z.string()),
  records: z.array(z.record(z.string(), z.unknown())),
});
type FileDocument = z.infer<typeof FileDocument>;

/** The five dataset files, parsed. */
export type Documents = Readonly<Partial<Record<DatasetName, unknown>>>;

/** What taking changes comes to: the datasets that differ, and the lines for the record of changes. */
export interface Taken {
  documents: Partial<Record<DatasetName, unknown>>;
  changes: RecordChange[];
}

const sourceTitle = ({ source }: TakenFinding): string => new URL(source).hostname;

/** A record with its fields in the order of the dataset. */
function inOrder(record: Readonly<Record<string, unknown>>, fields: readonly string[]): Record<string, unknown> {
  const first = fields.filter((field) => field in record).map((field) => [field, record[field]] as const);
  return { ...Object.fromEntries(first), ...record };
}

function takeDraft(document: FileDocument, finding: TakenFinding, today: string): RecordChange {
  const { draft, source } = finding;
  const record = draft?.record ?? {};
  const id = String(record['id']);
  if (document.records.some((row) => row['id'] === id)) {
    throw new Error(`${finding.id}: there is a record "${id}" already`);
  }
  document.records.push(inOrder(record, document.fields));
  return RecordChange.parse({ date: today, dataset: draft?.dataset, id, kind: 'added', source });
}

/** `readOn` is the day on which the upstream was read, null when it was a copy, which tells nothing about its day. */
function takeDifference(
  document: FileDocument,
  finding: TakenFinding,
  { today, readOn }: { today: string; readOn: string | null },
): RecordChange {
  const { record, difference, source } = finding;
  const row = document.records.find(({ id }) => id === record?.id);
  if (row === undefined || record === undefined || difference === undefined) {
    throw new Error(`${finding.id}: there is no record "${record?.id}"`);
  }
  const { field, ours, theirs } = difference;
  if (JSON.stringify(row[field]) !== JSON.stringify(ours)) {
    throw new Error(`${finding.id}: ${field} is no longer what the report says: run npm run almanac:watch again`);
  }
  row[field] = theirs;
  if (record.dataset === 'models' && typeof row['summary'] === 'string') {
    row['summary'] = summaryWith(row['summary'], field, theirs);
  }
  if (readOn !== null && (typeof row['source_as_of'] !== 'string' || row['source_as_of'] < readOn)) {
    row['source_as_of'] = readOn;
  }
  const sources = z.array(z.object({ url: z.string() })).safeParse(row['sources']);
  if (sources.success && !sources.data.some(({ url }) => url === source)) {
    row['sources'] = [...(row['sources'] as unknown[]), { title: sourceTitle(finding), url: source }];
  }
  return RecordChange.parse({
    date: today,
    dataset: record.dataset,
    id: record.id,
    kind: 'changed',
    field,
    old: ours ?? null,
    new: theirs ?? null,
    source,
  });
}

/** A file's document to work on, its members in the order of the file: zod puts the declared ones first. */
function toDocument(file: unknown): FileDocument {
  const parsed = FileDocument.parse(structuredClone(file));
  const order = Object.keys(z.looseObject({}).parse(file));
  return Object.assign(Object.fromEntries(order.map((member) => [member, null])), parsed);
}

/** The records of the datasets as they would load. Throws an Error that names every fault. */
function load(documents: Documents): AlmanacRecords {
  return {
    crawlers: crawlers.reload(documents.crawlers).records,
    protocols: protocols.reload(documents.protocols).records,
    models: models.reload(documents.models).records,
    glossary: glossary.reload(documents.glossary).records,
    state: state.reload(documents.state).records,
  };
}

function findingOf(id: string, { findings }: TakenReport): TakenFinding {
  const finding = findings.find((each) => each.id === id);
  if (finding === undefined) {
    throw new Error(`The report has no change "${id}". The ids are at the start of its lines.`);
  }
  if (finding.difference === undefined && finding.draft === undefined) {
    throw new Error(`${id} is ${finding.kind}: there is nothing to take. Edit the record by hand if it should change.`);
  }
  return finding;
}

/**
 * Puts accepted changes into the datasets. Throws an Error, and changes nothing, when one of them can't be taken or when the
 * datasets would no longer load or pass the check.
 */
export function takeChanges(ids: readonly string[], report: TakenReport, files: Documents, today: string): Taken {
  const accepted = [...new Set(ids)].map((id) => findingOf(id, report));
  const documents = Object.fromEntries(datasetNames.map((name) => [name, toDocument(files[name])])) as Record<
    DatasetName,
    FileDocument
  >;
  const readOn = report.via === 'network' ? report.day : null;
  const changes = accepted.map((finding) => {
    const name = finding.draft?.dataset ?? finding.record?.dataset ?? 'crawlers';
    documents[name].updated = today;
    return finding.draft === undefined
      ? takeDifference(documents[name], finding, { today, readOn })
      : takeDraft(documents[name], finding, today);
  });
  const { errors } = checkAlmanac(load(documents), { today, identify: identifyUserAgent });
  // A new crawler is recognised only once its file is loaded, so its own examples can't be tried before.
  const added = new Set(
    changes.filter(({ kind }) => kind === 'added').map(({ dataset, id }) => `${dataset} ${id}: ua_examples`),
  );
  const left = errors.filter((error) => ![...added].some((start) => error.startsWith(start)));
  if (left.length > 0) {
    throw new Error(`With these changes the check would fail, so nothing was written:\n${left.join('\n')}`);
  }
  const touched = new Set(changes.map(({ dataset }) => dataset));
  return { documents: Object.fromEntries([...touched].map((name) => [name, documents[name]])), changes };
}
