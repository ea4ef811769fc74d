import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toLlmsTxtFacts } from '#api/audit/facts/llms-txt.ts';
import { isAllowed, toRobotsFacts } from '#api/audit/facts/robots.ts';
import { toSitemapFacts } from '#api/audit/facts/sitemap.ts';
import { platforms } from '#api/audit/fixes/platforms/index.ts';
import { type SiteBrief, siteBriefOf } from '#api/audit/fixes/site-brief.ts';
import { toJsonLd, toLlmsTxt, toRobotsTxt, toSecurityTxt, toSitemapXml } from '#api/audit/fixes/site-files.ts';
import { auditMoment, auditSite } from '../audited.ts';

const brief: SiteBrief = {
  origin: 'https://otter-boats.example',
  home: 'https://otter-boats.example/',
  name: 'Otter [Boats]',
  summary: 'Wooden boats <built> to order.',
  language: 'en-GB',
  pages: [
    {
      url: 'https://otter-boats.example/',
      title: 'Home',
      description: 'Start.',
      markdown: null,
      lastmod: '2026-11-01',
    },
    {
      url: 'https://otter-boats.example/boats/heron?a=1&b=2',
      title: 'Heron](https://evil.example) [x',
      description: null,
      markdown: 'https://otter-boats.example/boats/heron.md',
      lastmod: null,
    },
    { url: 'https://otter-boats.example/boats/teal', title: 'Teal', description: null, markdown: null, lastmod: null },
  ],
  more: 7,
  sitemap: 'https://otter-boats.example/sitemap.xml',
  robots:
    'User-agent: *\nDisallow: /drafts/\n\nUser-agent: GPTBot\nDisallow: /\n\nSitemap: https://otter-boats.example/map.xml\n',
  has_llms_txt: false,
  contact: null,
};

describe('files made of a site', () => {
  it('llms.txt lists the pages by part, markdown where it answered, and titles open no links of their own', () => {
    const text = toLlmsTxt(brief);
    const facts = toLlmsTxtFacts(text);
    assert.match(text, /^# Otter \(Boats\)\n\n> Wooden boats \\<built\\> to order\./);
    assert.match(text, /^## Pages$/m);
    assert.match(text, /^## Boats$/m);
    assert.match(text, /\(https:\/\/otter-boats\.example\/boats\/heron\.md\)/);
    assert.match(text, /^## Optional\n\n- \[Sitemap\].*: 7 more pages$/m);
    assert.ok(!JSON.stringify(facts).includes('"https://evil.example'), JSON.stringify(facts));
  });

  it('robots.txt keeps the rules that are there, and gives named crawlers those for everyone', () => {
    const text = toRobotsTxt(brief, { search: true, input: true, training: false });
    const facts = toRobotsFacts(text);
    assert.deepEqual(facts.invalidLines, []);
    assert.deepEqual(facts.sitemaps, ['https://otter-boats.example/map.xml']);
    const allowed = (token: string, path: string): boolean => isAllowed(facts, token, path);
    assert.equal(allowed('SomeBot', '/drafts/x'), false);
    assert.equal(allowed('GPTBot', '/'), false, 'the owner’s own group stays');
    assert.equal(allowed('ClaudeBot', '/'), false, 'training is not allowed');
    assert.equal(allowed('OAI-SearchBot', '/'), true);
    assert.equal(allowed('OAI-SearchBot', '/drafts/x'), false, 'rules for everyone are repeated');
    assert.match(text, /Content-Signal: search=yes, ai-input=yes, ai-train=no/);
  });

  it('robots.txt of a site that has none allows everyone', () => {
    const facts = toRobotsFacts(toRobotsTxt({ ...brief, robots: null }, { search: true, input: true, training: true }));
    assert.deepEqual(facts.invalidLines, []);
    assert.equal(isAllowed(facts, 'GPTBot', '/'), true);
  });

  it('sitemap.xml is well-formed and says days only where they are known', () => {
    const facts = toSitemapFacts(toSitemapXml(brief));
    assert.deepEqual(
      facts.entries.map(({ loc, lastmod }) => [loc, lastmod]),
      [
        ['https://otter-boats.example/', '2026-11-01'],
        ['https://otter-boats.example/boats/heron?a=1&b=2', null],
        ['https://otter-boats.example/boats/teal', null],
      ],
    );
  });

  it('security.txt expires within a year', () => {
    assert.equal(
      toSecurityTxt(brief, auditMoment),
      'Contact: mailto:security@otter-boats.example\nExpires: 2027-05-23T00:00:00Z\nPreferred-Languages: en\nCanonical: https://otter-boats.example/.well-known/security.txt\n',
    );
  });

  it('JSON-LD cannot close its own element', () => {
    const block = toJsonLd({ ...brief, name: '</script><script>alert(1)</script>' });
    assert.equal(block.match(/<\/script>/g)?.length, 1);
  });
});

describe('what the files say of pages', () => {
  const page = (title: string, lead: string): string =>
    `<!doctype html><html lang="en"><title>${title}</title><div><a href="/">Start</a> <a href="/bread.html">Bread</a>
      <a href="/visit.html">Visit</a></div><h1>Miller's Bakery</h1><p>${lead} More words follow here.</p>`;
  const pages: Record<string, string> = {
    '/': page("Miller's Bakery", 'We bake every morning in Leeds.'),
    '/bread.html': page('Our bread', 'Three loaves leave the oven at six.'),
    '/visit.html': page("Miller's Bakery", 'The shop is open from seven to noon.'),
  };

  it('is what tells them apart, and what follows their heading', async () => {
    const { evidence } = await auditSite(({ path }) =>
      pages[path] === undefined
        ? { status: 404, body: 'Not here' }
        : { headers: { 'Content-Type': 'text/html' }, body: pages[path] },
    );
    const { summary, pages: listed } = siteBriefOf(evidence);
    assert.equal(summary, 'We bake every morning in Leeds.');
    assert.deepEqual(
      listed.map(({ title, description }) => [title, description]),
      [
        ['Start', 'We bake every morning in Leeds.'],
        ['Our bread', 'Three loaves leave the oven at six.'],
        ['Visit', 'The shop is open from seven to noon.'],
      ],
    );
  });
});

it('a hostile address of a sitemap stays inside its quotes', () => {
  const hostile = { ...brief, sitemap: `${brief.origin}/a'b"c$d;e{f}\\g\`h.xml` };
  for (const [id, platform] of Object.entries(platforms)) {
    const { files } = platform.configure(hostile, { negotiation: true, headers: true, hsts: true, missingPages: true });
    for (const { text, path } of files) {
      assert.ok(!/a'b|b"c|c\$d|d;e|e\{f|g`h/.test(text), `${id} ${path}`);
    }
  }
});
