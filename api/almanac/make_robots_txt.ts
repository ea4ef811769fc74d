import { z } from 'zod';
import { type Choices, makeRobotsTxt, RobotsTxt, type Use, uses } from '#almanac/robots-txt.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

/** What the input chooses: what isn't refused is allowed. */
export const toChoices = (input: Readonly<Partial<Record<Use, string | undefined>>>): Choices => ({
  training: input.training !== 'no',
  search: input.search !== 'no',
  user: input.user !== 'no',
  other: input.other !== 'no',
});

const choice = (use: Use) =>
  z
    .enum(['yes', 'no'], { error: 'is neither yes (allow) nor no (refuse)' })
    .optional()
    .describe(`${uses[use]}; yes by default.`);

export const makeRobotsTxtTool = defineTool({
  name: 'make_robots_txt',
  title: 'Write a robots.txt',
  description:
    "Writes a robots.txt for what you allow (everything, unless you say no): a group for each crawler token whose purpose you refuse, with its source and what the line can't do, and Content-Signal for everybody else.",
  method: 'GET',
  path: '/api/robots',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    training: choice('training'),
    search: choice('search'),
    user: choice('user'),
    other: choice('other'),
    sitemap: z
      .url({ protocol: /^https?$/, error: 'is not an absolute http or https address' })
      .max(500)
      .optional()
      .describe('Address of your sitemap; for the last line.'),
  }),
  output: RobotsTxt,
  firstType: 'text/plain',
  alsoAs: ['text/plain'],
  example: { training: 'no', search: 'yes', user: 'yes' },
  run: ({ sitemap, ...chosen }, { config }: AlmanacContext) => {
    const made = makeRobotsTxt(toChoices(chosen), { site: config.baseUrl, sitemap: sitemap && new URL(sitemap).href });
    return new ToolAnswer(made, { forms: { 'text/plain': made.robots_txt } });
  },
});
