import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toLlmsTxtFacts } from '#api/audit/facts/llms-txt.ts';
import { isAllowed, toRobotsFacts } from '#api/audit/facts/robots.ts';
import { toSitemapFacts } from '#api/audit/facts/sitemap.ts';
import { toFixDocument } from '#api/audit/fixes/fix-document.ts';
import { filesByPath, fixesOf } from '#api/audit/fixes/fixes.ts';
import { platformIds, platforms } from '#api/audit/fixes/platforms/index.ts';
import { type SiteBrief, siteBriefOf } from '#api/audit/fixes/site-brief.ts';
import { toJsonLd, toLlmsTxt, toRobotsTxt, toSecurityTxt, toSitemapXml } from '#api/audit/fixes/site-files.ts';
import { stackOf } from '#api/audit/fixes/stack.ts';
import { auditMoment, auditSite } from '../audited.ts';
import { judgedSites } from '../judged-sites.ts';
import type { Answer } from '../sites.ts';

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
      'Contact: mailto:security@otter-boats.example\nExpires: 2027-05-22T00:00:00Z\nPreferred-Languages: en\nCanonical: https://otter-boats.example/.well-known/security.txt\n',
    );
  });

  it('JSON-LD cannot close its own element', () => {
    const block = toJsonLd({ ...brief, name: '</script><script>alert(1)</script>' });
    assert.equal(block.match(/<\/script>/g)?.length, 1);
  });
});

describe('what a site runs on', () => {
  const page = (head: string): string =>
    `<!doctype html><html lang="en"><head><title>A</title>${head}</head><body><main><h1>A</h1><p>Words.</p></main></body></html>`;
  const rows: [what: string, headers: Record<string, string>, head: string, expected: string][] = [
    ['nginx', { Server: 'nginx/1.29.0' }, '', 'nginx'],
    ['Apache', { Server: 'Apache/2.4.62 (Debian)' }, '', 'apache'],
    ['Caddy', { Server: 'Caddy' }, '', 'caddy'],
    ['Express', { 'X-Powered-By': 'Express' }, '', 'express'],
    ['WordPress behind nginx', { Server: 'nginx' }, '<meta name="generator" content="WordPress 6.9">', 'wordpress'],
    ['Astro on Netlify', { 'X-Nf-Request-Id': 'x' }, '<meta name="generator" content="Astro v7">', 'netlify'],
    ['Next.js on Vercel', { 'X-Vercel-Id': 'x', 'X-Nextjs-Prerender': '1' }, '', 'nextjs'],
    ['Wix', { Server: 'Pepyaka' }, '', 'hosted-builder'],
    ['Cloudflare', { Server: 'cloudflare', 'CF-RAY': 'x' }, '', 'cloudflare'],
    ['GitHub Pages', { Server: 'GitHub.com' }, '', 'github-pages'],
    ['nothing that shows it', {}, '', 'nginx'],
  ];
  for (const [what, headers, head, expected] of rows) {
    it(`${what} → ${expected}`, async () => {
      const answer: Answer = ({ path }) =>
        path === '/'
          ? { type: 'text/html', headers, body: page(head) }
          : { status: 404, type: 'text/plain', body: 'no' };
      const stack = stackOf((await auditSite(answer)).evidence);
      assert.equal(stack.platform, expected);
      assert.equal(stack.judgedBy.length > 0, what !== 'nothing that shows it');
    });
  }
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

describe('fixes of every judged site', () => {
  for (const [name, { answer }] of Object.entries(judgedSites)) {
    it(`${name}: every finding is settled by a file, the server, the template or by hand; the document says all of it`, async () => {
      const { report } = await auditSite(answer);
      for (const platform of platformIds) {
        const fixes = fixesOf(report, { platform, now: auditMoment });
        const text = toFixDocument(report, fixes, { files: 'the archive' });
        for (const { title } of report.plan) {
          assert.ok(text.includes(`**${title}**`), `${platform}: ${title}`);
        }
        for (const path of filesByPath(fixes).keys()) {
          assert.match(path, /^(?:site|project|server)\/(?!\/)(?!.*\.\.\/)/);
          assert.ok(text.includes(path.split('/').slice(1).join('/')), `${platform}: ${path}`);
        }
        const fences = text.match(/^`{3,}/gm) ?? [];
        assert.equal(fences.length % 2, 0, `${platform}: a fence is open`);
      }
    });
  }
});

it('the first fixes of a site without an llms.txt bring the line that shows it, too', async () => {
  const footerOf = async (site: string): Promise<string | null> => {
    const { report } = await auditSite(judgedSites[site]?.answer ?? assert.fail(site));
    return fixesOf(report, { platform: 'nginx', now: auditMoment }).footer;
  };
  assert.equal(await footerOf('bare'), '<a href="/llms.txt">For AI agents: llms.txt</a>');
  assert.equal(await footerOf('perfect'), null);
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
