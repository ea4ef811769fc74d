import { absolute } from './site.ts';
import { sections, sectionTitles, sitePages, twinPaths } from './site-map.ts';

/** Every page by section, as the lists of llms.txt and sitemap.md: `- [title](markdown twin): description`. */
export const linkList = (): string =>
  sections
    .map((section) => {
      const lines = sitePages
        .filter((page) => page.section === section)
        .map((page) => `- [${page.title}](${absolute(twinPaths(page.path).markdown)}): ${page.description}`);
      return `## ${sectionTitles[section]}\n\n${lines.join('\n')}\n`;
    })
    .join('\n');
