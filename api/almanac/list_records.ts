import { z } from 'zod';
import { datasets } from '#almanac/datasets/index.ts';
import { defineTool } from '../contract/tool.ts';
import { parseInput } from '../contract/tool-input.ts';
import type { AlmanacContext } from './context.ts';
import { datasetAt, datasetNames } from './get_record.ts';
import { DatasetEnvelope, listAnswer, listOperation } from './operations.ts';

/** The list of each dataset, as the API has it: its parameters are what `filter` and the rest are checked by. */
const lists = new Map(datasets.map((dataset) => [dataset.path, listOperation(dataset)] as const));

export const listRecordsTool = defineTool({
  name: 'list_records',
  title: 'List records',
  description:
    'Lists records by conditions: {"robots_use":"training"}, {"released_from":"2026-09-01"}. A wrong one is answered with the right ones.',
  method: 'GET',
  path: '/api/{dataset}',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    dataset: z.enum(datasetNames),
    filter: z
      .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .describe('Fields with their values, <field>_from and <field>_to; commas between several values.'),
    fields: z.string().optional().describe('Such as name,pricing_usd_per_mtok.input; some by default.'),
    sort: z.string().optional().describe('-released is newest first.'),
    limit: z.int().min(1).max(500).optional().describe('20 by default.'),
    cursor: z.string().optional().describe('The one in `next`.'),
  }),
  output: DatasetEnvelope,
  example: { dataset: 'models', filter: { open_weights: 'true' }, sort: '-released', limit: 3 },
  run: ({ dataset: name, filter = {}, fields, sort, limit = 20, cursor }, context: AlmanacContext) => {
    const dataset = datasetAt(name);
    const list = lists.get(dataset.path) ?? listOperation(dataset);
    const conditions = Object.fromEntries(Object.entries(filter).map(([name, value]) => [name, String(value)]));
    const asked = { ...conditions, ...(fields === undefined ? { view: 'compact' } : { fields }), sort, limit, cursor };
    const input = parseInput(
      list,
      Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    );
    return listAnswer(dataset, input as Record<string, string | number | undefined>, context);
  },
});
