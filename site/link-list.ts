import { absolute } from './site.ts';
import { sections, sectionTitles, sitePages, twinPaths } from './site-map.ts';

/**
 * Pages by section, as the lists of llms.txt and sitemap.md: `- [title](markdown twin): description`. Without the pages
 * of single records the list stays small enough to be read whole; each dataset's page links to its records.
 */
export const linkList = (options: { records: boolean }): string =>
  sections
    .map((section) => {
      const lines = sitePages
        .filter((page) => page.section === section && (options.records || page.isRecord !== true))
        .map((page) => `- [${page.title}](${absolute(twinPaths(page.path).markdown)}): ${page.description}`);
      return `## ${sectionTitles[section]}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
