import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { CheckStatus } from '#api/audit/check.ts';
import type { CheckId } from '#api/audit/rubric.ts';
import type { Answer } from './sites.ts';

/** The output of a real generator, trimmed: style sheets, drawings and long inline scripts are left out. */
const Recording = z.strictObject({
  generator: z.string(),
  recorded: z.iso.date(),
  base: z.string(),
  files: z.record(z.string(), z.strictObject({ type: z.string(), body: z.string() })),
});

/** A site as its owner would serve it, with what a person says of it. */
export interface ServedSite {
  what: string;
  answer: Answer;
  /** The path that is audited. */
  path: string;
  /** Verdicts by hand. */
  verdicts: { [Check in CheckId]?: CheckStatus };
  /** The kind of site, by hand. */
  type?: string;
  /** The score has to lie between these. */
  score: [from: number, to: number];
}

const folder = join(import.meta.dirname, '../fixtures/generated-sites');

type Reply = ReturnType<Answer>;

const notFound: Reply = { status: 404, type: 'text/html', body: '<title>404</title><h1>Not found</h1>' };

/** Serves files as a static host does: index files for folders, .html where an address has no extension, 404.html for the rest. */
export const host =
  (files: Record<string, { type: string; body: string }>): Answer =>
  ({ path }, origin) => {
    const [plain = ''] = path.split('?');
    const found = [plain, `${plain}index.html`, `${plain}.html`, `${plain}/index.html`].find((one) =>
      Object.hasOwn(files, one),
    );
    const file = found === undefined ? undefined : files[found];
    const missing = files['/404.html'];
    return file !== undefined
      ? { type: file.type, body: file.body.replaceAll('ORIGIN', origin) }
      : missing === undefined
        ? notFound
        : { status: 404, type: missing.type, body: missing.body.replaceAll('ORIGIN', origin) };
  };

export const page = (title: string, body: string, head = ''): { type: string; body: string } => ({
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html lang="en"><head><title>${title}</title><meta name="description" content="${title}, in a few words.">${head}</head><body><header><nav><a href="/">Home</a> <a href="/hours">Hours</a> <a href="/about">About us</a> <a href="mailto:a@lamps.example">Contact</a></nav></header>${body}</body></html>`,
});

export const words = (title: string): string =>
  `<main><h1>${title}</h1><p>${'We repair lamps of every kind, and sell oil and wicks for them. '.repeat(6)}</p></main>`;

const bare = (title: string, rest: string): { type: string; body: string } => ({
  type: 'text/html',
  body: `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${words(title)}${rest}</body></html>`,
});

const plainPages = {
  '/index.html': page('Lamp Works', words('Lamp Works')),
  '/hours.html': page('Hours', words('Hours')),
  '/about.html': page('About us', words('About us')),
};

const twin = (title: string): { type: string; body: string } => ({
  type: 'text/markdown; charset=utf-8',
  body: `---\ntitle: ${title}\ndescription: ${title}\nurl: ORIGIN/\nupdated: 2026-11-01\n---\n\n# ${title}\n\n${'We repair lamps of every kind, and sell oil and wicks for them. '.repeat(6)}\n`,
});

const helpfulHead =
  '<link rel="describedby" type="text/markdown" href="/llms.txt"><link rel="canonical" href="ORIGIN/">';

const shell = {
  type: 'text/html',
  body: '<!doctype html><html lang="en"><head><title>App</title></head><body><div id="root"></div><script type="module" src="/assets/app.js"></script></body></html>',
};

const recorded = (id: string): z.infer<typeof Recording> =>
  Recording.parse(JSON.parse(readFileSync(join(folder, `${id}.json`), 'utf8')));

/** What a person says of the recorded sites; `hand-verdicts.ts` has the verdict on each check. */
const generated: Record<string, Pick<ServedSite, 'type' | 'score'>> = {
  docusaurus: { type: 'documentation', score: [50, 80] },
  'docusaurus-llms': { type: 'documentation', score: [70, 85] },
  'docusaurus-llms-txt': { type: 'documentation', score: [70, 85] },
  eleventy: { score: [50, 80] },
  'eleventy-llms': { score: [60, 75] },
  hugo: { score: [50, 80] },
  jekyll: { type: 'blog', score: [50, 80] },
  mkdocs: { type: 'documentation', score: [50, 80] },
  next: { score: [50, 80] },
  rspress: { type: 'documentation', score: [50, 80] },
  'rspress-llms': { type: 'documentation', score: [70, 90] },
  sphinx: { type: 'documentation', score: [50, 80] },
  starlight: { type: 'documentation', score: [50, 80] },
  'starlight-llms': { type: 'documentation', score: [62, 80] },
  'vite-react': { score: [0, 15] },
  vitepress: { type: 'documentation', score: [50, 80] },
  'vitepress-llms': { type: 'documentation', score: [70, 85] },
};

/** The generators whose output is recorded. */
export const generatorIds = readdirSync(folder)
  .map((name) => name.replace('.json', ''))
  .sort();

const fromGenerators = generatorIds.map((id): [string, ServedSite] => {
  const { generator, base, files } = recorded(id);
  const hand = generated[id];
  if (hand === undefined) {
    throw new Error(`Nobody has said what ${id} is.`);
  }
  return [id, { what: generator, answer: host(files), path: base, verdicts: {}, ...hand }];
});

