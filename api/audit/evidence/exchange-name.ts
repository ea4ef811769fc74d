import type { Exchange } from '../../fetch/exchange.ts';

type OtherForm = 2 | 3;

/**
 * What was asked of a site, by name. A name that is missing in the evidence was not asked for: nothing claimed it.
 *
 * | name | what was asked |
 * |---|---|
 * | `robots`, `robots:<host>` | /robots.txt of the target, and of further hosts before anything else was asked there |
 * | `home` | the home page, `Accept: text/html`, as ourselves |
 * | `home-stub` | the target, where it is nothing but a redirect by meta element or script to `home` |
 * | `home-browser`, `home-gptbot`, `home-claudebot` | `home` with another User-Agent, which still ends with our own |
 * | `home-head` | the same with HEAD |
 * | `home-markdown` | `Accept: text/markdown` |
 * | `home-html-preferred` | `Accept: text/html;q=0.9, text/markdown;q=0.1`, where markdown is negotiated |
 * | `home-markdown-refused` | `Accept: text/markdown;q=0`, where markdown is negotiated |
 * | `home-twin`, `home-twin:2` … | the markdown address of the home page, and other forms of it |
 * | `home-http` | the home page's path over http, when it was found over https |
 * | `sitemap` | /sitemap.xml of the site |
 * | `sitemap:listed`, `sitemap:linked` | those that robots.txt and the home page (rel=sitemap) name |
 * | `sitemap:usual:1` … `3` | the other usual names, where none of the above is a sitemap |
 * | `sitemap:child:1`, `sitemap:child:2` | two sitemaps of an index |
 * | `llms-txt`, `llms-txt:root` | /llms.txt of the site, and that of the host where the site is under a path |
 * | `llms-link:1` … `4` | links of it |
 * | `security-txt`, `agents-json`, `api-catalog`, `ard`, `ai-catalog`, `ai-plugin`, `signature-directory`, `agent-skills`, `agent-card`, `mcp-server-card` | the files under /.well-known/ |
 * | `openapi`, `openapi:claimed` | /openapi.json, and the description that a catalog, a plugin manifest or a Link header names elsewhere |
 * | `sitemap-md`, `feed` | /sitemap.md, and the feed that the home page names |
 * | `missing`, `missing-markdown`, `missing-json` | an address that cannot exist, in three Accepts |
 * | `script:1`, `script:2` | scripts of the home page from its own origin |
 * | `page:1`, `page:1:markdown`, `page:1:twin` … `page:4:twin:3` | the sampled pages, see `pages` |
 * | `skill:1` | the first skill of `agent-skills` |
 * | `mcp-server-card:catalog` | the card that the catalog names |
 * | `agent-card-endpoint` | the endpoint that `agent-card` names, for a task that does not exist |
 * | `oauth-resource`, `oauth-resource:named`, `oauth-server` | the metadata at the customary address, those that a 401 names, and those of the authorization server |
 * | `mcp-discover`, `mcp-initialize`, `mcp-tools`, `mcp-tools-session` | the endpoint in `mcp` |
 * | `priced:1`, `priced:2` | GET addresses that a description says cost something, without payment |
 */
export type ExchangeName =
  | 'robots'
  | `robots:${string}`
  | `home${'' | '-stub' | '-browser' | '-gptbot' | '-claudebot' | '-head' | '-http'}`
  | `home-${'markdown' | 'html-preferred' | 'markdown-refused'}`
  | `home-twin${'' | `:${OtherForm}`}`
  | `sitemap${'' | ':listed' | ':linked' | `:usual:${1 | 2 | 3}` | `:child:${1 | 2}`}`
  | `llms-txt${'' | ':root'}`
  | `llms-link:${1 | 2 | 3 | 4}`
  | 'security-txt'
  | 'agents-json'
  | 'api-catalog'
  | 'ard'
  | 'ai-catalog'
  | 'ai-plugin'
  | 'signature-directory'
  | 'agent-skills'
  | 'agent-card'
  | 'agent-card-endpoint'
  | 'mcp-server-card'
  | 'mcp-server-card:catalog'
  | `openapi${'' | ':claimed'}`
  | 'sitemap-md'
  | 'feed'
  | `missing${'' | '-markdown' | '-json'}`
  | `script:${1 | 2}`
  | `page:${number}${'' | ':markdown' | ':twin' | `:twin:${OtherForm}`}`
  | 'skill:1'
  | `oauth-${'resource' | 'resource:named' | 'server'}`
  | `mcp-${'discover' | 'initialize' | 'tools' | 'tools-session'}`
  | `priced:${1 | 2}`;

/** Exchanges by name; those of names that were not asked for are missing. */
export type Exchanges = { [Name in ExchangeName]?: Exchange };

/** The names and exchanges that there are, in the order of their names. */
export const namedExchanges = (exchanges: Exchanges): [ExchangeName, Exchange][] =>
  Object.entries(exchanges) as [ExchangeName, Exchange][];
