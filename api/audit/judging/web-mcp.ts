import type { Exchange } from '../../fetch/exchange.ts';
import { namedExchanges } from '../evidence/exchange-name.ts';
import type { Evidence } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import { htmlOf } from '../facts/html.ts';
import { find } from '../facts/json.ts';
import { documentOf } from './claims.ts';
import { isHtml } from './gates.ts';

/** The tools that the site's manifest lists for WebMCP: under `interfaces.webmcp`, or nearer to the top. */
export function listedTools(evidence: Evidence): unknown[] {
  const manifest = documentOf(evidence, 'agents-json');
  const places = [
    ['interfaces', 'webmcp', 'tools', '*'],
    ['webmcp', 'tools', '*'],
    ['capabilities', 'webmcp', 'tools', '*'],
  ];
  return places.map((path) => find(manifest, ...path)).find((tools) => tools.length > 0) ?? [];
}

/** True when the manifest says that pages hold tools. */
export const claimsWebMcp = (evidence: Evidence): boolean =>
  listedTools(evidence).length > 0 ||
  [['interfaces', 'webmcp'], ['webmcp'], ['capabilities', 'webmcp']].some((path) =>
    find(documentOf(evidence, 'agents-json'), ...path).some((value) => value !== null && value !== false),
  );

/** A script of the home page that was read, in the page or in a file of its own. */
export interface ReadScript {
  exchange: Exchange;
  text: string;
}

/** The scripts of the home page that were read, and whether those were all that it could run. */
export function scriptsOf(evidence: Evidence): { read: ReadScript[]; areAll: boolean } {
  const home = evidence.exchanges['home'] ?? null;
  if (!isSuccess(home) || !isHtml(home)) {
    return { read: [], areAll: false };
  }
  const files = namedExchanges(evidence.exchanges).filter(
    ([name, exchange]) => name.startsWith('script:') && isSuccess(exchange),
  );
  const asked = new Set(files.map(([, exchange]) => exchange.request.url));
  const { scripts } = htmlOf(home);
  const read = [
    ...files.map(([, exchange]) => ({ exchange, text: exchange.body })),
    ...scripts.filter(({ src, isRun }) => src === null && isRun).map(({ text }) => ({ exchange: home, text })),
  ];
  const areAll =
    scripts.every(({ src, isRun }) => src === null || !isRun || asked.has(src)) &&
    files.every(([, exchange]) => !exchange.truncated) &&
    read.every(({ text }) => !/\bimport\s*[\w({*'"]/.test(text));
  return { read, areAll };
}

/** A script that registers tools, as far as its text tells: it names the object and makes the call. */
export const registeringScript = (evidence: Evidence): ReadScript | null =>
  scriptsOf(evidence).read.find(
    ({ text }) => text.includes('modelContext') && /\b(?:registerTool|provideContext)\s*(?:\?\.)?\(/.test(text),
  ) ?? null;
