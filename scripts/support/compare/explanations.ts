import type { AuditorId, OtherAuditor } from './auditor.ts';
import type { Direction } from './differences.ts';

/** Why our audit and another one contradict each other on some sites. */
export interface Explanation {
  topic: string;
  auditor: OtherAuditor;
  direction: Direction;
  /** The sites whose evidence was looked at, by both auditors. */
  sites: string[];
  /** One or two sentences, for a reader who has not seen the sites. */
  why: string;
}

/** The good sites whose pages are alike: one heading, three paragraphs, a short description. */
const alike = [
  ...['perfect', 'museum', 'documentation', 'blog', 'agents-refused', 'dead-advertisements', 'declared-only'],
  ...['hidden-instructions', 'thin-for-agents'],
];

/** Recorded sites that have no llms.txt, and the plain one before anything is mended. */
const withoutLlmsTxt = [
  ...['docusaurus', 'eleventy', 'hugo', 'jekyll', 'mkdocs', 'next', 'rspress', 'sphinx', 'starlight', 'vite-react'],
  ...['vitepress', 'plain'],
];

const withoutMarkdown = [
  ...['bare', 'shop', 'app-shell', 'eleventy-llms', 'starlight-llms', 'plain-with-files'],
  ...withoutLlmsTxt,
];

/** Why a check of ours leaves a site out where another auditor counts one absence again. */
const countedOnce = (absence: string, check: string): string =>
  `${absence} We count that once, in the check on ${check}, and leave out what depends on it; the other counts it here again.`;

const noPages = (what: string): string =>
  `The host serves JSON alone. We recognise that and do not judge ${what} there; the other counts the JSON as a page.`;

const accessAndHtml: readonly Explanation[] = [
  {
    topic: 'missing-page-markdown',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['app-shell', 'soft-404'],
    why: countedOnce('A missing page answers with HTML and status 200.', 'errors of missing pages'),
  },
  {
    topic: 'headings',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['app-shell', 'vite-react'],
    why: countedOnce('Without scripts, the pages are empty and have no headings.', 'content without scripts'),
  },
  {
    topic: 'content-start',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['vite-react'],
    why: countedOnce('Without scripts, the page is empty, and no content starts.', 'content without scripts'),
  },
  {
    topic: 'redirects',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: ['docusaurus', 'docusaurus-llms', 'docusaurus-llms-txt'],
    why: 'A script in the head reads the address of the page to choose a theme, and leads nowhere. It takes the mention of window.location for a redirect; we look for an address that is set.',
  },
  {
    topic: 'missing-page-markdown',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: [...alike, 'shop', 'contradictory', 'heavy-pages'],
    why: 'It wants status 200 for a page that is not there, because some clients drop the bodies of errors. RFC 9110 wants 404, as does its own check on soft 404s; we ask for 404 with markdown in it that leads on.',
  },
  {
    topic: 'missing-page-markdown',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('markdown for missing pages'),
  },
  {
    topic: 'content-without-scripts',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: ['bare', 'hugo'],
    why: 'It wants more than 200 characters in each page, and these are a heading and a sentence, or a list of links. We ask whether the content comes with the HTML, however short it is; a page that is nearly empty for another reason is seen better by its threshold.',
  },
  {
    topic: 'content-without-scripts',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('text'),
  },
  {
    topic: 'content-start',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: [
      ...[...alike, 'shop', 'contradictory', 'soft-404', 'broken-encodings'],
      ...[
        'docusaurus',
        'docusaurus-llms',
        'docusaurus-llms-txt',
        'eleventy',
        'eleventy-llms',
        'hugo',
        'mkdocs',
        'next',
      ],
      ...['rspress', 'starlight', 'starlight-llms', 'vitepress', 'vitepress-llms'],
    ],
    why: 'afdocs converts the page to text and warns when content starts after the first 10 %; on pages of 500 characters a menu of three links is enough for that. We count characters of source up to the main element, and 20,000 are allowed. Its measure is nearer to what a converting agent reads, ours to what may be cut.',
  },
  {
    topic: 'content-start',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('where content starts'),
  },
  {
    topic: 'page-size',
    auditor: 'afdocs',
    direction: 'theirs-pass',
    sites: ['heavy-pages'],
    why: 'Half a megabyte of inline data comes before 400 characters of content. afdocs judges the text after conversion and lets a transfer of up to 1 MB pass; we count the source as well, because a tool that does not convert gets all of it, and give half the points above 300,000 characters.',
  },
  {
    topic: 'page-size',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['heavy-pages'],
    why: 'It measures the text of the main element, which is short. We count the source as well, because a tool that does not convert gets all of it.',
  },
  {
    topic: 'headings',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: [
      ...[...alike, 'bare', 'shop', 'contradictory', 'soft-404', 'heavy-pages', 'rate-limited'],
      ...['docusaurus', 'docusaurus-llms', 'docusaurus-llms-txt', 'eleventy', 'eleventy-llms', 'hugo', 'jekyll'],
      ...['mkdocs', 'next', 'rspress', 'rspress-llms', 'plain', 'plain-with-files', 'plain-fixed'],
    ],
    why: 'It wants three headings of the levels 1 to 3 on a page, whatever its length; these pages have one or two over a few lines. We ask for one h1 and no skipped level. On a long text without subheadings its check sees a fault that ours does not.',
  },
  {
    topic: 'headings',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('headings'),
  },
  {
    topic: 'headings',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['sphinx', 'vitepress'],
    why: 'It counts headings of the levels 1 to 3, and there are enough. We also ask for one first-level heading: the pages of Sphinx have two, one of them the name of the project in the sidebar, and the recorded ones of VitePress none.',
  },
  {
    topic: 'named-controls',
    auditor: 'lighthouse',
    direction: 'ours-pass',
    sites: ['rspress'],
    why: 'Its audit of the accessibility tree holds 33 rules, and the one that fails is about links inside an element that is hidden from the tree. Each control has a name, which is what we ask.',
  },
  {
    topic: 'named-controls',
    auditor: 'lighthouse',
    direction: 'ours-not-applicable',
    sites: ['bare'],
    why: 'Its audit of the accessibility tree holds 33 rules, and the one that fails asks for a title of the document. The page has no controls, so our check of them does not apply; the missing title costs points in our check of title and description.',
  },
  {
    topic: 'description',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: [
      ...[...alike, 'shop', 'contradictory', 'soft-404', 'heavy-pages'],
      ...['docusaurus', 'docusaurus-llms', 'docusaurus-llms-txt', 'eleventy', 'eleventy-llms', 'jekyll'],
    ],
    why: 'It wants a description of 50 characters or more; those of most pages here have 30 to 47. We know of no specification with a least length and ask that there is one, and that titles differ.',
  },
  {
    topic: 'description',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['vitepress-llms'],
    why: 'Each page has the description of the whole site. It measures the length; we also ask that descriptions differ.',
  },
  {
    topic: 'description',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('descriptions'),
  },
  {
    topic: 'canonical',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['contradictory'],
    why: 'Each page names a canonical address on a foreign host. It asks whether the link is there; we also ask where it leads.',
  },
  {
    topic: 'canonical',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('canonical addresses'),
  },
  {
    topic: 'structured-data',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('JSON-LD'),
  },
];