/** Sites of classes that the audit once judged wrongly, and real generators' output. */
export const servedSites: Record<string, ServedSite> = {
  ...Object.fromEntries(fromGenerators),
  shell: {
    what: 'An empty script shell at every address',
    answer: () => shell,
    path: '/',
    verdicts: { 'content-without-scripts': 'fail', headings: 'not-applicable', 'named-controls': 'not-applicable' },
    score: [0, 15],
  },
  plain: {
    what: 'A plain, readable, honest site without any file for agents',
    answer: host(plainPages),
    path: '/',
    verdicts: {
      'content-without-scripts': 'pass',
      'about-and-contact': 'pass',
      'forms-without-scripts': 'not-applicable',
    },
    score: [50, 69],
  },
  ready: {
    what: 'The same with llms.txt, markdown, a sitemap and clean HTML, on a static host without negotiation',
    answer: host({
      ...Object.fromEntries(
        Object.entries(plainPages).map(([path, { type, body }]) => {
          const head = `${helpfulHead.replace('ORIGIN/', `ORIGIN${path.replace(/index\.html$|\.html$/, '')}`)}<link rel="alternate" type="text/markdown" href="${path.replace('.html', '.md')}"><script type="application/ld+json">{"@context":"https://schema.org","@type":"WebPage","name":"Lamps"}</script>`;
          const footer = '<footer><a href="/llms.txt">llms.txt</a></footer></body>';
          return [path, { type, body: body.replace('</head>', `${head}</head>`).replace('</body>', footer) }];
        }),
      ),
      '/index.md': twin('Lamp Works'),
      '/hours.md': twin('Hours'),
      '/about.md': twin('About us'),
      '/llms.txt': {
        type: 'text/plain',
        body: '# Lamp Works\n\n> A workshop.\n\n## Pages\n\n- [Home](ORIGIN/index.md): the workshop and what it repairs\n- [Hours](ORIGIN/hours.md): when it is open, by season\n- [About](ORIGIN/about.md): who repairs the lamps, and since when\n',
      },
      '/robots.txt': {
        type: 'text/plain',
        body: 'User-agent: *\nContent-Signal: search=yes, ai-input=yes, ai-train=no\nAllow: /\n\nSitemap: ORIGIN/sitemap.xml\n',
      },
      '/sitemap.xml': {
        type: 'application/xml',
        body: '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url><loc>ORIGIN/</loc><lastmod>2026-11-01</lastmod></url><url><loc>ORIGIN/hours</loc><lastmod>2026-11-01</lastmod></url><url><loc>ORIGIN/about</loc><lastmod>2026-11-01</lastmod></url></urlset>',
      },
    }),
    path: '/',
    verdicts: {
      'twin-address': 'pass',
      'llms-txt-valid': 'pass',
      'sitemap-valid': 'pass',
      'markdown-on-request': 'fail',
    },
    score: [86, 100],
  },
  download: {
    what: 'Pages sent as application/octet-stream',
    answer: ({ path }) => (path === '/' ? { type: 'application/octet-stream', body: '<h1>Lamps</h1>' } : notFound),
    path: '/',
    verdicts: { 'content-without-scripts': 'fail', headings: 'not-applicable' },
    score: [0, 15],
  },
  'under a path': {
    what: 'A project page under a path of the host, with its own llms.txt and sitemap',
    answer: host({
      '/lamps/index.html': page('Lamp Works', words('Lamp Works')),
      '/lamps/hours.html': page('Hours', words('Hours')),
      '/lamps/llms.txt': { type: 'text/plain', body: '# Lamps\n\nORIGIN/lamps/hours\n' },
      '/lamps/sitemap.xml': {
        type: 'application/xml',
        body: '<urlset><url><loc>ORIGIN/lamps/hours</loc></url></urlset>',
      },
    }),
    path: '/lamps/',
    verdicts: { 'llms-txt-valid': 'pass', 'llms-txt-links': 'pass', 'sitemap-valid': 'pass' },
    score: [50, 90],
  },
  'html.md': {
    what: 'Markdown at .html.md, as the proposal of llms.txt has it',
    answer: host({
      '/index.html': bare('Lamp Works', '<a href="/hours.html">Hours</a>'),
      '/index.html.md': twin('Lamp Works'),
      '/hours.html': bare('Hours', '<a href="/index.html">Home</a>'),
      '/hours.html.md': twin('Hours'),
    }),
    path: '/',
    verdicts: { 'twin-address': 'pass' },
    score: [50, 90],
  },
  'meta refresh': {
    what: 'A home page that is a meta refresh to the real one',
    answer: host({
      '/index.html': { type: 'text/html', body: '<meta http-equiv="refresh" content="0; url=/en/"><title>x</title>' },
      '/en/index.html': page('Lamp Works', words('Lamp Works')),
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'pass', 'short-redirects': 'partial' },
    score: [40, 69],
  },
  'script redirect': {
    what: 'A home page that is a script with the address of the real one',
    answer: host({
      '/index.html': { type: 'text/html', body: '<title>x</title><script>window.location.replace("/en/")</script>' },
      '/en/index.html': page('Lamp Works', words('Lamp Works')),
    }),
    path: '/',
    verdicts: { 'short-redirects': 'fail', 'content-without-scripts': 'partial' },
    score: [16, 60],
  },
  streamed: {
    what: 'A page whose content React streams in a hidden element',
    answer: host({
      '/index.html': page(
        'Lamp Works',
        `<template id="B:0"></template><div hidden id="S:0">${words('Lamp Works')}</div><script>$RC("B:0","S:0")</script>`,
      ),
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'pass' },
    score: [45, 80],
  },
  placeholder: {
    what: 'Pages that say that they are loading, in Portuguese',
    answer: host({
      '/index.html': page('Lâmpadas', '<main><p>A carregar…</p></main><script src="/a.js"></script>'),
    }),
    path: '/',
    verdicts: { 'content-without-scripts': 'fail' },
    score: [0, 15],
  },
};
