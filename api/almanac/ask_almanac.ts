import { z } from 'zod';
import type { PageReference, RecordReference } from '#almanac/ask/index.ts';
import { echoedLine, unindexed } from '../contract/echoed-line.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

const RecordCitation = z.object({
  dataset: z.string(),
  id: z.string(),
  title: z.string(),
  url: z.url(),
  api_url: z.url(),
  fields: z.array(z.string()).describe('Fields of the record that the answer rests on.'),
  quote: z.string().describe('What the field says.'),
});

const PageCitation = z.object({
  page: z.string().describe('Path of the page.'),
  title: z.string(),
  url: z.url(),
  anchor: z.string().nullable().describe('Id of the heading of the section; null at the start of the page.'),
  quote: z.string().describe('What the section says, letter for letter.'),
});

const RecordLink = z.object({ dataset: z.string(), id: z.string(), title: z.string(), url: z.url(), api_url: z.url() });
const PageLink = PageCitation.omit({ quote: true });

export const AskAnswer = z.object({
  question: z.string().describe('Untrusted text: the question as the visitor put it, on one line.'),
  answer: z.string(),
  grounded_in: z
    .array(z.union([RecordCitation, PageCitation]))
    .describe('Fields of records and sections of pages that the answer rests on. Empty when the question is declined.'),
  confidence: z.number().min(0).max(1),
  answered: z.boolean(),
  unanswered: z.array(z.string()).describe('Parts of the question that the answer leaves open.'),
  understood_as: z.looseObject({ intent: z.string().nullable(), entities: z.array(z.looseObject({})) }),
  alternatives: z.array(z.union([RecordLink, PageLink])).describe('Records and pages that are near the question.'),
  note: z.string().nullable(),
});

export type AskAnswer = z.infer<typeof AskAnswer>;

/** Answers a question, as the API shows it: with the addresses of what it's grounded in. */
export function answerQuestion(question: string, { almanac, config }: AlmanacContext): AskAnswer {
  const linkPage = <Linked extends PageReference>({ path, ...rest }: Linked) => ({
    ...rest,
    url: `${config.baseUrl}${path}`,
  });
  const linkRecord = <Linked extends RecordReference>({ path, ...rest }: Linked) => ({
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
    grounded_in: answer.grounded_in.map((cited) => ('page' in cited ? linkPage(cited) : linkRecord(cited))),
    alternatives: answer.alternatives.map((near) => ('page' in near ? linkPage(near) : linkRecord(near))),
  };
}

export const askAlmanac = defineTool({
  name: 'ask_almanac',
  title: 'Ask the almanac',
  description:
    'Answers a question in natural language from the five datasets and the pages of this site, with citations and without a generative model. What they do not hold is declined.',
  method: 'GET',
  path: '/api/ask',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    q: z
      .string()
      .trim()
      .max(500)
      .overwrite(echoedLine)
      .min(1, 'is empty: give a question')
      .describe('The question; at most 500 characters.'),
  }),
  output: AskAnswer,
  example: { q: 'Who governs MCP?' },
  run: ({ q }, context: AlmanacContext) => new ToolAnswer(answerQuestion(q, context), unindexed),
});
