import { absolute, site } from './site.ts';
import { type SitePage, sitePages, twinPaths } from './site-map.ts';
import { tokenCount } from './token-count.ts';

/** The llms.txt of the pages below one path: what the whole index has no room for. */
export function sectionIndex(page: SitePage): Response {
  const below = sitePages.filter(({ path }) => path === page.path || path.startsWith(`${page.path}/`));
  const lines = below.map(({ path, title, description }) => {
    const { markdown } = twinPaths(path);
    return `- [${title}](${absolute(markdown)}): ${description} ${tokenCount(markdown)}`;
  });
  return new Response(
    [
      `# ${site.name}: ${page.title}`,
      '',
      `> ${page.description}`,
      '',
      `The index of the whole site is [llms.txt](${absolute('/llms.txt')}).`,
      '',
      '## Pages',
      '',
      ...lines,
      '',
    ].join('\n'),
  );
}
