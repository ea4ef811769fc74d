import { z } from 'zod';
import { datasets } from '#almanac/datasets/index.ts';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

/** A dataset goes by its id and by the segment that stands for it in paths; of all but one dataset both are the same. */
const idByName = new Map(datasets.flatMap(({ id, path }) => [[id, id] as const, [path, id] as const]));
const datasetNames = [...idByName.keys()] as [string, ...string[]];

const Match = z.object({
  dataset: z.string().describe('Id of the dataset.'),
  id: z.string(),
  title: z.string(),
  score: z.number().describe('Larger is better; comparable within one answer.'),
  snippet: z.string().describe('Text of the field that fits best, with the words found between double asterisks.'),
  matched: z.array(z.string()).describe('Fields in which words of the query were found.'),
  url: z.url(),
  api_url: z.url(),
});

export const SearchAnswer = z.object({ query: z.string(), count: z.int(), results: z.array(Match) });
export type SearchAnswer = z.infer<typeof SearchAnswer>;

/** Searches the datasets, or one of them by its id or its name in paths. */
export function searchRecords(
  { q, limit = 10, dataset }: { q: string; limit?: number | undefined; dataset?: string | undefined },
  { almanac, config }: AlmanacContext,
): SearchAnswer {
  const id = idByName.get(dataset ?? '');
  const matches = almanac.search(q, { limit, ...(id === undefined ? {} : { dataset: id }) });
  return {
    query: q,
    count: matches.length,
    results: matches.map(({ path, ...match }) => ({
      ...match,
      url: `${config.baseUrl}${path}`,
      api_url: `${config.baseUrl}/api${path}`,
    })),
  };
}

export const searchAlmanac = defineTool({
  name: 'search_almanac',
  title: 'Search the almanac',
  description:
    'Ranked matches for keywords across all five datasets (crawlers, protocols, models, glossary, state of the agentic web). Ids and names come first; prefixes and typing errors are tolerated.',
  method: 'GET',
  path: '/api/search',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .min(1, 'is empty: give one word or more')
      .max(500)
      .describe('Keywords, at most 500 characters.'),
    limit: z.int().min(1).max(50).optional().describe('Most matches to return, 1 to 50; 10 unless told.'),
    dataset: z
      .enum(datasetNames)
      .optional()
      .describe(
        'Search in this dataset only: its id, or its name in paths ("state" is short for "state-of-the-agentic-web").',
      ),
  }),
  output: SearchAnswer,
  example: { q: 'web bot auth' },
  run: (input, context: AlmanacContext) => searchRecords(input, context),
});
