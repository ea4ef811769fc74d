import { z } from 'zod';
import { type Crawler, crawlers } from './datasets/crawlers.ts';

/** What a crawler takes pages for, as an owner decides about it. */
export type Use = 'training' | 'search' | 'user' | 'other';

export const uses: Readonly<Record<Use, string>> = {
  training: 'training of models',
  search: 'search engines and the indexes of AI search',
  user: 'pages that an assistant or agent opens for a person',
  other: 'archives, data providers and everything else',
};

/** For each use, whether the site allows it. */
export type Choices = Readonly<Record<Use, boolean>>;

/** A token that the file refuses, with what it rests on and what the refusal can't do. */
const RefusedToken = z.object({
  token: z.string(),
  use: z.enum(['training', 'search', 'user', 'other']),
  operators: z.array(z.string()),
  crawlers: z.array(z.string()).describe('Ids of the crawler records with this token.'),
  source: z.string(),
  effect: z.string().nullable().describe('What the site loses and keeps, where a record says so.'),
  limits: z.array(z.string()).describe("What the line can't do."),
});
export type RefusedToken = z.infer<typeof RefusedToken>;

export const RobotsTxt = z.object({
  robots_txt: z.string().describe('The file.'),
  refused: z.array(RefusedToken),
  left_out: z
    .array(z.object({ token: z.string(), crawler: z.string(), status: z.string() }))
    .describe('Tokens without a group, because they are retired or unconfirmed.'),
  warnings: z.array(z.string()),
});
export type RobotsTxt = z.infer<typeof RobotsTxt>;

/**
 * The use that a record stands for: by its type; and training for archives, data providers and undocumented bots whose
 * purpose names training, because their copies end there.
 */
export function useOf({ bot_type, purpose }: Crawler): Use {
  const namesTraining = /\btrain/i.test(purpose);
  switch (bot_type) {
    case 'training':
      return 'training';
    case 'search-index':
      return 'search';
    case 'user-action-fetcher':
    case 'agentic-browser':
      return 'user';
    default:
      return namesTraining ? 'training' : 'other';
  }
}

/** The use for which a robots.txt refuses the token of a record; null without a token in use. */
export const refusedUse = (crawler: Crawler): Use | null =>
  crawler.robots_token !== null && crawler.status === 'active' ? useOf(crawler) : null;

/** What a line for this bot can't do. */
function limitsOf({ bot_type, respects_robots, verification_methods, name }: Crawler): string[] {
  if (bot_type === 'opt-out-token') {
    return ['It stops no request: it says how pages that another bot of this operator fetched may be used.'];
  }
  const limits: string[] = [];
  if (respects_robots === false) {
    limits.push(`No effect: ${name} doesn't follow robots.txt. Refuse its requests at the server.`);
  } else if (respects_robots === 'partial') {
    limits.push(`${name} follows robots.txt in some cases only.`);
  } else if (respects_robots === null) {
    limits.push("The operator doesn't say whether it follows robots.txt.");
  }
  if (verification_methods.every((method) => method === 'none' || method === 'user-agent-only')) {
    limits.push('Nobody can verify this name.');
  }
  return limits;
}

const sourceOf = (crawler: Crawler): string => crawler.documentation_url ?? crawler.sources[0]?.url ?? '';

/** The records that share a token, as one group of the file. */
function toRefused(token: string, records: readonly Crawler[]): RefusedToken | null {
  const [first] = records;
  return first === undefined
    ? null
    : {
        token,
        use: useOf(first),
        operators: [...new Set(records.map(({ operator }) => operator))],
        crawlers: records.map(({ id }) => id),
        source: sourceOf(first),
        effect: records.find(({ blocking_effect }) => blocking_effect !== null)?.blocking_effect ?? null,
        limits: [...new Set(records.flatMap(limitsOf))],
      };
}

const yesNo = (isAllowed: boolean): string => (isAllowed ? 'yes' : 'no');

const toGroup = ({ token, use, operators, source, limits }: RefusedToken): string =>
  [
    `# ${operators.join(', ')}, ${use}: ${source}`,
    ...(limits.length === 0 ? [] : [`# ${limits.join(' ')}`]),
    `User-agent: ${token}`,
    'Disallow: /',
  ].join('\n');

function warningsFor(choices: Choices, refused: readonly RefusedToken[]): string[] {
  const engines = refused.filter(({ crawlers: ids }) =>
    ids.some((id) => /^(?:googlebot|bingbot|duckduckbot)$/.test(id)),
  );
  return [
    'robots.txt is a request. It keeps out who follows it, and locks nothing.',
    ...(choices.search || engines.length === 0
      ? []
      : [`search=no refuses ordinary search engines as well: ${engines.map(({ token }) => token).join(', ')}.`]),
    ...(choices.training || !choices.search
      ? []
      : [
          'Some search engines also use what they index for answers of AI; the effect of each token says what it keeps.',
        ]),
    ...(choices.user
      ? []
      : ['Agents that drive an ordinary browser send its User-Agent and read no robots.txt: no line reaches them.']),
  ];
}

/**
 * A robots.txt (RFC 9309) for what an owner allows, made from the crawler records: a group for each token in use whose
 * purpose is refused, and one for everybody else with the choices as Content-Signal. `site` is the address of the almanac.
 */
export function makeRobotsTxt(choices: Choices, options: { site: string; sitemap?: string }): RobotsTxt {
  const withToken = crawlers.records.filter(({ robots_token }) => robots_token !== null);
  const inUse = crawlers.records.filter((crawler) => {
    const use = refusedUse(crawler);
    return use !== null && !choices[use];
  });
  const byToken = Map.groupBy(inUse, ({ robots_token }) => String(robots_token));
  const refused = [...byToken].flatMap(([token, records]) => toRefused(token, records) ?? []);
  const leftOut = withToken.filter((crawler) => crawler.status !== 'active' && !choices[useOf(crawler)]);
  const shared = withToken.filter(
    (crawler) => crawler.status === 'active' && choices[useOf(crawler)] && byToken.has(String(crawler.robots_token)),
  );
  const signal = `search=${yesNo(choices.search)}, ai-input=${yesNo(choices.user)}, ai-train=${yesNo(choices.training)}`;
  const head = [
    `# Made from the crawler records of ${options.site}/crawlers, updated ${crawlers.updated}.`,
    `# Allowed: ${Object.entries(choices)
      .map(([use, isAllowed]) => `${use} ${yesNo(isAllowed)}`)
      .join(', ')}. robots.txt is a request: it locks nothing.`,
  ].join('\n');
  const everybody = [
    '# Everybody else. Content-Signal (contentsignals.org) states the choices; few crawlers read it yet.',
    'User-agent: *',
    `Content-Signal: ${signal}`,
    'Allow: /',
  ].join('\n');
  const groups = [head, ...refused.map(toGroup), everybody];
  return {
    robots_txt: `${[...groups, ...(options.sitemap === undefined ? [] : [`Sitemap: ${options.sitemap}`])].join('\n\n')}\n`,
    refused,
    left_out: leftOut.map(({ id, robots_token, status }) => ({ token: String(robots_token), crawler: id, status })),
    warnings: [
      ...warningsFor(choices, refused),
      ...shared.map(({ robots_token, name }) => `The token ${robots_token} also refuses ${name}, which you allow.`),
    ],
  };
}
