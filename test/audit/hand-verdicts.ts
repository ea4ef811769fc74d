import type { CheckStatus } from '#api/audit/check.ts';
import type { CheckId } from '#api/audit/rubric.ts';

const every = ['docusaurus', 'eleventy', 'hugo', 'jekyll', 'mkdocs', 'next', 'sphinx', 'starlight', 'vitepress'];

/**
 * Verdicts on the recorded sites of generators, by check, each reviewed against the recording: they're served by a static host
 * over http without headers of their own. A check that isn't named, or a site that isn't named with it, doesn't apply.
 */
const handVerdicts: { [Check in CheckId]?: Partial<Record<CheckStatus, string[]>> } = {
  'llms-txt-valid': { fail: every },
  'markdown-on-request': { fail: every },
  'json-ld-parses': {
    pass: ['docusaurus'],
    fail: ['eleventy', 'hugo', 'jekyll', 'mkdocs', 'next', 'sphinx', 'starlight', 'vitepress'],
  },
  'json-ld-describes': { pass: ['docusaurus'] },
  'title-and-description': {
    pass: ['docusaurus', 'eleventy', 'jekyll', 'starlight', 'vitepress'],
    partial: ['hugo', 'mkdocs', 'next', 'sphinx'],
  },
  canonical: {
    pass: ['docusaurus', 'mkdocs', 'sphinx', 'starlight'],
    fail: ['eleventy', 'hugo', 'jekyll', 'next', 'vitepress'],
  },
  'robots-valid': { fail: every },
  indexable: { pass: every },
  headings: {
    pass: ['docusaurus', 'eleventy', 'hugo', 'jekyll', 'mkdocs', 'next', 'starlight'],
    partial: ['sphinx'],
    fail: ['vitepress'],
  },
  landmarks: {
    pass: ['docusaurus', 'eleventy', 'jekyll', 'mkdocs', 'next', 'sphinx', 'starlight', 'vitepress'],
    partial: ['hugo'],
  },
  language: { pass: every },
  'named-controls': {
    pass: ['eleventy', 'hugo', 'jekyll', 'next', 'sphinx', 'starlight'],
    partial: ['docusaurus', 'mkdocs', 'vitepress'],
  },
  'content-without-scripts': { pass: every },
  'content-starts-early': { pass: every },
  'page-size': { pass: every },
  'sitemap-valid': {
    pass: ['docusaurus', 'hugo', 'mkdocs', 'starlight'],
    fail: ['eleventy', 'jekyll', 'next', 'sphinx', 'vitepress'],
  },
  'sitemap-lastmod': { pass: ['mkdocs'], partial: ['hugo'], fail: ['docusaurus', 'starlight'] },
  'sitemap-markdown': { fail: ['docusaurus', 'hugo', 'mkdocs', 'starlight'] },
  'link-headers': { fail: ['docusaurus', 'hugo', 'mkdocs', 'starlight'] },
  'short-redirects': { pass: every },
  'real-404': { pass: every },
  'helpful-404': {
    partial: ['docusaurus', 'mkdocs', 'next', 'starlight'],
    fail: ['eleventy', 'hugo', 'jekyll', 'sphinx', 'vitepress'],
  },
  'agents-served': { pass: every },
  'no-bot-challenge': { pass: every },
  'no-login-wall': { pass: every },
  'cache-lifetimes': { fail: every },
  'about-and-contact': { fail: every },
  'security-txt': { fail: every },
  nosniff: { fail: every },
  'no-hidden-instructions': { pass: every },
  feed: { pass: ['hugo'] },
  'forms-without-scripts': { pass: ['sphinx'], fail: ['mkdocs', 'starlight'] },
};

/** The verdict by hand on a check of a recorded site. */
export const handVerdictOn = (check: string, site: string): CheckStatus => {
  const byStatus = Object.entries(handVerdicts).find(([id]) => id === check)?.[1] ?? {};
  const found = Object.entries(byStatus).find(([, sites]) => sites.includes(site));
  return (found?.[0] as CheckStatus | undefined) ?? 'not-applicable';
};
