import { z } from 'zod';
import type { AlmanacDataset } from '#almanac/datasets/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import type { ToolContext } from '../context.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool, type Tool } from '../contract/tool.ts';

type Row = Record<string, unknown> & { id: string };

const rowsOf = (dataset: AlmanacDataset): readonly Row[] => dataset.records as readonly Row[];

const isScalar = (value: unknown): boolean => value === null || ['string', 'number', 'boolean'].includes(typeof value);

/** The fields that a list can be filtered by: those whose values, or the members of whose lists, are single values. */
const filterable = (dataset: AlmanacDataset): string[] =>
  dataset.fields.filter((field) =>
    rowsOf(dataset).every((row) => {
      const value = row[field];
      return value === undefined || isScalar(value) || (Array.isArray(value) && value.every(isScalar));
    }),
  );

/** The values of an enumerated field, or undefined when it takes anything. */
function enumerated(dataset: AlmanacDataset, field: string): string[] | undefined {
  const schema = z.toJSONSchema(dataset.record, { unrepresentable: 'any' }) as {
    properties?: Record<string, { enum?: string[]; anyOf?: { enum?: string[] }[]; items?: { enum?: string[] } }>;
  };
  const property = schema.properties?.[field];
  return property?.enum ?? property?.items?.enum ?? property?.anyOf?.find((option) => option.enum)?.enum;
}

const holds = (value: unknown, wanted: string): boolean =>
  Array.isArray(value)
    ? value.some((member) => holds(member, wanted))
    : String(value).toLowerCase() === wanted.toLowerCase();

/** A dataset as its list answers it. */
export const DatasetEnvelope = z.object({
  title: z.string(),
  description: z.string(),
  updated: z.iso.date(),
  fields: z.array(z.string()),
  records: z.array(z.record(z.string(), z.unknown())),
});

/** One record as its address answers it. */
export const RecordEnvelope = z.object({
  dataset: z.string().describe('Id of the dataset.'),
  record: z.record(z.string(), z.unknown()).describe('The record, with the fields that the dataset lists.'),
});
export type RecordEnvelope = z.infer<typeof RecordEnvelope>;

/** The record with an id, or a 404 that names the nearest ones. */
export function findRecord(dataset: AlmanacDataset, id: string, context: ToolContext): RecordEnvelope {
  const record = dataset.get(id) ?? rowsOf(dataset).find((row) => row.id === id.toLowerCase());
  if (record !== undefined) {
    return { dataset: dataset.id, record: record as Row };
  }
  const suggestions = context.almanac.search(id.slice(0, 100), { dataset: dataset.id, limit: 3 }).map((match) => ({
    id: match.id,
    title: match.title,
    url: `${context.config.baseUrl}/api${match.path}`,
  }));
  const nearest = suggestions.length > 0 ? ` Near it: ${suggestions.map((each) => each.id).join(', ')}.` : '';
  throw new Problem(
    'not-found',
    `No record of ${dataset.id} has the id "${id.slice(0, 100)}".${nearest} ${context.config.baseUrl}/api/${dataset.path} lists them all.`,
    { members: { suggestions } },
  );
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
): Tool =>
  defineTool({
    name: declaration.name,
    title: declaration.title,
    description: declaration.description,
    method: 'GET',
    path: `/api/${dataset.path}/{${declaration.parameter}}`,
    access: 'open',
    limit: 'read',
    readOnly: true,
    input: z.strictObject({ [declaration.parameter]: z.string().min(1).max(200).describe(declaration.meaning) }),
    output: RecordEnvelope,
    example: { [declaration.parameter]: declaration.example },
    run: (input, context) => findRecord(dataset, String(input[declaration.parameter]), context),
  });

function listOperation(dataset: AlmanacDataset): Tool {
  const names = filterable(dataset);
  const shape = Object.fromEntries(
    names.map((name) => {
      const values = enumerated(dataset, name);
      const filter = values === undefined ? z.string().max(200) : z.enum(values as [string, ...string[]]);
      return [name, filter.optional().describe(`Only records whose ${name} is this value, or holds it.`)];
    }),
  );
  return defineTool({
    name: `list_${dataset.path}`,
    title: `${dataset.title}: all records`,
    description: `${dataset.description} Filter by the value of a field; "null" finds the records without one.`,
    method: 'GET',
    path: `/api/${dataset.path}`,
    access: 'open',
    limit: 'read',
    readOnly: true,
    input: z.strictObject(shape),
    output: DatasetEnvelope,
    example: {},
    run: (input) => {
      const filters = Object.entries(input as Record<string, string | undefined>);
      const records = rowsOf(dataset).filter((row) =>
        filters.every(([field, wanted]) => wanted === undefined || holds(row[field] ?? null, wanted)),
      );
      const { title, description, updated, fields } = dataset;
      return { title, description, updated, fields, records: [...records] };
    },
  });
}

const overview: Tool = defineTool({
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
        downloads: z.object({ json: z.url(), jsonl: z.url(), csv: z.url() }),
      }),
    ),
  }),
  example: {},
  run: (_input, { config }) => ({
    datasets: datasets.map(({ id, path, title, description, updated, records }) => ({
      id,
      title,
      description,
      updated,
      count: records.length,
      url: `${config.baseUrl}/${path}`,
      api_url: `${config.baseUrl}/api/${path}`,
      downloads: {
        json: `${config.baseUrl}/api/${path}`,
        jsonl: `${config.baseUrl}/${path}.jsonl`,
        csv: `${config.baseUrl}/${path}.csv`,
      },
    })),
  }),
});

/** A dataset whose records are read by a tool of the catalog needs no second operation for it. */
const readByTool = new Set(['crawlers', 'glossary']);

/** The retrieval of the datasets over HTTP, beyond the tools. */
export const almanacOperations: readonly Tool[] = [
  overview,
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
