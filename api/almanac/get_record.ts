import { z } from 'zod';
import { datasets } from '#almanac/datasets/index.ts';
import { shownFields } from '#almanac/record-fields.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';
import { namesIn } from './list-parameters.ts';
import { findRecord, onlyFields, RecordEnvelope } from './operations.ts';

/** A dataset goes by its segment in paths and by its id; of all but one dataset both are the same. */
export const datasetNames = [...new Set(datasets.flatMap(({ id, path }) => [id, path]))] as [string, ...string[]];

/** The dataset with a name that a schema has let through. */
export function datasetAt(name: string): (typeof datasets)[number] {
  const dataset = datasets.find(({ path, id }) => path === name || id === name);
  if (dataset === undefined) {
    throw new Error(`no dataset is called ${name}`);
  }
  return dataset;
}

export const getRecord = defineTool({
  name: 'get_record',
  title: 'Get a record',
  description:
    'Returns one record by its id, whole or the fields you name, with what changed in it. search_almanac finds ids.',
  method: 'GET',
  path: '/api/{dataset}/{id}',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    dataset: z.enum(datasetNames),
    id: z.string().min(1).max(200),
    fields: z.string().max(1000).optional().describe('Names with commas.'),
  }),
  output: RecordEnvelope,
  example: { dataset: 'protocols', id: 'mcp', fields: 'current_spec_version,spec_date' },
  run: ({ dataset: name, id, fields }, context: AlmanacContext, request) => {
    const dataset = datasetAt(name);
    const shown = shownFields(dataset);
    const unknown = namesIn(fields ?? '').find((field) => !shown.includes(field));
    if (unknown !== undefined) {
      const named = JSON.stringify(echoedLine(unknown).slice(0, 60));
      throw new Problem('invalid-fields', `${dataset.path} has no field ${named}. It has: ${shown.join(', ')}.`, {
        errors: [{ pointer: '/fields', detail: `has no field ${named}` }],
      });
    }
    return onlyFields(findRecord(dataset, id, context, request), fields);
  },
});
