import { z } from 'zod';
import { defineTool } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

const Citation = z.object({
  dataset: z.string(),
  id: z.string(),
  title: z.string(),
  url: z.url(),
  api_url: z.url(),
  fields: z.array(z.string()).describe('Fields of the record that the answer rests on.'),
  quote: z.string().describe('What the field says.'),
});

export const AskAnswer = z.object({
  question: z.string(),
  answer: z.string(),
  grounded_in: z.array(Citation).describe('Empty when the question is declined.'),
  confidence: z.number().min(0).max(1),
  answered: z.boolean(),
  understood_as: z.looseObject({ intent: z.string().nullable(), entities: z.array(z.looseObject({})) }),
  alternatives: z.array(
    z.object({ dataset: z.string(), id: z.string(), title: z.string(), url: z.url(), api_url: z.url() }),
  ),
  note: z.string().nullable(),
});

export type AskAnswer = z.infer<typeof AskAnswer>;

/** Answers a question, as the API shows it: with the addresses of what it's grounded in. */
export function answerQuestion(question: string, { almanac, config }: AlmanacContext): AskAnswer {
  const link = <Linked extends { path: string }>({ path, ...rest }: Linked) => ({
    ...rest,
    url: `${config.baseUrl}${path}`,
    api_url: `${config.baseUrl}/api${path}`,
  });
  const answer = almanac.ask(question);
  return {
    ...answer,
    understood_as: {
      ...answer.understood_as,
      entities: answer.understood_as.entities.map((entity) => ({ ...entity })),
    },
    grounded_in: answer.grounded_in.map(link),
    alternatives: answer.alternatives.map(link),
  };
}

export const askAlmanac = defineTool({
  name: 'ask_almanac',
  title: 'Ask the almanac',
  description:
    'Answers a question in natural language from the five datasets alone, with citations and without a generative model. What the datasets do not hold is declined.',
  method: 'GET',
  path: '/api/ask',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    q: z.string().trim().min(1, 'is empty: give a question').max(500).describe('The question, at most 500 characters.'),
  }),
  output: AskAnswer,
  example: { q: 'Who governs MCP?' },
  run: ({ q }, context: AlmanacContext) => answerQuestion(q, context),
});
