import { z } from 'zod';
import { changesOfRecord } from '#almanac/change-list.ts';
import type { AlmanacDataset } from '#almanac/datasets/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { pickFields, type Row, rowsOf, shownFields } from '#almanac/record-fields.ts';
import { listRecords } from '#almanac/record-list.ts';
import { Technique, techniqueCatalog, techniqueIds } from '#almanac/techniques.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool, type Tool } from '../contract/tool.ts';
import type { ToolRequest } from '../contract/tool-request.ts';
import type { AlmanacContext } from './context.ts';
import { ChangeOfRecord, listChangesTool } from './list_changes.ts';
import {
  fieldList,
  hintsFor,
  isBare,
  listParameters,
  namesIn,
  toCursor,
  toListQuery,
  withCursor,
} from './list-parameters.ts';
import { makeRobotsTxtTool } from './make_robots_txt.ts';
import { listSnapshots, readSnapshot } from './snapshots.ts';

/** A dataset as its list answers it. */
export const DatasetEnvelope = z.object({
  title: z.string(),
  description: z.string(),
  updated: z.iso.date(),
  fields: z.array(z.string()).describe('The fields that the records show.'),
  count: z.int().optional().describe('How many records this answer holds. It comes with any parameter.'),
  matched: z.int().optional().describe('How many records fulfil the conditions, before limit.'),
  next: z.url().nullable().optional().describe('Where the list goes on, or null at its end.'),
  hints: z
    .array(z.object({ parameter: z.string(), detail: z.string() }))
    .optional()
    .describe('What a filter asks for that no record has, with values near it; present only then.'),
  records: z.array(z.record(z.string(), z.unknown())),
});

/** One record as its address answers it. */
export const RecordEnvelope = z.object({
  dataset: z.string().describe('Id of the dataset.'),
  record: z.record(z.string(), z.unknown()).describe('The record, with the fields that the dataset lists.'),
  changed: z.array(ChangeOfRecord).describe('What changed in the record, newest first: at most ten.'),
});
export type RecordEnvelope = z.infer<typeof RecordEnvelope>;

/** Words that begin an address below a dataset where an id would stand: what says how the address goes on. */
export const restOf: ReadonlyMap<string, (api: string, path: string) => string> = new Map([
  [
    'snapshots',
    (api, path) =>
      `A snapshot has a day: ${api}/${path}/snapshots/YYYY-MM-DD. ${api}/snapshots?dataset=${path} lists them.`,
  ],
]);

/** The record with an id, or a 404 that names the nearest ones. */
export function findRecord(
  dataset: AlmanacDataset,
  id: string,
  context: AlmanacContext,
  { isOverMcp }: Pick<ToolRequest, 'isOverMcp'> = { isOverMcp: false },
): RecordEnvelope {
  const record = dataset.get(id) ?? rowsOf(dataset).find((row) => row.id === id.toLowerCase());
  if (record !== undefined) {
    return {
      dataset: dataset.id,
      record: record as Row,
      changed: changesOfRecord(dataset.path, record.id),
    };
  }
  const rest = restOf.get(id);
  if (rest !== undefined) {
    throw new Problem('not-found', rest(`${context.config.baseUrl}/api`, dataset.path));
  }
  const suggestions = context.almanac.search(id.slice(0, 100), { dataset: dataset.id, limit: 3 }).map((match) => ({
    id: match.id,
    title: match.title,
    url: `${context.config.baseUrl}/api${match.path}`,
  }));
  const nearest = suggestions.length > 0 ? ` Near it: ${suggestions.map((each) => each.id).join(', ')}.` : '';
  const api = `${context.config.baseUrl}/api`;
  const ways = isOverMcp
    ? `list_records with dataset ${dataset.path} lists them, and search_almanac searches.`
    : `${api}/${dataset.path}?view=compact lists them all in brief, and ${api}/search?q=… searches.`;
  throw new Problem('not-found', `No record of ${dataset.id} has the id "${id.slice(0, 100)}".${nearest} ${ways}`, {
    members: { suggestions },
  });
}

/** A record with the fields that are named, with commas between them; whole without. */
export function onlyFields(found: RecordEnvelope, fields: string | undefined): RecordEnvelope {
  return fields === undefined
    ? found
    : { dataset: found.dataset, record: pickFields(found.record as Row, namesIn(fields)), changed: [] };
}

/** A tool that reads one record of a dataset by the parameter in its path. */
export const recordTool = (
  dataset: AlmanacDataset,
  declaration: {
    name: string;
    title: string;
    description: string;
    parameter: string;
    meaning: string;
    example: string;
  },
): Tool<AlmanacContext> =>
  defineTool({
    name: declaration.name,
    title: declaration.title,
    description: declaration.description,
    method: 'GET',
    path: `/api/${dataset.path}/{${declaration.parameter}}`,
    access: 'open',
    limit: 'read',
    readOnly: true,
    input: z.strictObject({
      [declaration.parameter]: z.string().min(1).max(200).describe(declaration.meaning),
      fields: fieldList(dataset).optional().describe('Names with commas; a dot leads into a field.'),
    }),
    output: RecordEnvelope,
    example: { [declaration.parameter]: declaration.example },
    run: ({ fields, ...input }, context: AlmanacContext, request) =>
      onlyFields(findRecord(dataset, String(input[declaration.parameter]), context, request), fields),
  });

