import { glossary } from '#almanac/datasets/glossary.ts';
import { recordTool } from './operations.ts';

export const defineTerm = recordTool(glossary, {
  name: 'define_term',
  title: 'Define a term',
  description:
    'Returns one term of the glossary by its id: its definition, its other names, related terms and sources.',
  parameter: 'term',
  meaning: 'Id of the term, such as "content-negotiation".',
  example: 'content-negotiation',
});
