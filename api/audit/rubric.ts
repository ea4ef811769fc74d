/** The version of the checks and their weights: the day of their last change. Every report carries it. */
export const rubricVersion = '2026-11-22';

/** What moved with each version of the rubric, newest first, and why. */
export const rubricChanges: readonly { version: string; moved: string; why: string }[] = [
  {
    version: '2026-11-22',
    moved:
      'A short page with a heading and a link is content, even where a noscript element says that scripts are off. A language that stands on an element inside counts half. A link named Help alone leads to no contact; "About" with the name of the site says who is behind it. Links that robots are asked not to follow are not sampled. A page without any text is an empty one in each check.',
    why: 'Of 1,023 verdicts on 36 newly made sites, 12 were wrong: 4 of 414 failures, 6 of 96 half passes, 2 of 513 passes. The kind of 8 sites was wrong.',
  },
  {
    version: '2026-11-22',
    moved:
      'An llms.txt that leads to a file with the text of all pages covers the site, and a short one with links is long enough. Menus, buttons and links within a page are left out where the page is compared with its markdown. A form that posts to its own page passes only where no script runs or a token shows that the server wrote it.',
    why: 'On eight newly recorded sites of generators, 4 of 279 verdicts were wrong at first sight: one failure and three half passes. The form had passed on real sites where only a script answers it.',
  },
  {
    version: '2026-11-22',
    moved:
      'Missing pages are asked for in the folder of the site, and their menu counts. About and contact are found behind menus and issue trackers; microdata counts as structured data; dialogs, frames, emoji flags of regions, feeds sent as HTML and pages of a CDN are no faults. A description that all pages share is half. Shops, blogs and documentation are told apart by what their pages say.',
    why: 'Each had been judged wrongly on real websites that a person judged. All were mended as rules, and each is kept as a small site in the tests.',
  },
  {
    version: '2026-11-22',
    moved:
      'Content without scripts weighs 25 of 100 (before: 4). Markdown weighs 15 (20), discovery 13 (18), clean HTML 13 (16).',
    why: 'On 37 sites that we had no part in, an empty script shell scored 31 and a complete, readable site 34 to 48. Whether an agent gets the content at all has to weigh more than how.',
  },
  {
    version: '2026-11-22',
    moved:
      'A check whose subject does not exist is not applicable, and its weight counts against the one finding about the absence.',
    why: '43 % of all failures repeated an absence that had failed already. The score is the same, and a report names each cause once.',
  },
  {
    version: '2026-11-22',
    moved: 'Nothing to judge is not applicable: no picture, no form, no control.',
    why: 'An empty page earned a quarter of the points for HTML by having nothing that could be wrong.',
  },
  {
    version: '2026-11-22',
    moved:
      'The lowest cap is 15 (before: 39), and it holds where no content reaches an agent on three quarters of the pages. On half of them the cap is 39 (59).',
    why: 'The cap of 39 had never taken a point from anyone.',
  },
  {
    version: '2026-11-22',
    moved:
      'New bands under 70: readable from 50, hard to use from 16, closed to agents below. A result with less than 80 % judged is called provisional.',
    why: '"Not yet legible" was said of sites that could be read.',
  },
  {
    version: '2026-11-22',
    moved: 'A home address that answers 200 with something that is not a page fails, unless the host is an API.',
    why: 'A site that sent its pages as application/octet-stream rose from 53 to 88, because 30 checks could not be made.',
  },
  {
    version: '2026-11-22',
    moved:
      'Sitemaps are found by rel=sitemap and the usual names, markdown by every customary form of its address, and the files of a site under a path in its own folder. Names of controls are computed as browsers do; stubs that redirect by meta element or script are followed and named.',
    why: 'Each of these was judged wrongly on a site that a person had judged first.',
  },
];

/**
 * What a site is judged by, in groups that weigh 100 together. Only what is listed under `capabilities` is asked of a site
 * that claims it: a bare site must not score full marks on what it lacks. `docs/decisions/rubric.md` tells how the weights
 * were set.
 */
