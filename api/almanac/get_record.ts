import { z } from 'zod';
import { datasets } from '#almanac/datasets/index.ts';
import { shownFields } from '#almanac/record-fields.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';
import { namesIn } from './list-parameters.ts';
import { findRecord, onlyFields, RecordEnvelope } from './operations.ts';

export const datasetPaths = datasets.map(({ path }) => path) as [string, ...string[]];

/** The dataset with a name in paths that a schema has let through. */
export function datasetAt(path: string): (typeof datasets)[number] {
  const dataset = datasets.find((each) => each.path === path);
  if (dataset === undefined) {
    throw new Error(`no dataset is at /${path}`);
  }
  return dataset;
}

export const getRecord = defineTool({
  name: 'get_record',
  title: 'Get a record',
  description:
    'Returns one record of a dataset by its id, whole or the fields you name, with what changed in it. Find ids with search_almanac or list_records.',
  method: 'GET',
  path: '/api/{dataset}/{id}',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    dataset: z.enum(datasetPaths),
    id: z.string().min(1).max(200),
    fields: z.string().max(1000).optional().describe('Names with commas between them.'),
  }),
  output: RecordEnvelope,
  example: { dataset: 'protocols', id: 'mcp', fields: 'current_spec_version,spec_date' },
  run: ({ dataset: path, id, fields }, context: AlmanacContext) => {
    const dataset = datasetAt(path);
    const shown = shownFields(dataset);
    const unknown = namesIn(fields ?? '').find((name) => !shown.includes(name));
    if (unknown !== undefined) {
      const named = JSON.stringify(echoedLine(unknown).slice(0, 60));
      throw new Problem('invalid-fields', `${path} has no field ${named}. It has: ${shown.join(', ')}.`, {
        errors: [{ pointer: '/fields', detail: `has no field ${named}` }],
      });
    }
    return onlyFields(findRecord(dataset, id, context), fields);
  },
});
