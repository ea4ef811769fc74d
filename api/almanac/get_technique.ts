import { z } from 'zod';
import { Technique, techniqueCatalog, techniqueIds } from '#almanac/techniques.ts';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

export const getTechnique = defineTool({
  name: 'get_technique',
  title: 'Get one technique',
  description:
    'Returns one technique of the catalog by its id: what it is, why it matters and how to verify it on this site.',
  method: 'GET',
  path: '/api/techniques',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({ id: z.enum(techniqueIds).describe('Id of the technique, such as "llms-txt".') }),
  output: Technique,
  example: { id: 'markdown-negotiation' },
  routeOf: 'list_techniques',
  notes: {
    note: 'The answer is the whole catalog: take the member of its `techniques` array whose `id` is the one asked for. /api/techniques/{id} answers with it alone.',
    select: { list: 'techniques', by: 'id' },
  },
  run: (input, context: AlmanacContext) => {
    const technique = techniqueCatalog(context.config.baseUrl).techniques.find(
      (candidate) => candidate.id === input.id,
    );
    if (technique === undefined) {
      throw new Error(`the catalog lacks ${input.id}, which its schema promises`);
    }
    return technique;
  },
});
