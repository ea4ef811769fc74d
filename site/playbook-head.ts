import type { TechniqueId } from '#almanac/techniques.ts';

/** What stands above the chapters of the playbook, and which of them can be read without paying. */
export const playbookHead = {
  title: 'The premium playbook',
  description:
    'Twelve chapters, one for each technique, with recipes for nginx, Apache, Caddy, Cloudflare, Express, Next.js, Astro and WordPress. Every recipe ends with a command and the output that proves it works.',
  freeChapter: 'markdown-negotiation' satisfies TechniqueId,
} as const;
