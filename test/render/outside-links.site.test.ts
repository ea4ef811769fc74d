import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import rehypeParse from 'rehype-parse';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { type AuditReport, auditReport } from '#api/audit/report.ts';
import { describeScoring } from '#api/audits/scoring.ts';
import { readConfig } from '#api/config.ts';
import type { DirectoryJoined, DirectoryRefusal } from '#api/directory/page-data.ts';
import { toDirectoryEntry, toDirectoryList } from '#api/directory/responses.ts';
import { createDirectory, type Listing, toListingId } from '#api/directory/store.ts';
import { toGuestbookPage } from '#api/guestbook/page-data.ts';
import { toGuestbookList } from '#api/guestbook/responses.ts';
import { createGuestbook } from '#api/guestbook/store.ts';
import { openRenderThread } from '#api/live/render-thread.ts';
import { auditSite } from '../audit/audited.ts';
import { bareSite } from '../audit/sites.ts';
import { toNewEntry } from '../guestbook/new-entry.ts';
import { markupTexts } from '../support/hostile-texts.ts';

const config = readConfig();
const thread = openRenderThread(config.distDir);
after(() => thread.close());

const moment = '2026-11-21T12:00:00.000Z';
const secure = 'https://listed.example';
const plain = 'http://plain.example:8080';
const toSite = (url: string): Omit<Listing, 'id'> => ({
  url,
  score: 88,
  grade: 'agent-ready (certifiable)',
  certified_at: moment,
  tier: 'standard',
  checked_at: moment,
  below_since: null,
});
const directory = createDirectory();
await directory.put(toSite(secure));
await directory.put(toSite(plain));
const entryOf = (url: string) => toDirectoryEntry({ ...toSite(url), id: toListingId(url) });

/** Addresses of our own choice that a page may lead to. */
const chosen = new Set([
  ...describeScoring().checks.map(({ reference }) => reference.url),
  'https://creativecommons.org/licenses/by/4.0/',
]);

const isForeign = (href: string): boolean =>
  new URL(href, config.baseUrl).origin !== config.baseUrl && !chosen.has(href);

/** Everything in a page that leads, loads or sends elsewhere: the element, where to, and the relation. */
function foreignIn(html: string): string[] {
  const found: string[] = [];
  visit(unified().use(rehypeParse).parse(html), 'element', ({ tagName, properties }) => {
    for (const name of ['href', 'src', 'action', 'formAction', 'srcSet', 'cite', 'ping', 'data']) {
      const value = properties[name];
      if (typeof value === 'string' && isForeign(value)) {
        const relation = Array.isArray(properties['rel']) ? properties['rel'].join(' ') : '';
        found.push(`${tagName} ${value} ${relation}`.trim());
      }
    }
  });
  return found;
}

function foreignInMarkdown(markdown: string): string[] {
  const found: string[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(markdown), (node) => {
    if ((node.type === 'link' || node.type === 'image' || node.type === 'definition') && isForeign(node.url)) {
      found.push(node.url);
    }
  });
  return found;
}

async function guestbookFullOfAddresses() {
  const guestbook = createGuestbook({ now: () => new Date(moment) });
  for (const text of [
    'https://evil.example/',
    'javascript:alert(1)',
    '[evil](https://evil.example/)',
    '<https://evil.example/>',
    'www.evil.example',
    'someone@evil.example',
    ...markupTexts,
  ]) {
    const short = text.slice(0, 80);
    const added = await guestbook.add(toNewEntry({ name: short, message: short, model: short }));
    assert.ok(!added.replayed);
    await guestbook.clear(added.entry.id, 'owner');
  }
  return toGuestbookPage(toGuestbookList(guestbook, config, {}), null);
}

/** A report in which every text that comes from the audited site, its own address too, is an address of evil.example. */
async function reportFullOfAddresses(): Promise<AuditReport> {
  const { report } = await auditSite(bareSite);
  const evil = 'https://evil.example/"><a href="javascript:alert(1)">x</a>';
  return auditReport.parse({
    ...report,
    url: 'https://evil.example/',
    final_url: 'https://evil.example/',
    pages: [evil, 'https://evil.example/b'],
    site_type: { ...report.site_type, judged_by: [evil] },
    checks: report.checks.map((check) => ({
      ...check,
      evidence: check.evidence.map((each) => ({
        ...each,
        request: `GET ${evil}`,
        header: evil,
        excerpt: evil,
        note: evil,
      })),
      fix: check.fix === null ? null : { ...check.fix, snippet: evil },
    })),
  });
}

