import { z } from 'zod';
import { freeOfCharge, prices, pricing } from '../contract/prices.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import { paymentHeaders } from '../payments/pay-for.ts';
import type { AuditContext } from './context.ts';
import {
  AuditAnswer,
  AuditFixesAnswer,
  AuditSummaryAnswer,
  auditedAddress,
  auditProblems,
  startAudit,
  toAnswerIn,
} from './start.ts';
import { auditTime } from './time.ts';
import { auditViews, fixPlatform } from './views.ts';

export const auditSite = defineTool({
  name: 'audit_site',
  title: 'Audit a site',
  description: `Audits a public website for agents, live: it is fetched as people and agents would, judged by checks under the twelve techniques, and scored from 0 to 100, with evidence and a fix for each check. ${auditTime.sentence}`,
  method: 'POST',
  path: prices.audit.path,
  access: 'open',
  limit: 'audit',
  allowance: 'audit',
  readOnly: true,
  headers: paymentHeaders,
  problems: [...auditProblems, 'payment-required'],
  input: z.strictObject({
    url: auditedAddress.describe('Absolute http or https URL of the page to begin with; usually the home page.'),
    view: z
      .enum(auditViews)
      .optional()
      .describe(
        '`full` (all checks with evidence), `summary` (diagnosis and plan, at most 8 KB) or `fixes` (one document for a coding agent). Over HTTP `full` unless given, over MCP `summary`.',
      ),
    platform: fixPlatform.optional(),
  }),
  overMcp: { view: 'summary' },
  output: z.union([AuditAnswer, AuditSummaryAnswer, AuditFixesAnswer]),
  alsoAs: ['text/event-stream'],
  example: { url: 'https://example.com/' },
  notes: {
    note: `${freeOfCharge.audits.limit} audits an hour are free for one client network. With Accept: text/event-stream the events \`progress\`, \`check\`, \`headers\` (Age, payment) and then \`result\` or \`problem\` are sent as they happen. A site that was audited less than a minute ago is answered from that result, with Age.`,
    pricing: pricing.audit,
  },
  run: async ({ url, view, platform }, context: AuditContext, request) => {
    const { answer, headers } = await startAudit(url, context, request);
    return new ToolAnswer(toAnswerIn(answer, { view, platform }, context.config.baseUrl), { headers });
  },
});
