import { z } from 'zod';
import { defineTool } from '../contract/tool.ts';
import type { DirectoryContext } from './context.ts';
import { DirectoryList, toDirectoryList } from './responses.ts';

export const listDirectory = defineTool({
  name: 'list_directory',
  title: 'List the directory',
  description:
    'Lists the websites that passed the live audit of this site with a score of at least 70, the newest certification first.',
  method: 'GET',
  path: '/api/directory',
  access: 'open',
  limit: 'read',
  readOnly: true,
  hasEntityTag: 'whole',
  input: z.strictObject({}),
  output: DirectoryList,
  notes: { note: 'POST /api/directory with {"url"} joins: the site is audited live.' },
  run: (_input, { directory, config }: DirectoryContext) => toDirectoryList(directory, config),
});
