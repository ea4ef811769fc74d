import type { OtherAuditor } from './auditor.ts';

/** A thing that several auditors look at, and the checks by which each of them does. */
export interface Topic {
  id: string;
  title: string;
  /** Ids of checks, as the auditors themselves name them. An auditor that does not look at it is left out. */
  checks: { ours: string[] } & { [id in OtherAuditor]?: string[] };
}

/** What our audit and another one both look at, in the order of our rubric. A check belongs to one topic at most. */
export const topics: readonly Topic[] = [
  {
    id: 'bot-challenge',
    title: 'No bot challenge',
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

/** A check of another auditor that ours has no counterpart for, and why. */
export interface Foreign {
  auditor: OtherAuditor;
  check: string;
  why: string;
}

/** The checks of the others that ours has no counterpart for. */
export const withoutCounterpart: readonly Foreign[] = [
  {
    auditor: 'afdocs',
    check: 'llms-txt-directive-md',
    why: 'It wants a pointer to llms.txt near the top of each markdown text. We ask for it on the HTML page. The wish is fair: markdown that is reached at its own address names no index otherwise.',
  },
  {
    auditor: 'afdocs',
    check: 'page-size-markdown',
    why: 'We measure the HTML and its text, and compare the words of the markdown with them, so that a long twin of a short page is partial for another reason.',
  },
  {
    auditor: 'afdocs',
    check: 'single-fetch-completeness',
    why: 'It looks for markdown that is cut into parts, and follows the link to the next. We compare the markdown with the whole page, and see a part as words that are missing.',
  },
  {
    auditor: 'afdocs',
    check: 'tabbed-content-serialization',
    why: 'It measures how long a page becomes when all of its tabs are written out. This is a matter of documentation sites; we measure the text of the page with its tabs in it.',
  },
  {
    auditor: 'afdocs',
    check: 'section-header-quality',
    why: 'It asks that headings inside tabs say which variant they belong to. This is a matter of documentation sites, and we have nothing like it.',
  },
  {
    auditor: 'afdocs',
    check: 'embedded-data-serialization',
    why: 'It names the large table or block of data that makes a page too long. We say that the page is too long, and not why.',
  },
  {
    auditor: 'afdocs',
    check: 'auth-alternative-access',
    why: 'It looks for public ways around a login, such as llms.txt. We judge the login alone, and what is public in the checks on it.',
  },
  {
    auditor: 'agent-readability',
    check: 'Agent UA → markdown',
    why: 'It wants markdown for a User-Agent that names an AI crawler, whatever Accept says. We hold that the type is chosen by Accept (RFC 9110, section 12.5.1), and ask of a site that it neither refuses a crawler nor serves it less than a browser.',
  },
  {
    auditor: 'agent-readability',
    check: 'Page size (markdown)',
    why: 'We measure the HTML and its text, and compare the words of the markdown with them.',
  },
  {
    auditor: 'lighthouse',
    check: 'cumulative-layout-shift',
    why: 'It sees a page that moves while it loads, which takes a browser. Our audit reads what the server sends and runs no page.',
  },
];
