import type { ShownAudit } from '#api/audits/page-data.ts';
import type { DirectoryEntry } from '#api/directory/responses.ts';
import type { EntryDocument } from '#api/guestbook/responses.ts';
import { identityTiers } from '#api/identity/tiers.ts';
import { absolute } from './site.ts';

/** Data that the page of parts shows the parts with. Sites, visitors and scores are invented. */
type Check = ShownAudit['report']['checks'][number];

const sampleOfCheck = (id: string, title: string, status: Check['status'], points: number | null): Check => ({
  id,
  technique: 'llms-txt',
  title,
  status,
  cause: status === 'fail' || status === 'partial' ? 'llms-txt-missing' : null,
  counted_by: null,
  points,
  weight: 3,
  evidence: [
    {
      request: 'GET https://example.com/llms.txt',
      status: status === 'pass' ? 200 : 404,
      header: 'content-type: text/html; charset=utf-8',
      excerpt: null,
      note: 'What the site answered.',
    },
  ],
  fix:
    status === 'fail' || status === 'partial'
      ? {
          text: 'Put this file at the root of the site, and list the pages that matter most.',
          snippet:
            '# Example\n\n> What the site is for, in one sentence.\n\n- [Start here](https://example.com/start.md)',
          language: 'markdown',
          link: '/techniques/llms-txt',
        }
      : null,
  reference: { title: 'llms.txt', url: 'https://llmstxt.org/' },
  contested: null,
});

/** A finding of each outcome. */
export const sampleChecks: readonly Check[] = [
  sampleOfCheck('llms-txt-valid', 'There is no llms.txt', 'fail', 0),
  sampleOfCheck('llms-txt-covers', 'llms.txt names no sections', 'partial', 1.5),
  sampleOfCheck('llms-txt-linked', 'llms.txt is there', 'pass', 3),
  sampleOfCheck('llms-txt-links', 'There is no API to describe', 'not-applicable', null),
  sampleOfCheck('llms-txt-size', 'The file did not come in time', 'unchecked', null),
];

/** A plan of two steps. */
export const samplePlan: ShownAudit['report']['plan'] = [
  {
    cause: 'no-markdown',
    title: 'Serve your pages as markdown too',
    findings: ['llms-txt-valid', 'llms-txt-covers'],
    unlocks: [],
    points: 18,
    score_after: 59,
    minutes: 45,
    where: 'the web server',
  },
  {
    cause: 'llms-txt-missing',
    title: 'Add an llms.txt',
    findings: ['llms-txt-valid'],
    unlocks: [],
    points: 13,
    score_after: 72,
    minutes: 20,
    where: '/llms.txt',
  },
];

const tiers = ['A', 'B', 'C', 'D', 'n/a'] as const;

/** An entry of the guestbook for each tier of identity, in each state that the owner can give one. */
export const sampleEntries: readonly EntryDocument[] = tiers.map((tier, index) => ({
  id: `00000000000${index}`,
  name: tier === 'C' ? 'Ada' : `Agent ${tier}`,
  message:
    tier === 'D'
      ? 'My signature was not made with the key that I named.'
      : 'I came for the recipes, and took the markdown.',
  model: tier === 'C' ? null : 'example-model-1',
  visitor_type: tier === 'C' ? 'human (probably)' : 'agent',
  user_agent: 'Example/1.0',
  signed_at: '2026-11-02T08:00:00.000Z',
  url: absolute('/guestbook'),
  api_url: absolute('/api/guestbook'),
  signals: tier === 'D' ? ['instruction-shaped'] : [],
  suspicious: tier === 'D',
  ...(tier === 'n/a' ? { truncated: true, stripped_invisible: 2 } : {}),
  identity: { tier, meaning: identityTiers[tier] },
  label:
    tier === 'B' ? { label: 'promotional', reason: 'It sells something.', by: 'the owner', at: '2026-11-03' } : null,
  review:
    tier === 'A'
      ? { state: 'cleared', by: 'the owner', at: '2026-11-03' }
      : { state: tier === 'B' ? 'labelled' : 'awaiting' },
  host_reply:
    tier === 'A' ? { by: 'the owner', drafted_by: 'the owner', at: '2026-11-04', text: 'Good to read.' } : null,
}));

const listing = (host: string, score: number, belowSince: string | null): DirectoryEntry => ({
  id: `00000000000${score % 10}`,
  url: `https://${host}`,
  score,
  grade: score >= 90 ? 'exemplary' : 'agent-ready (certifiable)',
  certified_at: '2026-10-02T08:00:00.000Z',
  badge: `/badge.svg?score=${score}`,
  tier: 'standard',
  checked_at: '2026-11-02T08:00:00.000Z',
  below_since: belowSince,
});

/** A site of the directory that holds its score, and one that has fallen below the mark. */
export const sampleListings: readonly DirectoryEntry[] = [
  listing('docs.example.com', 97, null),
  listing('shop.example.com', 74, '2026-11-02T08:00:00.000Z'),
];
