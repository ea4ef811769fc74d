import { escapeMarkup } from '../../text/escape-markup.ts';
import type { FixFile } from './platforms/platform.ts';
import type { BriefPage, SiteBrief } from './site-brief.ts';

/** What an owner lets AI do with the pages, in the terms of Content-Signal. */
export interface RobotsChoices {
  search: boolean;
  /** As input for an answer that a person waits for. */
  input: boolean;
  training: boolean;
}

/** What is assumed until an owner says otherwise: be found and be quoted, not be trained on. */
export const defaultChoices: RobotsChoices = { search: true, input: true, training: false };

/** Tokens of the crawlers that most sites see, by what they fetch for. The almanac holds all of them with sources. */
const crawlerTokens: Record<keyof RobotsChoices, string[]> = {
  search: ['OAI-SearchBot', 'Claude-SearchBot', 'PerplexityBot', 'Applebot'],
  input: ['ChatGPT-User', 'Claude-User', 'Perplexity-User', 'MistralAI-User'],
  training: [
    'GPTBot',
    'ClaudeBot',
    'Google-Extended',
    'Applebot-Extended',
    'meta-externalagent',
    'CCBot',
    'Bytespider',
  ],
};

// Many readers of llms.txt split at brackets and know no escapes, so brackets become round ones; and they take bare
// addresses for links, so those of a title go.
const inMarkdown = (text: string): string =>
  text
    .replace(/\bhttps?:\/\/[^\s)\]]+/gi, '…')
    .replaceAll('[', '(')
    .replaceAll(']', ')')
    .replace(/[\\<>`*_]/g, '\\$&');

const itemOf = ({ url, title, description, markdown }: BriefPage): string =>
  `- [${inMarkdown(title)}](${markdown ?? url})${description === null ? '' : `: ${inMarkdown(description)}`}`;

/** The part of a site that a page belongs to: the first folder of its path. */
function partOf({ url }: BriefPage): string {
  const folders = new URL(url).pathname.split('/').slice(1, -1);
  const [first = ''] = folders;
  return first === '' ? 'Pages' : `${first[0]?.toUpperCase() ?? ''}${first.slice(1).replace(/[-_]+/g, ' ')}`;
}

/** The pages by part, the parts in the order of their first page. A part of one page goes with the others. */
function partsOf(pages: readonly BriefPage[]): [string, BriefPage[]][] {
  const parts = new Map<string, BriefPage[]>();
  for (const page of pages) {
    const part = partOf(page);
    parts.set(part, [...(parts.get(part) ?? []), page]);
  }
  const single = [...parts].filter(([name, { length }]) => length === 1 && name !== 'Pages');
  for (const [name, own] of single) {
    parts.delete(name);
    parts.set('Pages', [...(parts.get('Pages') ?? []), ...own]);
  }
  return [...parts].sort(([one], [other]) => Number(other === 'Pages') - Number(one === 'Pages'));
}

/** An index of the site for language models (llmstxt.org): its own titles and descriptions, markdown where it answered. */
export function toLlmsTxt(site: SiteBrief): string {
  const sections = partsOf(site.pages).map(
    ([name, pages]) => `## ${inMarkdown(name)}\n\n${pages.map(itemOf).join('\n')}`,
  );
  const rest =
    site.more === 0 || site.sitemap === null
      ? []
      : [`## Optional\n\n- [Sitemap](${site.sitemap}): ${site.more} more pages`];
  const summary = site.summary === '' ? [] : [`> ${inMarkdown(site.summary)}`];
  return `${[`# ${inMarkdown(site.name)}`, ...summary, ...sections, ...rest].join('\n\n')}\n`;
}

/** The list of pages for people and for agents that follow links. */
export const toSitemapMarkdown = (site: SiteBrief): string =>
  `# Sitemap of ${inMarkdown(site.name)}\n\n${partsOf(site.pages)
    .map(([name, pages]) => `## ${inMarkdown(name)}\n\n${pages.map(itemOf).join('\n')}`)
    .join('\n\n')}\n`;

/** The list of pages for crawlers (sitemaps.org). Days of change only where the site gave them. */
export const toSitemapXml = (site: SiteBrief): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${site.pages
    .map(
      ({ url, lastmod }) =>
        `  <url><loc>${escapeMarkup(url)}</loc>${lastmod === null ? '' : `<lastmod>${escapeMarkup(lastmod)}</lastmod>`}</url>`,
    )
    .join('\n')}\n</urlset>\n`;

