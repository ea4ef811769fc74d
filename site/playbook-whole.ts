import type { Playbook } from '#api/playbook/playbook.ts';
import { chapterTexts, playbook } from './playbook.ts';
import { absolute, site } from './site.ts';

/** Makes relative links of a chapter absolute, since it is read away from the site. */
const withAbsoluteLinks = (markdown: string): string =>
  outsideCode(markdown.replaceAll('{base_url}', site.origin), (line) => line.replace(/\]\(\//g, `](${site.origin}/`));

/** One level down, so that chapters stand below the title of the whole. */
const oneLevelDown = (markdown: string): string =>
  outsideCode(markdown, (line) => (/^#{1,5} /.test(line) ? `#${line}` : line));

/** Changes the lines of markdown that are not inside a code fence. */
function outsideCode(markdown: string, change: (line: string) => string): string {
  let fence: string | null = null;
  return markdown
    .split('\n')
    .map((line) => {
      const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
      if (fence === null) {
        fence = mark ?? null;
        return mark === undefined ? change(line) : line;
      }
      if (mark?.startsWith(fence) && line.trim() === mark) {
        fence = null;
      }
      return line;
    })
    .join('\n');
}

/** What is sold: the chapters one by one, and the whole in markdown. */
export function wholePlaybook(): Omit<Playbook, 'html'> {
  const { title, description } = playbook;
  const chapters = chapterTexts.map(({ markdown, ...chapter }) => ({
    ...chapter,
    url: absolute(`/techniques/${chapter.id}`),
    markdown: `${withAbsoluteLinks(markdown)}\n`,
  }));
  const markdown = chapters.map(
    (chapter) =>
      `## ${chapter.number}. ${chapter.title}\n\n${chapter.summary}\n\n${oneLevelDown(chapter.markdown).trim()}`,
  );
  return {
    title,
    description,
    updated:
      chapters
        .map(({ updated }) => updated)
        .toSorted()
        .at(-1) ?? '',
    chapters,
    markdown: `${[`# ${title}`, description, ...markdown].join('\n\n')}\n`,
  };
}