const markdown: readonly Explanation[] = [
  ...(['afdocs', 'agent-readability'] as const).map(
    (auditor): Explanation => ({
      topic: 'markdown-address',
      auditor,
      direction: 'ours-not-applicable',
      sites: withoutMarkdown,
      why: countedOnce('The site has no markdown.', 'markdown by Accept'),
    }),
  ),
  {
    topic: 'twin-advertised',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: withoutMarkdown,
    why: countedOnce('The site has no markdown that a page could link to.', 'markdown by Accept'),
  },
  {
    topic: 'markdown-address',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: ['rspress-llms', 'plain-fixed'],
    why: 'It puts .md behind the address of the page that it drew: for a home page that changes the host, and for /about.html it asks for /about.html.md. We take the address that the page names, and other customary forms.',
  },
  {
    topic: 'markdown-address',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['docusaurus-llms'],
    why: 'The markdown of the home page is at /docs.md, which the page does not name. It asks for that of one page, drawn at random; we ask for that of each page in the sample, and give half.',
  },
  {
    topic: 'markdown-by-accept',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('markdown'),
  },
  {
    topic: 'markdown-by-accept',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('markdown'),
  },
  {
    topic: 'markdown-address',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('markdown addresses'),
  },
  {
    topic: 'markdown-address',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: `${noPages('markdown addresses')} It puts .md behind the address without its last slash, so that for a home page the host itself is changed and nothing answers.`,
  },
  {
    topic: 'twin-matches-page',
    auditor: 'afdocs',
    direction: 'theirs-pass',
    sites: ['contradictory'],
    why: 'The markdown is another text than the page. afdocs compares line by line and lets pages with fewer than ten lines pass, to keep small numbers from deciding; we compare words, and one short page is enough. On long pages its comparison names the lines that are missing, which ours does not.',
  },
  {
    topic: 'vary-accept',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['contradictory'],
    why: 'The markdown is sent with Vary: Accept, the HTML of the same address without. It looks at the markdown alone; a cache that has kept the HTML hands it to everyone, so we look at both.',
  },
  {
    topic: 'twin-advertised',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['dead-advertisements'],
    why: 'Pages name a markdown address that answers 404. It looks for the link in the HTML; we also follow it.',
  },
  {
    topic: 'twin-advertised',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['vitepress-llms'],
    why: 'The home page has no markdown and names none; the others do. It looks at one page, drawn at random; we look at each page in the sample, and give half.',
  },
  {
    topic: 'twin-advertised',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('links to markdown'),
  },
  {
    topic: 'links-absolute',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: ['dead-advertisements'],
    why: 'The links are absolute and lead to pages that are gone. afdocs follows a sample of them, which is more than we do: we look at their form, and follow only the links of llms.txt.',
  },
  {
    topic: 'front-matter',
    auditor: 'agent-readability',
    direction: 'theirs-not-applicable',
    sites: ['rspress-llms', 'vitepress-llms'],
    why: 'The markdown is at addresses of its own, and none comes by Accept. It reads front matter of negotiated markdown alone; we read the other as well, and find neither title nor day of change in it.',
  },
  {
    topic: 'front-matter',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: [...alike, 'soft-404', 'heavy-pages', 'rate-limited'],
    why: 'The front matter gives the day of the last change as updated. It knows last_updated, lastmod and date; no specification fixes the word, and we take updated and modified as well.',
  },
];