/** The address of the page after one: the same query with another cursor. */
function nextPage(baseUrl: string, dataset: AlmanacDataset, input: Record<string, unknown>, cursor: string): string {
  const query = new URLSearchParams(
    Object.entries({ ...input, cursor }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  return `${baseUrl}/api/${dataset.path}?${query}`;
}

/** The list of a dataset: whole, or as much of it as the parameters ask for. */
export function listAnswer(
  dataset: AlmanacDataset,
  input: Record<string, string | number | undefined>,
  { config: { baseUrl }, almanac }: AlmanacContext,
) {
  const { title, description, updated } = dataset;
  if (isBare(input)) {
    return { title, description, updated, fields: dataset.fields, records: [...rowsOf(dataset)] };
  }
  const query = toListQuery(dataset, input);
  const { records, matched, next } = withCursor(() => listRecords(dataset, query));
  const { sort } = input;
  const hints = hintsFor(dataset, query, almanac.search);
  const cursor = next === null ? null : toCursor(sort === undefined ? undefined : String(sort), next);
  return {
    title,
    description,
    updated,
    fields:
      query.fields === undefined
        ? dataset.fields
        : shownFields(dataset).filter((name) => name === 'id' || query.fields?.includes(name)),
    count: records.length,
    matched,
    next: cursor === null ? null : nextPage(baseUrl, dataset, input, cursor),
    ...(hints.length === 0 ? {} : { hints }),
    records,
  };
}

export const listOperation = (dataset: AlmanacDataset): Tool<AlmanacContext> =>
  defineTool({
    name: `list_${dataset.path}`,
    title: `${dataset.title}: the list`,
    description:
      'All records, or less: view=compact, fields, limit. Filter by field ("null": none) or range (<field>_from, _to).',
    method: 'GET',
    path: `/api/${dataset.path}`,
    access: 'open',
    limit: 'read',
    readOnly: true,
    input: listParameters(dataset),
    output: DatasetEnvelope,
    example: { view: 'compact', limit: 3 },
    run: (input, context: AlmanacContext) =>
      listAnswer(dataset, input as Record<string, string | number | undefined>, context),
  });

const overview = defineTool({
  name: 'list_datasets',
  title: 'The five datasets',
  description: 'Lists the datasets of the almanac with their size, their date, their pages and their downloads.',
  method: 'GET',
  path: '/api/almanac',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({}),
  output: z.object({
    datasets: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        description: z.string(),
        updated: z.iso.date(),
        count: z.int(),
        url: z.url(),
        api_url: z.url(),
        snapshots: z.url().describe('Its editions: as it was, by day.'),
        downloads: z.object({ json: z.url(), jsonl: z.url(), csv: z.url() }),
      }),
    ),
  }),
  example: {},
  run: (_input, { config }: AlmanacContext) => ({
    datasets: datasets.map(({ id, path, title, description, updated, records }) => ({
      id,
      title,
      description,
      updated,
      count: records.length,
      url: `${config.baseUrl}/${path}`,
      api_url: `${config.baseUrl}/api/${path}`,
      snapshots: `${config.baseUrl}/api/snapshots?dataset=${path}`,
      downloads: {
        json: `${config.baseUrl}/api/${path}`,
        jsonl: `${config.baseUrl}/${path}.jsonl`,
        csv: `${config.baseUrl}/${path}.csv`,
      },
    })),
  }),
});

/** A technique with the addresses of the article about it. */
const TechniqueAnswer = Technique.extend({
  id: z.string(),
  url: z.url().describe('The article: how it works and how to do it.'),
  markdown: z.url().describe('The article as markdown.'),
});

const readTechnique = defineTool({
  name: 'read_technique',
  title: 'One technique',
  description: 'Returns one technique of the catalog by its id, with the address of the article on how to do it.',
  method: 'GET',
  path: '/api/techniques/{id}',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({ id: z.string().min(1).max(100).describe('Id of the technique, such as "llms-txt".') }),
  output: TechniqueAnswer,
  example: { id: 'llms-txt' },
  run: ({ id }, { config: { baseUrl } }: AlmanacContext) => {
    const technique = techniqueCatalog(baseUrl).techniques.find((each) => each.id === id.toLowerCase());
    if (technique === undefined) {
      throw new Problem('not-found', `No technique has the id "${id}". There are: ${techniqueIds.join(', ')}.`);
    }
    const url = `${baseUrl}/techniques/${technique.id}`;
    return { ...technique, url, markdown: `${url}.md` };
  },
});

/** A dataset whose records are read by a tool of the catalog needs no second operation for it. */
const readByTool = new Set(['crawlers', 'glossary']);

/** The retrieval of the datasets over HTTP, beyond the tools. */
export const almanacOperations: readonly Tool<AlmanacContext>[] = [
  overview,
  readTechnique,
  makeRobotsTxtTool,
  listChangesTool,
  listSnapshots,
  readSnapshot,
  ...datasets.flatMap((dataset) => [
    listOperation(dataset),
    ...(readByTool.has(dataset.path)
      ? []
      : [
          recordTool(dataset, {
            name: `get_${dataset.path}_record`,
            title: `${dataset.title}: one record`,
            description: `Returns one record of the dataset ${dataset.id} by its id.`,
            parameter: 'id',
            meaning: `Id of the record, such as "${dataset.records[0]?.id ?? ''}".`,
            example: dataset.records[0]?.id ?? '',
          }),
        ]),
  ]),
];
