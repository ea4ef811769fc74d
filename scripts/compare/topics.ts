import type { AuditorId, OtherAuditor } from './auditor.ts';

/** A thing that several auditors look at, and the checks by which each of them does. */
export interface Topic {
  id: string;
  title: string;
  /** Ids of checks, as the auditors themselves name them. An auditor that does not look at it is left out. */
  checks: { ours: string[] } & { [id in OtherAuditor]?: string[] };
}

/** What our audit and another one both look at, in the order of our rubric. A check stands in one topic at most. */
export const topics: readonly Topic[] = [
  {
    id: 'bot-challenge',
    title: 'No bot challenge in the way',
    checks: { ours: ['no-bot-challenge'], afdocs: ['bot-protection-interference'] },
  },
  {
    id: 'login-wall',
    title: 'Public pages are not behind a login',
    checks: {
      ours: ['no-login-wall'],
      afdocs: ['auth-gate-detection'],
      'agent-readability': ['Auth gate detection'],
    },
  },
  {
    id: 'real-404',
    title: 'A missing page answers with an error',
    checks: { ours: ['real-404'], afdocs: ['http-status-codes'], 'agent-readability': ['Soft 404 detection'] },
  },
  {
    id: 'missing-page-markdown',
    title: 'A missing page answers agents in markdown',
    checks: { ours: ['helpful-404'], 'agent-readability': ['Missing page → markdown'] },
  },
  {
    id: 'redirects',
    title: 'Redirects stay on the site',
    checks: {
      ours: ['short-redirects'],
      afdocs: ['redirect-behavior'],
      'agent-readability': ['Redirect behavior'],
    },
  },
  {
    id: 'content-without-scripts',
    title: 'Content is there without scripts',
    checks: {
      ours: ['content-without-scripts'],
      afdocs: ['rendering-strategy'],
      'agent-readability': ['Server-rendered content'],
    },
  },
  {
    id: 'content-start',
    title: 'Content starts early',
    checks: { ours: ['content-starts-early'], afdocs: ['content-start-position'] },
  },
  {
    id: 'page-size',
    title: 'Pages have a size that is read whole',
    checks: {
      ours: ['page-size'],
      afdocs: ['page-size-html', 'page-size-transfer'],
      'agent-readability': ['Page size (HTML text)'],
    },
  },
  {
    id: 'headings',
    title: 'Headings give an outline',
    checks: { ours: ['headings'], 'agent-readability': ['Heading structure'] },
  },
  {
    id: 'named-controls',
    title: 'The accessibility tree names its controls',
    checks: { ours: ['named-controls'], lighthouse: ['agent-accessibility-tree'] },
  },
  {
    id: 'description',
    title: 'Pages have a description',
    checks: { ours: ['title-and-description'], 'agent-readability': ['Meta description'] },
  },
  {
    id: 'canonical',
    title: 'Pages name their canonical address',
    checks: { ours: ['canonical'], 'agent-readability': ['Canonical URL'] },
  },
  {
    id: 'structured-data',
    title: 'Structured data',
    checks: { ours: ['json-ld-parses', 'json-ld-describes'], 'agent-readability': ['Structured data'] },
  },
  {
    id: 'markdown-by-accept',
    title: 'Markdown by Accept',
    checks: {
      ours: ['markdown-on-request'],
      afdocs: ['content-negotiation'],
      'agent-readability': ['Accept header → markdown'],
    },
  },
  {
    id: 'markdown-address',
    title: 'Markdown at an address of its own',
    checks: {
      ours: ['twin-address'],
      afdocs: ['markdown-url-support'],
      'agent-readability': ['.md URL → markdown'],
    },
  },
  {
    id: 'twin-matches-page',
    title: 'The markdown says what the page says',
    checks: { ours: ['twin-matches-page'], afdocs: ['markdown-content-parity'] },
  },
  {
    id: 'vary-accept',
    title: 'Vary: Accept',
    checks: { ours: ['vary-accept'], 'agent-readability': ['Vary: Accept'] },
  },
  {
    id: 'twin-advertised',
    title: 'Pages link to their markdown',
    checks: { ours: ['twin-advertised'], 'agent-readability': ['Markdown link alternate'] },
  },
  {
    id: 'links-absolute',
    title: 'Links in markdown are absolute',
    checks: { ours: ['links-absolute'], afdocs: ['markdown-link-portability'] },
  },
  {
    id: 'front-matter',
    title: 'Front matter of markdown',
    checks: { ours: ['front-matter'], 'agent-readability': ['Frontmatter'] },
  },
  {
    id: 'fences-closed',
    title: 'Code fences are closed',
    checks: {
      ours: ['fences-closed'],
      afdocs: ['markdown-code-fence-validity'],
      'agent-readability': ['Code fence validity'],
    },
  },
  {
    id: 'llms-txt',
    title: 'llms.txt is there and has its form',
    checks: {
      ours: ['llms-txt-valid'],
      afdocs: ['llms-txt-exists', 'llms-txt-valid'],
      'agent-readability': ['llms.txt', 'llms.txt valid'],
      lighthouse: ['llms-txt'],
    },
  },
  {
    id: 'llms-txt-links',
    title: 'Links of llms.txt lead to pages',
    checks: {
      ours: ['llms-txt-links'],
      afdocs: ['llms-txt-links-resolve'],
      'agent-readability': ['llms.txt links resolve'],
    },
  },
  {
    id: 'llms-txt-markdown',
    title: 'Links of llms.txt lead to markdown',
    checks: { ours: ['llms-txt-markdown'], afdocs: ['llms-txt-links-markdown'] },
  },
  {
    id: 'llms-txt-covers',
    title: 'llms.txt covers the site',
    checks: { ours: ['llms-txt-covers'], afdocs: ['llms-txt-coverage'] },
  },
  {
    id: 'llms-txt-linked',
    title: 'Pages point to llms.txt',
    checks: { ours: ['llms-txt-linked'], afdocs: ['llms-txt-directive-html'] },
  },
  {
    id: 'llms-txt-size',
    title: 'llms.txt has a size that is read at once',
    checks: { ours: ['llms-txt-size'], afdocs: ['llms-txt-size'], 'agent-readability': ['llms.txt size'] },
  },
  {
    id: 'sitemap',
    title: 'Sitemap with dates',
    checks: { ours: ['sitemap-valid', 'sitemap-lastmod'], 'agent-readability': ['sitemap.xml'] },
  },
  {
    id: 'sitemap-markdown',
    title: 'Sitemap in markdown',
    checks: { ours: ['sitemap-markdown'], 'agent-readability': ['sitemap.md'] },
  },
  {
    id: 'robots-txt',
    title: 'robots.txt',
    checks: { ours: ['robots-valid'], 'agent-readability': ['robots.txt'] },
  },
  {
    id: 'cache-lifetimes',
    title: 'Cache lifetimes',
    checks: { ours: ['cache-lifetimes'], afdocs: ['cache-header-hygiene'] },
  },
  {
    id: 'webmcp-tools',
    title: 'WebMCP tools register',
    checks: { ours: ['webmcp-tools'], lighthouse: ['webmcp-registered-tools'] },
  },
  {
    id: 'webmcp-schemas',
    title: 'Schemas of WebMCP tools are valid',
    checks: { ours: ['webmcp-schemas'], lighthouse: ['webmcp-schema-validity'] },
  },
  {
    id: 'webmcp-forms',
    title: 'Forms are annotated as WebMCP tools',
    checks: { ours: ['webmcp-forms'], lighthouse: ['webmcp-form-coverage'] },
  },
  {
    id: 'ai-catalog',
    title: 'ai-catalog.json conforms',
    checks: { ours: ['ai-catalog'], lighthouse: ['ard-schema'] },
  },
];

/** A check of another auditor that ours has no like of, and why. */
export interface Foreign {
  auditor: OtherAuditor;
  check: string;
  why: string;
}

/** The checks of the others that ours has no like of. */
export const withoutCounterpart: readonly Foreign[] = [
];

/** The ids of the checks of an auditor that stand in a topic. */
export const mappedChecks = (auditor: AuditorId): string[] =>
  topics.flatMap(({ checks }) => checks[auditor] ?? []);