const discovery: readonly Explanation[] = [
  {
    topic: 'llms-txt-linked',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['bare', 'app-shell', 'login', ...withoutLlmsTxt],
    why: countedOnce('There is no llms.txt that a page could link to.', 'llms.txt itself'),
  },
  {
    topic: 'sitemap-markdown',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: [
      ...['bare', 'app-shell', 'eleventy', 'eleventy-llms', 'jekyll', 'next', 'rspress', 'rspress-llms', 'sphinx'],
      ...['vite-react', 'vitepress', 'plain'],
    ],
    why: countedOnce('There is no sitemap of any kind.', 'the sitemap'),
  },
  {
    topic: 'llms-txt',
    auditor: 'lighthouse',
    direction: 'theirs-not-applicable',
    sites: ['bare', 'shop', ...withoutLlmsTxt],
    why: 'There is no llms.txt. Lighthouse judges the file where there is one and takes its absence for a choice; afdocs, @vercel/agent-readability and we ask every site for it.',
  },
  {
    topic: 'llms-txt',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: ['docusaurus-llms', 'starlight-llms'],
    why: 'No summary follows the heading. afdocs warns without one; the proposal requires the heading alone, so we pass it.',
  },
  {
    topic: 'llms-txt-covers',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: ['docusaurus-llms', 'starlight-llms', 'vitepress-llms'],
    why: 'afdocs compares the addresses in llms.txt with those of the sitemap. It misses a home page that is named by another address or not at all, and the pages of an index that leads to one file with the text of all. We compare the parts of the site, and read that file. On large sites its comparison finds single pages that ours does not.',
  },
  {
    topic: 'llms-txt-markdown',
    auditor: 'afdocs',
    direction: 'theirs-not-applicable',
    sites: ['eleventy-llms'],
    why: 'The index names its pages by paths without a host. afdocs takes those for no links; we resolve them, and HTML comes.',
  },
  {
    topic: 'llms-txt-covers',
    auditor: 'afdocs',
    direction: 'theirs-not-applicable',
    sites: ['broken-encodings'],
    why: 'A file of 14 characters, with no heading and no link, comes as llms.txt. afdocs takes that for no index and skips what depends on it; for us the file is there and names no part of the site. Where there is an index, afdocs compares it with the whole sitemap, and we with the parts of the site.',
  },
  {
    topic: 'llms-txt-linked',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: [...alike, 'contradictory', 'soft-404', 'heavy-pages', 'broken-encodings', 'vitepress-llms', 'plain-fixed'],
    why: 'Pages name llms.txt in a link in their head, in a Link header or in their footer. afdocs looks for text in the body and warns when it is in the second half, because a tool that cuts or converts a page loses head and footer; we take any of the three.',
  },
  {
    topic: 'llms-txt-linked',
    auditor: 'afdocs',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('pointers to llms.txt'),
  },
  {
    topic: 'llms-txt-size',
    auditor: 'afdocs',
    direction: 'theirs-not-applicable',
    sites: ['broken-encodings'],
    why: 'A file of 14 characters comes as llms.txt. afdocs takes that for no index and skips its size; for us the file is there, and too short to say anything.',
  },
  {
    topic: 'llms-txt-size',
    auditor: 'agent-readability',
    direction: 'theirs-not-applicable',
    sites: ['broken-encodings'],
    why: 'A file of 14 characters comes as llms.txt. It takes that for no index and skips its size; for us the file is there, and too short to say anything.',
  },
  {
    topic: 'sitemap',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['contradictory'],
    why: 'The sitemap has dates such as "1 November" and an address of another host. It looks for the element lastmod in the text; we parse the file, its dates and its addresses.',
  },
  {
    topic: 'sitemap',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['hugo'],
    why: 'Four of six entries have a day of the last change. It asks whether there is one; we count them, and give half.',
  },
  {
    topic: 'sitemap',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('sitemaps'),
  },
  {
    topic: 'sitemap-markdown',
    auditor: 'agent-readability',
    direction: 'ours-not-applicable',
    sites: ['api-host'],
    why: noPages('sitemaps in markdown'),
  },
];

