/**
 * The crawling rules (RFC 9309). Each token has a group of its own, because a named group replaces the group for `*`
 * (section 2.2.1); every group carries the same rules and the same Content-Signal.
 */
export function toRobotsTxt(origin: string, tokens: readonly string[]): string {
  const rules = ['Content-Signal: search=yes, ai-input=yes, ai-train=yes', 'Allow: /'];
  const groups = [...tokens, '*'].map((token) => [`User-agent: ${token}`, ...rules].join('\n'));
  return [
    '# Crawlers are welcome here, AI crawlers included. Each one is named, so that the answer is plain.',
    '# Content-Signal: the content may be searched, used as input to answers, and trained on (CC BY 4.0).',
    '',
    groups.join('\n\n'),
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ].join('\n');
}
