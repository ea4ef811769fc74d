import { z } from 'zod';
import { auditedAddress, auditProblems } from '../audits/start.ts';
import { freeOfCharge } from '../contract/prices.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { DirectoryContext } from './context.ts';
import { JoinAnswer, joinDirectory } from './join.ts';

/** Joining the directory; listing it is a tool. */
export const joinOperation = defineTool({
  name: 'join_directory',
  title: 'Join the directory',
  description:
    'Audits a site live and lists it when its score is at least 70. A site that is listed already keeps its id and gets the newer result. Three tries an hour for one client network.',
  method: 'POST',
  path: '/api/directory',
  access: 'open',
  limit: 'audit',
  allowance: 'join',
  readOnly: false,
  creates: { unless: 'The same for a site that was listed already: it keeps its id and has the newer result.' },
  problems: [...auditProblems, 'not-certifiable'],
  input: z.strictObject({
    url: auditedAddress.describe('Absolute https URL of the site. Its home page is audited, and its origin is listed.'),
  }),
  output: JoinAnswer,
  example: { url: 'https://example.com/' },
  notes: {
    note: `Answers 201 when the site is listed now, 200 when it was listed already. ${freeOfCharge.joins.limit} tries an hour for one client network.`,
  },
  run: async ({ url }, context: DirectoryContext, request) => {
    const { isNew, answer } = await joinDirectory(url, context, request);
    return new ToolAnswer(answer, {
      status: isNew ? 201 : 200,
      ...(isNew ? { headers: { Location: `${context.config.baseUrl}/directory` } } : {}),
    });
  },
});
