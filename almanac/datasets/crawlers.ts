import { z } from 'zod';
import { Day, defineDataset, provenance, Slug, WebAddress } from '../dataset.ts';
import { provenanceNulls, unlessFor } from '../null-words.ts';
import { addressLists } from '../watch/log.ts';
import document from './crawlers.json' with { type: 'json' };

/** What a bot fetches for. One record has one type: the use its operator documents, or `undocumented`. */
export const BotType = z.enum([
  'training',
  'search-index',
  'user-action-fetcher',
  'agentic-browser',
  'opt-out-token',
  'data-provider',
  'archive',
  'undocumented',
]);
export type BotType = z.infer<typeof BotType>;

/** How a site can find out whether a request that claims to be this bot really comes from its operator. */
export const VerificationMethod = z.enum(['ip-ranges', 'reverse-dns', 'web-bot-auth', 'user-agent-only', 'none']);
export type VerificationMethod = z.infer<typeof VerificationMethod>;

const HostName = z
  .string()
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, 'expected a bare host name such as "crawl.commoncrawl.org"');

const Cidr = z.union([z.cidrv4(), z.cidrv6()]);

const Sentence = z.string().regex(/^\S.*\.$/s, 'expected a sentence that ends with a full stop');

export const Crawler = z
  .strictObject({
    id: Slug.describe('Slug of the record.'),
    name: z.string().min(2).describe('Name of the bot as its operator writes it.'),
    operator: z.string().min(2).describe('Who runs the bot.'),
    operator_country: z
      .string()
      .regex(/^[A-Z]{2}$/)
      .nullable()
      .describe('ISO 3166-1 alpha-2 code of the country of the operator, null when unconfirmed.'),
    purpose: Sentence.describe('What the bot fetches pages for, in one sentence.'),
    bot_type: BotType.describe(
      'The use the operator documents; `undocumented` when no operator document is known, or reports contradict it.',
    ),
    aliases: z
      .array(z.string().min(2))
      .describe('Other names of the same bot; a User-Agent that holds one is recognised too.'),
    ua_substring: z
      .string()
      .min(3)
      .nullable()
      .describe('Token that identifies the bot in a User-Agent: any case, at word boundaries, longest token first.'),
    ua_full: z.string().min(3).nullable().describe('One full User-Agent string of this bot.'),
    ua_examples: z
      .strictObject({ accepted: z.array(z.string().min(3)), rejected: z.array(z.string().min(3)) })
      .describe('Strings that must be recognised as this record, and look-alikes that must not.'),
    sends_own_user_agent: z.boolean().describe('False for robots.txt tokens and for agents that look like a browser.'),
    robots_token: z.string().min(3).nullable().describe('Product token to use in the User-agent line of robots.txt.'),
    respects_robots: z
      .union([z.boolean(), z.literal('partial')])
      .nullable()
      .describe('Whether it follows robots.txt, as documented by the operator; null when the operator does not say.'),
    opt_out_mechanism: Sentence.nullable().describe('How a site owner opts out.'),
    blocking_effect: Sentence.nullable().describe('What a site loses by blocking the bot, and what it keeps.'),
    robots_snippet: z
      .string()
      .min(10)
      .nullable()
      .describe('The robots.txt group that blocks the bot on the whole site.'),
    verify: Sentence.describe('How to check that a request really comes from this bot.'),
    verification_methods: z.array(VerificationMethod).min(1).describe('The kinds of check that are possible.'),
    published_ip_range_url: WebAddress.nullable().describe('Where the operator publishes its address ranges.'),
    ip_ranges: z
      .strictObject({
        seen: Day.describe('Day on which the published list read like this.'),
        prefixes: z.array(Cidr).min(1).describe('The published prefixes, in CIDR notation.'),
      })
      .nullable()
      .describe('The published list as the watcher last read it. The address above has the current one.'),
    reverse_dns_suffix: z
      .array(HostName)
      .min(1)
      .nullable()
      .describe('Domains under which the host name of a genuine address ends.'),
    supports_web_bot_auth: z.boolean().nullable().describe('Whether requests carry an HTTP message signature.'),
    signature_agent_domain: HostName.nullable().describe('Host named in the Signature-Agent header.'),
    jwks_url: WebAddress.nullable().describe('Key directory with the public keys of the bot.'),
    documentation_url: WebAddress.nullable().describe('The page of the operator about this bot.'),
    status: z.enum(['active', 'retired', 'unconfirmed']).describe('Whether the bot is known to be in use.'),
    replaces: z.array(Slug).min(1).nullable().describe('Ids of the records that this bot took over from.'),
    replaced_by: z.array(Slug).min(1).nullable().describe('Ids of the records that took over from this bot.'),
    ...provenance,
  })
  .superRefine((crawler, context) => {
    const complain = (path: string, message: string): void => {
      context.addIssue({ code: 'custom', path: [path], message });
    };
    if (crawler.bot_type === 'opt-out-token') {
      if (crawler.sends_own_user_agent) {
        complain('sends_own_user_agent', 'an opt-out token sends no requests of its own');
      }
      if (crawler.robots_token === null) {
        complain('robots_token', 'an opt-out token needs its robots.txt token');
      }
      if (crawler.note === null || !/no User-Agent of its own/.test(crawler.note)) {
        complain('note', 'the note of an opt-out token must say that it has no User-Agent of its own');
      }
    }
    if (crawler.sends_own_user_agent) {
      if (crawler.ua_substring === null) {
        complain('ua_substring', 'a bot with its own User-Agent needs a token to be recognised by');
      }
      if (crawler.ua_examples.accepted.length === 0 || crawler.ua_examples.rejected.length === 0) {
        complain('ua_examples', 'a bot with its own User-Agent needs an accepted and a rejected example');
      }
    } else if (crawler.ua_substring !== null || crawler.ua_full !== null || crawler.ua_examples.accepted.length > 0) {
      complain('ua_substring', 'without a User-Agent of its own there is nothing to recognise it by');
    }
    const token = crawler.ua_substring?.toLowerCase();
    if (token !== undefined) {
      for (const example of crawler.ua_examples.accepted) {
        if (!example.slice(0, 1024).toLowerCase().includes(token)) {
          complain('ua_examples', `the accepted example "${example}" does not contain the token`);
        }
      }
    }
    if ((crawler.robots_token === null) !== (crawler.robots_snippet === null)) {
      complain('robots_snippet', 'robots_token and robots_snippet go together');
    } else if (
      crawler.robots_token !== null &&
      !crawler.robots_snippet?.startsWith(`User-agent: ${crawler.robots_token}\n`)
    ) {
      complain('robots_snippet', 'the snippet must open a group for the robots token');
    }
    const methods = new Set(crawler.verification_methods);
    if (methods.size !== crawler.verification_methods.length || (methods.has('none') && methods.size > 1)) {
      complain('verification_methods', 'list each method once, and `none` alone');
    }
    if (methods.has('reverse-dns') !== (crawler.reverse_dns_suffix !== null)) {
      complain('reverse_dns_suffix', 'reverse-dns and a suffix go together');
    }
    if (methods.has('web-bot-auth') !== (crawler.supports_web_bot_auth === true)) {
      complain('supports_web_bot_auth', 'must be true exactly when web-bot-auth is a verification method');
    }
    if (crawler.published_ip_range_url !== null && !methods.has('ip-ranges')) {
      complain('verification_methods', 'a published address list makes ip-ranges a verification method');
    }
    if (crawler.evidence === 'primary' && crawler.primary_source !== null) {
      complain('primary_source', 'is only for records with second-hand evidence');
    }
  });
