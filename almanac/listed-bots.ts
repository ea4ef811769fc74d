import crawlerUserAgents from 'crawler-user-agents';

/** Where the list comes from; every answer that rests on it names this. */
export const listedBotsSource = {
  title: 'crawler-user-agents',
  url: 'https://github.com/monperrus/crawler-user-agents',
  license: 'MIT',
} as const;

/** An automated visitor of the public list, which knows many that have nothing to do with AI. */
export interface ListedBot {
  /** The token by which its strings are recognized. */
  token: string;
  /** True when the token counts at the start of a string only. */
  isLeading: boolean;
  /** What it does, in the words of `purposes`. */
  purposes: string[];
  documentation_url: string | null;
}

/** What the list's tags mean. */
const purposes: Readonly<Record<string, string>> = {
  'search-engine': 'search engine',
  advertising: 'advertising',
  'feed-reader': 'feed reader',
  'http-library': 'HTTP library',
  'social-preview': 'link previews',
  archiver: 'archive',
  seo: 'SEO',
  monitoring: 'monitoring',
  scanner: 'scanner',
  'ai-crawler': 'AI crawler',
  academic: 'research',
  'browser-automation': 'browser automation',
};

/** What is left of a pattern that is no plain token; then the pattern is passed over. */
const operators = /[\\^$*+?()[\]{}|]/;

/**
 * The tokens that a pattern of the list stands for. The patterns come from outside and are never run as expressions: those that
 * are a plain token, or a choice of tokens, are read as such, which is all but a handful, and the rest are passed over.
 */
function toTokens(pattern: string): { token: string; isLeading: boolean }[] {
  return pattern
    .replace('([^-]|$)', '')
    .replace('(^| )', '')
    .split(/(?<!\([^)]*)\|/)
    .flatMap((choice) => {
      const [, before = '', options, after = ''] = /^([^()]*)\(([\w|]+)\)(.*)$/.exec(choice) ?? [];
      return options === undefined ? [choice] : options.split('|').map((option) => before + option + after);
    })
    .flatMap((choice) => {
      const isLeading = choice.startsWith('^');
      const token = choice
        .replace(/^\^|(?<!\\)\$$/g, '')
        .replace(/\[(\w)(\w)\]/g, (both, one: string, other: string) =>
          one.toLowerCase() === other.toLowerCase() ? other : both,
        )
        .replace(/\\(\W)/g, (_escaped, character: string) => (operators.test(character) ? '\\' : character))
        .replace(/[/ ]+$/, '');
      return operators.test(token) || !/^[\w-]/.test(token) ? [] : [{ token, isLeading }];
    });
}

/** The package's types leave out the tags. */
const list: readonly { pattern: string; url?: string; tags?: string[]; instances: string[] }[] = crawlerUserAgents;

/**
 * The words of an entry's own strings that hold its token without ending where it ends: "StatusCake_Uptime_Checker" for
 * "StatusCake". A hyphen after the token is no part of the name ("Slackbot-LinkExpanding").
 */
const longerWords = (token: string, instances: readonly string[]): string[] =>
  token.length < 5
    ? []
    : instances
        .flatMap((instance) => instance.match(/[A-Za-z0-9_-]+/g) ?? [])
        .filter((word) => word.length > token.length && word.toLowerCase().includes(token.toLowerCase()))
        .filter((word) => !word.toLowerCase().startsWith(`${token.toLowerCase()}-`));

/** Search engines, link previews, monitors, SEO tools, feed readers and the rest of the public list, by token. */
export const listedBots: readonly ListedBot[] = list.flatMap(({ pattern, url, tags = [], instances }) => {
  const tokens = toTokens(pattern);
  const longer = tokens.flatMap(({ token }) => longerWords(token, instances));
  return [...tokens, ...[...new Set(longer)].map((token) => ({ token, isLeading: false }))].map((token) => ({
    ...token,
    purposes: tags.flatMap((tag) => purposes[tag] ?? []),
    documentation_url: url ?? null,
  }));
});
