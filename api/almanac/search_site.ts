import { z } from 'zod';
import { echoedLine, unindexed } from '../contract/echoed-line.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';
import { SearchAnswer, searchRecords } from './search_almanac.ts';

export const searchSite = defineTool({
  name: 'search_site',
  title: 'Search the pages',
  description: 'Finds sections of pages by keyword, for read_page: how to do something, what the API does.',
  method: 'GET',
  path: '/api/search?kind=page',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    q: z.string().trim().max(500).overwrite(echoedLine).min(1, 'is empty: give one word or more'),
    limit: z.int().min(1).max(50).optional(),
    cursor: z
      .string()
      .regex(/^\d{1,5}$/, 'is not one that this list gave')
      .optional(),
  }),
  output: SearchAnswer,
  example: { q: 'markdown nginx', limit: 5 },
  run: (input, context: AlmanacContext) =>
    new ToolAnswer(searchRecords({ ...input, kind: 'page' }, context), unindexed),
});