/**
 * robots.txt with the owner's choices. Rules that are there already are kept, and hold for the named crawlers too: a
 * crawler that finds a group of its own reads no other (RFC 9309 section 2.2.1).
 */
export function toRobotsTxt(site: SiteBrief, choices: RobotsChoices = defaultChoices): string {
  const yes = (allowed: boolean): string => (allowed ? 'yes' : 'no');
  const signal = `Content-Signal: search=${yes(choices.search)}, ai-input=${yes(choices.input)}, ai-train=${yes(choices.training)}`;
  const lines = (site.robots ?? '').split(/\r?\n/).map((line) => line.trim());
  const isSitemap = (line: string): boolean => /^sitemap\s*:/i.test(line);
  const everyone = rulesForEveryone(lines);
  const kept = lines
    .filter((line) => !isSitemap(line) && !/^content-signal\s*:/i.test(line))
    .join('\n')
    .trim();
  const own = /^user-agent\s*:\s*\*\s*$/im.test(kept)
    ? kept.replace(/^user-agent\s*:\s*\*\s*$/im, (line) => `${line}\n${signal}`)
    : `${kept === '' ? '' : `${kept}\n\n`}User-agent: *\n${signal}\nAllow: /`;
  const named = (Object.keys(crawlerTokens) as (keyof RobotsChoices)[]).flatMap((purpose) => {
    const tokens = crawlerTokens[purpose].filter(
      (token) => !new RegExp(`^user-agent\\s*:\\s*${token}\\s*$`, 'im').test(kept),
    );
    const rules = choices[purpose] ? (everyone.length > 0 ? everyone : ['Allow: /']) : ['Disallow: /'];
    return tokens.length === 0
      ? []
      : [
          `# AI ${purpose}: ${choices[purpose] ? 'allowed' : 'not allowed'}\n${tokens.map((token) => `User-agent: ${token}`).join('\n')}\n${signal}\n${rules.join('\n')}`,
        ];
  });
  const sitemaps = lines.filter(isSitemap);
  const sitemap = sitemaps.length > 0 ? sitemaps : [`Sitemap: ${site.sitemap ?? `${site.origin}/sitemap.xml`}`];
  return `${[own, ...named, sitemap.join('\n')].join('\n\n')}\n`;
}

/** The Allow and Disallow lines of the group for everyone. */
function rulesForEveryone(lines: readonly string[]): string[] {
  const rules: string[] = [];
  let isOurs = false;
  let isHead = false;
  for (const line of lines) {
    const agent = /^user-agent\s*:\s*(\S+)/i.exec(line)?.[1];
    if (agent !== undefined) {
      isOurs = agent === '*' || (isHead && isOurs);
      isHead = true;
    } else if (/^(?:allow|disallow)\s*:/i.test(line)) {
      isHead = false;
      if (isOurs) {
        rules.push(line);
      }
    }
  }
  return rules;
}

const halfYearMs = 182 * 86_400_000;

/** security.txt (RFC 9116), good for half a year. */
export const toSecurityTxt = (site: SiteBrief, now: Date): string =>
  [
    `Contact: mailto:${site.contact ?? `security@${new URL(site.origin).hostname}`}`,
    `Expires: ${new Date(now.getTime() + halfYearMs).toISOString().slice(0, 19)}Z`,
    ...(site.language === null ? [] : [`Preferred-Languages: ${site.language.split('-')[0]}`]),
    `Canonical: ${site.origin}/.well-known/security.txt`,
    '',
  ].join('\n');

/** What a missing page says to a client that reads markdown. */
export const toNotFoundMarkdown = (site: SiteBrief): string =>
  `# Page not found\n\nThere is no page at this address on ${inMarkdown(site.name)}. It may have moved.\n\n- [Index for language models](${site.origin}/llms.txt)\n- [Sitemap](${site.sitemap ?? `${site.origin}/sitemap.xml`})\n- [Home](${site.home})\n`;

/** A JSON-LD block that says of the home page what it shows. Safe to embed in HTML. */
export function toJsonLd(site: SiteBrief): string {
  const data = {
    '@context': 'https://schema.org',
    '@type': 'WebSite',
    name: site.name,
    url: site.home,
    ...(site.summary === '' ? {} : { description: site.summary }),
    ...(site.language === null ? {} : { inLanguage: site.language }),
  };
  return `<script type="application/ld+json">\n${JSON.stringify(data, null, 2).replaceAll('<', '\\u003c')}\n</script>`;
}

/** A file for the document root. */
export const siteFile = (path: string, language: string, text: string): FixFile => ({
  path,
  place: 'site',
  language,
  text,
});