export const rubricGroups = {
  content: {
    name: 'Content without scripts',
    weight: 29,
    checks: {
      'content-without-scripts': 25,
      'content-starts-early': 2,
      'page-size': 2,
    },
  },
  access: {
    name: 'Access',
    weight: 16,
    checks: {
      'agents-served': 4,
      'no-bot-challenge': 3,
      'no-login-wall': 2.5,
      'real-404': 2.5,
      indexable: 1,
      https: 1,
      'helpful-404': 0.5,
      'short-redirects': 0.5,
      hsts: 0.5,
      nosniff: 0.5,
    },
  },
  html: {
    name: 'Clean HTML',
    weight: 13,
    checks: {
      'no-hidden-instructions': 2,
      headings: 2,
      'title-and-description': 2,
      'named-controls': 1.5,
      landmarks: 1,
      language: 1,
      'image-alternatives': 1,
      'json-ld-parses': 1,
      'json-ld-describes': 0.5,
      'forms-without-scripts': 0.5,
      canonical: 0.5,
    },
  },
  twin: {
    name: 'Markdown twin',
    weight: 15,
    checks: {
      'markdown-on-request': 3.5,
      'twin-address': 3.5,
      'twin-matches-page': 2,
      'twin-advertised': 1.5,
      'vary-accept': 1,
      'links-absolute': 1,
      'front-matter': 1,
      'q-values': 0.5,
      'q-zero': 0.5,
      'fences-closed': 0.5,
    },
  },
  discovery: {
    name: 'Discovery',
    weight: 13,
    checks: {
      'llms-txt-valid': 3,
      'sitemap-valid': 2,
      'llms-txt-links': 1.5,
      'llms-txt-covers': 1,
      'llms-txt-linked': 1,
      'robots-valid': 1,
      'llms-txt-size': 0.5,
      'llms-txt-markdown': 0.5,
      'link-headers': 0.5,
      'sitemap-lastmod': 0.5,
      'machine-layer-shown': 0.5,
      'sitemap-in-robots': 0.5,
      'sitemap-markdown': 0.5,
    },
  },
  policy: {
    name: 'Policy',
    weight: 4.5,
    checks: {
      'ai-crawler-stance': 1,
      'content-signal': 1,
      'cache-lifetimes': 1,
      'about-and-contact': 1,
      'security-txt': 0.5,
    },
  },
  capabilities: {
    name: 'Capabilities, where claimed',
    weight: 9.5,
    checks: {
      openapi: 1,
      'mcp-server': 1,
      'structured-errors': 0.5,
      'webmcp-tools': 0.5,
      'webmcp-schemas': 0.5,
      'webmcp-forms': 0.5,
      'api-catalog': 0.5,
      'agents-json': 0.5,
      'agent-skills': 0.5,
      'agent-card': 0.5,
      'mcp-server-card': 0.5,
      'payment-required': 0.5,
      'signature-directory': 0.5,
      'signed-requests': 0.5,
      'oauth-metadata': 0.5,
      'ai-catalog': 0.5,
      feed: 0.5,
    },
  },
} as const satisfies Record<string, { name: string; weight: number; checks: Record<string, number> }>;

export type RubricGroup = keyof typeof rubricGroups;

/** The id of a check that has a weight. */
export type CheckId = { [Group in RubricGroup]: keyof (typeof rubricGroups)[Group]['checks'] }[RubricGroup];

/** The group and the weight of a check. */
export interface Weighting {
  group: RubricGroup;
  /** Of the 100 that all checks weigh. */
  weight: number;
}

const weightings = new Map<string, Weighting>(
  (Object.keys(rubricGroups) as RubricGroup[]).flatMap((group) =>
    Object.entries(rubricGroups[group].checks).map(([id, weight]): [string, Weighting] => [id, { group, weight }]),
  ),
);

/** The ids of all checks that have a weight. */
export const weightedChecks = [...weightings.keys()] as [CheckId, ...CheckId[]];

/** The group and weight of a check. Throws an Error for one that the rubric does not hold. */
export function weightingOf(check: string): Weighting {
  const found = weightings.get(check);
  if (found === undefined) {
    throw new Error(`The check "${check}" has no weight in the rubric.`);
  }
  return found;
}
