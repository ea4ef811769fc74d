import { z } from 'zod';
import { TechniqueCatalog, techniqueCatalog } from '#almanac/techniques.ts';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

export const listTechniques = defineTool({
  name: 'list_techniques',
  title: 'List the techniques',
  description:
    'Returns the catalog of 12 techniques that make a website usable by agents: what each is, why it matters and how to verify it on this site.',
  method: 'GET',
  path: '/api/techniques',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({}),
  output: TechniqueCatalog,
  example: {},
  run: (_input, context: AlmanacContext) => techniqueCatalog(context.config.baseUrl),
});