const guestbook = await guestbookFullOfAddresses();
const report = await reportFullOfAddresses();
const toShown = (isListed: boolean, isKept: boolean) => ({
  report,
  recorded_at: moment,
  ageSeconds: 5,
  isKept,
  history: { home: 'https://evil.example/', change: null, results: [] },
  listing: { id: toListingId('https://evil.example'), isListed },
});
const toJoined = (url: string): DirectoryJoined => ({
  congratulations: 'Congratulations.',
  entry: entryOf(url),
  isNew: true,
  auditedUrl: `${url}/`,
});
const refusal: DirectoryRefusal = {
  url: 'javascript:alert(1)',
  slug: 'not-certifiable',
  status: 422,
  title: 'The site does not pass the audit',
  detail: 'See https://evil.example/',
  audit: { url: 'https://evil.example/', score: 40, grade: 'hard to use', coverage: 1 },
  missing: [
    { check: 'llms-txt-present', title: 'llms.txt', status: 'fail', lost: 4, fix: 'See https://evil.example/' },
  ],
  listed: entryOf(plain),
};
const problem = {
  slug: 'audit-target-refused',
  status: 422,
  title: 'Refused',
  detail: 'https://evil.example/',
  due: null,
};
const due = { ...problem, slug: 'payment-required', due: { quote: 'q', amountUsd: '0.005' } };
const link = `a ${secure} nofollow ugc noopener`;

// biome-ignore format: one page a line
const cases: [name: string, path: string, locals: object, html: string[], markdown: string[]][] = [
  ['the directory', '/directory', { directory: toDirectoryList(directory, config) }, [link], [`${secure}/`]],
  ['the directory with a form filled in', '/directory', { directory: toDirectoryList(directory, config), directoryForm: { url: 'javascript:alert(1)' } }, [link], [`${secure}/`]],
  ['a site that joined over https', '/directory/joined', { directoryJoined: toJoined(secure) }, [link], [`${secure}/`]],
  ['a site that joined over http', '/directory/joined', { directoryJoined: toJoined(plain) }, [], []],
  ['a site that was not listed', '/directory/not-listed', { directoryRefusal: refusal }, [], []],
  ['the guestbook', '/guestbook', { guestbook }, [], []],
  ['the home page', '/', { guestbookExcerpt: { entries: guestbook.entries, totals: guestbook.totals } }, [], []],
  ['a report', '/audit', { audit: { url: report.url, last: toShown(false, true), problem: null } }, [], []],
  ['a report on a listed site', '/audit', { audit: { url: 'https://evil.example/b', last: toShown(true, false), problem: null } }, [], []],
  ['an audit that was refused', '/audit', { audit: { url: 'javascript:alert(1)', last: null, problem } }, [], []],
  ['an audit that is to be paid for', '/audit', { audit: { url: 'https://evil.example/', last: null, problem: due } }, [], []],
  ['a site without a report', '/audit', { audit: { url: 'https://evil.example/', last: null, problem: null } }, [], []],
];

for (const [name, path, locals, html, markdown] of cases) {
  test(`${name}: of the addresses from outside only an https origin of the directory is a link`, async () => {
    const page = await thread.render(path, locals);
    assert.deepEqual(foreignIn(page.html), html);
    assert.deepEqual(foreignInMarkdown(page.markdown), markdown);
    const { links } = JSON.parse(page.json) as { links: { href: string }[] };
    assert.deepEqual(links.map(({ href }) => href).filter(isForeign), markdown);
  });
}

test('the directory takes origins alone', async () => {
  for (const url of ['javascript:alert(1)', 'https://a.example/path', 'https://user@a.example', 'data:text/html,x']) {
    await assert.rejects(directory.put(toSite(url)), /is not an origin/);
  }
});