export type Crawler = z.infer<typeof Crawler>;

const unsigned = unlessFor<Crawler>(({ supports_web_bot_auth }) => supports_web_bot_auth === false);
const namesItself = unlessFor<Crawler>(({ sends_own_user_agent }) => !sends_own_user_agent);

export const crawlers = defineDataset({
  id: 'crawlers',
  path: 'crawlers',
  record: Crawler,
  derive: ({ published_ip_range_url: url }) => ({
    ip_ranges: typeof url === 'string' && Object.hasOwn(addressLists, url) ? addressLists[url] : null,
  }),
  compact: ['id', 'name', 'operator', 'bot_type', 'robots_token', 'respects_robots', 'status'],
  nulls: {
    ...provenanceNulls,
    operator_country: unlessFor(({ operator }) => /\banyone\b/i.test(operator)),
    ua_substring: namesItself,
    ua_full: namesItself,
    respects_robots: 'not stated',
    robots_snippet: unlessFor(({ robots_token }) => robots_token === null),
    ip_ranges: ({ published_ip_range_url }) => (published_ip_range_url === null ? 'does not apply' : 'none'),
    reverse_dns_suffix: 'does not apply',
    signature_agent_domain: unsigned,
    jwks_url: unsigned,
    replaces: 'none',
    replaced_by: 'none',
  },
  document,
});