const policyAndCapabilities: readonly Explanation[] = [
  {
    topic: 'robots-txt',
    auditor: 'agent-readability',
    direction: 'theirs-pass',
    sites: ['app-shell', 'broken-encodings'],
    why: 'An HTML page comes in place of robots.txt, with status 200. It looks for rules that block four AI crawlers, finds none and passes it; for us there is no robots.txt.',
  },
  {
    topic: 'robots-txt',
    auditor: 'agent-readability',
    direction: 'ours-pass',
    sites: ['plain-with-files', 'plain-fixed'],
    why: 'The robots.txt bars crawlers that fetch for training, which is what our report assumes until the owner says otherwise, and lets those in that search and answer. It faults each AI crawler that is barred; for us the choice is the owner’s, and has to be said clearly.',
  },
  {
    topic: 'cache-lifetimes',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: ['challenge'],
    why: 'All but robots.txt is a challenge to bots. We leave the headers of a challenge out, and what remains is sane; afdocs judges the headers of the challenge itself. Both find the challenge in a check of its own.',
  },
  {
    topic: 'webmcp-tools',
    auditor: 'lighthouse',
    direction: 'theirs-pass',
    sites: ['declared-only'],
    why: 'The page has an annotated form and a script with a call that browsers no longer have. Lighthouse runs the page and lists the tool of the form; we read the script, and give half because what it declares never registers.',
  },
  {
    topic: 'webmcp-tools',
    auditor: 'lighthouse',
    direction: 'theirs-not-applicable',
    sites: ['dead-advertisements'],
    why: 'The manifest says that pages hold tools, and none registers. Lighthouse does not read the manifest; for us a capability that is advertised and dead is a fault.',
  },
  {
    topic: 'webmcp-schemas',
    auditor: 'lighthouse',
    direction: 'theirs-not-applicable',
    sites: ['dead-advertisements'],
    why: 'The manifest lists a tool with a name that no browser takes, and the page registers none. Lighthouse judges what registers; we judge what is declared as well.',
  },
  {
    topic: 'webmcp-forms',
    auditor: 'lighthouse',
    direction: 'theirs-pass',
    sites: ['declared-only'],
    why: 'The form has a name and a description, and its field has neither label nor description. Lighthouse counts the form as annotated here and faults the field in its audit of schemas; we fault both in one check.',
  },
  {
    topic: 'ai-catalog',
    auditor: 'lighthouse',
    direction: 'ours-pass',
    sites: ['perfect'],
    why: 'The entry has no representativeQueries, which the draft recommends and does not demand. Lighthouse takes off a tenth for that; our check asks for what the draft demands, and for addresses that answer.',
  },
  {
    topic: 'ai-catalog',
    auditor: 'lighthouse',
    direction: 'ours-not-applicable',
    sites: ['app-shell', 'soft-404'],
    why: 'A missing address answers with an HTML page and status 200. Lighthouse takes the page for the catalog and cannot parse it; we see no catalog, and count the soft 404 where it belongs.',
  },
];

/** The explanation of every difference that is known. */
export const explanations: readonly Explanation[] = [
  ...accessAndHtml,
  ...markdown,
  ...discovery,
  ...policyAndCapabilities,
];

/** Why an auditor comes to no result on a site where another one does. */
export interface Silence {
  site: string;
  auditor: AuditorId;
  why: string;
}

/** The explanation of every result that is missing. */
export const silences: readonly Silence[] = [
  {
    site: 'challenge',
    auditor: 'lighthouse',
    why: 'The home page is a challenge with status 403, and Lighthouse judges pages that load. The others name the challenge or count what it hides as missing.',
  },
  {
    site: 'api-host',
    auditor: 'lighthouse',
    why: 'The host answers with JSON, and Lighthouse judges HTML.',
  },
  {
    site: 'rate-limited',
    auditor: 'afdocs',
    why: 'The site asks for a minute between requests, and afdocs waits that long after each refusal, which is polite and longer than the minute that an auditor gets here. We do not wait: what was refused counts as not judged, and the result as provisional.',
  },
  {
    site: 'robots-broken',
    auditor: 'ours',
    why: 'robots.txt answers with status 503, which a crawler takes for a ban on everything (RFC 9309, section 2.3.1.4). We ask for nothing more; the others do not let robots.txt stop them.',
  },
  {
    site: 'robots-forbidden',
    auditor: 'ours',
    why: 'robots.txt forbids the site to PorchlightAudit, and we obey. The rule does not name the others.',
  },
];
