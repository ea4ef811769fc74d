/** The version of the checks and their weights: the day of their last change. Every report carries it. */
export const rubricVersion = '2026-11-21';

/**
 * What a site is judged by, in six groups that weigh 100 together. Only what stands under `capabilities` is asked of a
 * site that claims it: a bare site must not score full marks on what it lacks.
 */
export const rubricGroups = {
  access: {
    name: 'Access',
    weight: 20,
    checks: {
      'agents-served': 4,
      'no-bot-challenge': 4,
      'no-login-wall': 3,
      'real-404': 3,
      indexable: 1.5,
      https: 1.5,
      'helpful-404': 1,
      'short-redirects': 1,
      hsts: 0.5,
      nosniff: 0.5,
    },
  },
  html: {
    name: 'Readable HTML',
    weight: 20,
    checks: {
      'content-without-scripts': 4,
      'no-hidden-instructions': 2,
      'content-starts-early': 1.5,
      'page-size': 1.5,
      headings: 1.5,
      'named-controls': 1.5,
      'title-and-description': 1.5,
      landmarks: 1,
      language: 1,
      'image-alternatives': 1,
      'forms-without-scripts': 1,
      canonical: 1,
      'json-ld-parses': 1,
      'json-ld-describes': 0.5,
    },
  },
  twin: {
    name: 'Markdown twin',
    weight: 20,
    checks: {
      'markdown-on-request': 5,
      'twin-address': 3,
      'twin-matches-page': 2.5,
      'vary-accept': 2,
      'q-values': 2,
      'twin-advertised': 2,
      'q-zero': 1,
      'links-absolute': 1,
      'front-matter': 1,
      'fences-closed': 0.5,
    },
  },
  discovery: {
    name: 'Discovery',
    weight: 18,
    checks: {
      'llms-txt-valid': 3,
      'llms-txt-links': 2,
      'sitemap-valid': 2,
      'llms-txt-covers': 1.5,
      'llms-txt-linked': 1.5,
      'robots-valid': 1.5,
      'link-headers': 1.5,
      'llms-txt-size': 1,
      'llms-txt-markdown': 1,
      'sitemap-lastmod': 1,
      'machine-layer-shown': 1,
      'sitemap-in-robots': 0.5,
      'sitemap-markdown': 0.5,
    },
  },
  policy: {
    name: 'Policy',
    weight: 7,
    checks: {
      'ai-crawler-stance': 1.5,
      'content-signal': 1.5,
      'cache-lifetimes': 1.5,
      'about-and-contact': 1.5,
      'security-txt': 1,
    },
  },
  capabilities: {
    name: 'Capabilities, where claimed',
    weight: 15,
    checks: {
      'webmcp-tools': 1.5,
      openapi: 1.5,
      'structured-errors': 1.5,
      'mcp-server': 1.5,
      'webmcp-schemas': 1,
      'api-catalog': 1,
      'agents-json': 1,
      'agent-skills': 1,
      'payment-required': 1,
      'signature-directory': 0.5,
      'oauth-metadata': 0.5,
      'webmcp-forms': 0.5,
      'signed-requests': 0.5,
      'mcp-server-card': 0.5,
      'agent-card': 0.5,
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
