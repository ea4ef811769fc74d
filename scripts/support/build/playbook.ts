import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { techniqueIds } from '#almanac/techniques.ts';
import { Playbook, type PlaybookChapter } from '#api/playbook/playbook.ts';
import { readContentFile } from '#site/content-file.ts';
import { projectDir } from './stamp.ts';

const folder = join(projectDir, 'site', 'content', 'playbook');

/** What stands above the chapters. */
const Index = z.object(
  Playbook.pick({ title: true, description: true, about: true, tested_with: true, first_week: true }).shape,
);

/** The programs that come with the files of a chapter. */
async function readPrograms(): Promise<Record<string, string>> {
  const names = await readdir(join(folder, 'archive'));
  const read = async (name: string) => [name, await readFile(join(folder, 'archive', name), 'utf8')] as const;
  return Object.fromEntries(await Promise.all(names.sort().map(read)));
}

/** Makes relative links of a chapter absolute, since it is read away from the site. */
const withAbsoluteLinks = (markdown: string, baseUrl: string): string =>
  outsideCode(markdown.replaceAll('{base_url}', baseUrl), (line) => line.replace(/\]\(\//g, `](${baseUrl}/`));

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

async function readChapter(name: string, baseUrl: string): Promise<PlaybookChapter> {
  const id = z.enum(techniqueIds).parse(name.replace(/\.md$/, ''));
  const { head, markdown } = readContentFile('chapter', `playbook/${name}`, await readFile(join(folder, name), 'utf8'));
  return {
    id,
    number: techniqueIds.indexOf(id) + 1,
    ...head,
    url: `${baseUrl}/techniques/${id}`,
    markdown: withAbsoluteLinks(markdown, baseUrl),
  };
}

/** The playbook but for its page. */
export type BuiltChapters = Omit<Playbook, 'html'>;

/**
 * Reads the chapters of the playbook and makes of them what is sold: the chapters one by one, and the whole in markdown. Its
 * page is rendered by the site. Throws an Error that names the file when a chapter has no usable head.
 */
export async function readPlaybook(baseUrl: string): Promise<BuiltChapters> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.md'));
  const chapters = await Promise.all(names.map((name) => readChapter(name, baseUrl)));
  chapters.sort((a, b) => a.number - b.number);
  const index = Index.parse(JSON.parse(await readFile(join(folder, 'index.json'), 'utf8')));
  const { title, description } = index;
  const markdown = [
    `# ${title}`,
    description,
    ...chapters.map(
      (chapter) =>
        `## ${chapter.number}. ${chapter.title}\n\n${chapter.summary}\n\n${oneLevelDown(chapter.markdown).trim()}`,
    ),
  ].join('\n\n');
  return Playbook.omit({ html: true }).parse({
    ...index,
    updated: chapters
      .map(({ updated }) => updated)
      .sort()
      .at(-1),
    chapters,
    markdown: `${markdown}\n`,
    programs: await readPrograms(),
  });
}
