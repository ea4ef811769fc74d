import { isIP } from 'node:net';
import { z } from 'zod';
import { identifyUserAgent } from '#almanac/identify.ts';
import { echoedLine, unindexed } from '../contract/echoed-line.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';

const Identification = z.looseObject({
  ua: z.string().describe('Untrusted text: the part of the string that was read, its first 1,024 characters.'),
  matched: z.string().nullable().describe('The token that decided.'),
  kind: z.enum(['ai-crawler', 'ai-agent', 'bot', 'http-library', 'browser', 'unknown']),
  isLikelyAgent: z.boolean(),
  crawler: z.record(z.string(), z.unknown()).nullable().describe('The record of the almanac, or null.'),
  listed: z
    .strictObject({
      name: z.string(),
      purposes: z.array(z.string()),
      documentation_url: z.string().nullable(),
      source: z.strictObject({ title: z.string(), url: z.url(), license: z.string() }),
    })
    .nullable()
    .describe('The entry of the public list of bots, where the almanac has no record; null otherwise.'),
  operator: z.string().nullable(),
  confidence: z.number().min(0).max(1),
  note: z.string().describe('Says that a User-Agent is a claim and not proof.'),
  how_to_prove: z.looseObject({ method: z.string() }),
  ip: z
    .strictObject({
      address: z.string(),
      in_published_ranges: z
        .union([z.boolean(), z.literal('stale')])
        .nullable()
        .describe('"stale" when our copy of the list is older than 30 days; null when there is nothing to compare.'),
      list: z
        .strictObject({ seen: z.string(), age_days: z.int(), contains: z.boolean() })
        .nullable()
        .describe('Our copy of the list: its day, its age, and whether it has the address.'),
      note: z.string(),
    })
    .optional()
    .describe('Present when an address was given.'),
});

export const identifyUserAgentTool = defineTool({
  name: 'identify_user_agent',
  title: 'Identify a User-Agent',
  description:
    'Says which crawler or agent a User-Agent string claims to be, who operates it, and how the claim could be proved. With an address, checks it against the published ranges. A hint, not proof.',
  method: 'GET',
  path: '/api/verify-crawler',
  access: 'open',
  limit: 'read',
  readOnly: true,
  input: z.strictObject({
    ua: z
      .string()
      .max(4096)
      .overwrite(echoedLine)
      .min(1, 'is empty: give a User-Agent string')
      .describe('The User-Agent string.'),
    ip: z
      .string()
      .max(64)
      .refine((value) => isIP(value) !== 0, 'is not an IPv4 or IPv6 address')
      .optional()
      .describe('The address that the request came from; it is compared with the ranges that the operator publishes.'),
  }),
  output: Identification,
  example: { ua: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)' },
  run: ({ ua, ip }) => {
    const { crawler, how_to_prove, ...rest } = identifyUserAgent(ua, ip === undefined ? {} : { ip });
    return new ToolAnswer(
      { ...rest, crawler: crawler === null ? null : { ...crawler }, how_to_prove: { ...how_to_prove } },
      unindexed,
    );
  },
});
