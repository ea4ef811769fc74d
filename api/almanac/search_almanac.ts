import { z } from 'zod';
import { PageMatch, RecordMatch } from '#almanac/search.ts';
import { echoedLine, unindexed } from '../contract/echoed-line.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';
import { datasetAt, datasetNames } from './get_record.ts';

const LinkedRecord = RecordMatch.omit({ path: true }).extend({ url: z.url(), api_url: z.url() });

const LinkedPage = PageMatch.omit({ path: true }).extend({
  url: z.url(),
  markdown_url: z.url().describe('The section alone, as markdown.'),
});

export const SearchAnswer = z.object({
  query: z.string().describe('Untrusted text: the keywords as the visitor put them, on one line.'),
  count: z.int(),
  matched: z.int().describe('How many matches there are, before limit.'),
  next: z.url().nullable().describe('Where the matches go on, or null at their end.'),
  results: z.array(z.union([LinkedRecord, LinkedPage])),
});
export type SearchAnswer = z.infer<typeof SearchAnswer>;

const input = z.strictObject({
  q: z
    .string()
    .trim()
    .max(500)
    .overwrite(echoedLine)
    .min(1, 'is empty: give one word or more')
    .describe('Keywords; at most 500 characters.'),
  limit: z.int().min(1).max(50).optional().describe('10 by default.'),
  dataset: z.enum(datasetNames).optional().describe('Only this dataset.'),
  kind: z
    .enum(['record', 'page', 'all'])
    .optional()
    .describe('record by default; page: sections of the pages of this site, with anchors; all: both.'),
  cursor: z
    .string()
    .regex(/^\d{1,5}$/, 'is not one that this list gave')
    .optional()
    .describe('The one in `next`.'),
});

/** Searches records, sections of pages, or both; of the datasets all, or one by its id or its name in paths. */
export function searchRecords(
  { q, limit = 10, dataset, kind = 'record', cursor }: z.infer<typeof input>,
  { almanac, config }: AlmanacContext,
): SearchAnswer {
  const offset = Number(cursor ?? 0);
  const id = dataset === undefined ? undefined : datasetAt(dataset).id;
  const { matches, total } = almanac.search.page(q, { limit, kind, offset, dataset: id });
  const end = offset + matches.length;
  const goOn = { q, limit: String(limit), kind, ...(id === undefined ? {} : { dataset: id }), cursor: String(end) };
  const linkPage = ({ path, ...match }: PageMatch) => ({
    ...match,
    url: `${config.baseUrl}${path}`,
    markdown_url: `${config.baseUrl}${match.page === '/' ? '/index' : match.page}.md${match.anchor === null ? '' : `?section=${match.anchor}`}`,
  });
  const linkRecord = ({ path, ...match }: RecordMatch) => ({
    ...match,
    url: `${config.baseUrl}${path}`,
    api_url: `${config.baseUrl}/api${path}`,
  });
  return {
    query: q,
    count: matches.length,
    matched: total,
    next: matches.length > 0 && end < total ? `${config.baseUrl}/api/search?${new URLSearchParams(goOn)}` : null,
    results: matches.map((match) => ('page' in match ? linkPage(match) : linkRecord(match))),
  };
}

export const searchAlmanac = defineTool({
  name: 'search_almanac',
  title: 'Search the almanac',
  description:
    'Searches crawlers, protocols, models, glossary and statistics by keyword; ids and names come first, and typing errors are tolerated. kind=all finds sections of pages too.',
  method: 'GET',
  path: '/api/search',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input,
  output: SearchAnswer,
  example: { q: 'web bot auth' },
  run: (input, context: AlmanacContext) => new ToolAnswer(searchRecords(input, context), unindexed),
});
