import type { Exchange } from '../../fetch/exchange.ts';
import type { Evidence } from '../evidence.ts';
import { headerOf } from '../facts/headers.ts';
import { readPages } from '../judging/sampled-pages.ts';
import type { PlatformId } from './platforms/index.ts';

/** What the site runs on, as far as its answers show. */
export interface Stack {
  platform: PlatformId;
  /** What it was recognised by, one sentence each; empty when nothing showed it and the most common server is assumed. */
  judgedBy: string[];
}

type Signal = (home: Exchange, generator: string) => string | null;

const header =
  (name: string, pattern: RegExp = /./): Signal =>
  (home) => {
    const value = headerOf(home, name);
    return value !== null && pattern.test(value) ? `Header ${name}: ${value.slice(0, 60)}` : null;
  };

const generator =
  (pattern: RegExp): Signal =>
  (_home, text) =>
    pattern.test(text) ? `Generator: ${text.slice(0, 60)}` : null;

const markup =
  (pattern: RegExp, says: string): Signal =>
  (home) =>
    pattern.test(home.body) ? says : null;

/**
 * Signs of each platform. What builds the pages comes before what delivers them: an owner of a WordPress site changes
 * WordPress, whatever the server in front of it is called.
 */
const signs: [PlatformId, Signal[]][] = [
  [
    'hosted-builder',
    [
      generator(/wix\.com|squarespace|webflow|shopify|weebly|jimdo|godaddy|framer/i),
      header('x-shopify-stage'),
      header('x-shopid'),
      header('powered-by', /shopify/i),
      header('x-wix-request-id'),
      header('server', /squarespace|pepyaka/i),
      markup(/cdn\.shopify\.com\/s\//, 'Files from cdn.shopify.com'),
      markup(/static1\.squarespace\.com/, 'Files from static1.squarespace.com'),
      markup(/data-wf-(?:site|page)=/, 'Marks of Webflow in the HTML'),
    ],
  ],
  [
    'wordpress',
    [
      generator(/^wordpress/i),
      header('link', /rel="https:\/\/api\.w\.org\/"/),
      header('x-powered-by', /wp engine/i),
      markup(/\/wp-(?:content|includes)\//, 'Files below /wp-content/'),
    ],
  ],
  ['github-pages', [header('server', /^github\.com$/i), header('x-github-request-id')]],
  ['netlify', [header('x-nf-request-id'), header('server', /^netlify/i)]],
  [
    'nextjs',
    [
      header('x-powered-by', /next\.js/i),
      header('x-nextjs-cache'),
      header('x-nextjs-prerender'),
      markup(/\/_next\/static\//, 'Files below /_next/static/'),
    ],
  ],
  ['astro', [generator(/^(?:astro|starlight)/i), markup(/\/_astro\//, 'Files below /_astro/')]],
  ['vercel', [header('x-vercel-id'), header('server', /^vercel/i)]],
  ['cloudflare', [header('server', /^cloudflare/i), header('cf-ray')]],
  ['express', [header('x-powered-by', /^express/i)]],
  ['caddy', [header('server', /^caddy/i)]],
  ['apache', [header('server', /^apache|litespeed/i)]],
  ['nginx', [header('server', /^(?:nginx|openresty)/i)]],
];

/** The platform that the answers of a site point to; nginx, with no reason, when they point to none. Pure. */
export function stackOf(evidence: Evidence): Stack {
  const home = evidence.exchanges['home'];
  const named = readPages(evidence).map(({ facts }) => facts.meta['generator'] ?? '');
  const text = named.find((value) => value !== '') ?? '';
  for (const [platform, signals] of signs) {
    const judgedBy = home === undefined ? [] : signals.flatMap((signal) => signal(home, text) ?? []);
    if (judgedBy.length > 0) {
      return { platform, judgedBy };
    }
  }
  return { platform: 'nginx', judgedBy: [] };
}
