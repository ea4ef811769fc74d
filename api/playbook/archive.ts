import { strToU8, zipSync } from 'fflate';
import type { Playbook, PlaybookChapter } from './playbook.ts';

/** The folder of a section: of a platform, or of what all recipes of a chapter share. */
const folderOf = (section: string): string =>
  section === 'Before you start' ? 'shared' : section.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** A heading, the words before a proof, or a code block whole: what a chapter's files are found by. */
const landmark =
  /^## (?<section>[^\n]+)$|^Prove it:$|^```(?<language>\w+)(?: file=(?<name>\S+))?\n(?<text>.*?\n)```$/gms;

/** The files of a chapter by path: the chapter, what its fences name, and the proof of each recipe with what it prints. */
function chapterFiles({ number, id, title, markdown }: PlaybookChapter): [path: string, text: string][] {
  const top = `${String(number).padStart(2, '0')}-${id}`;
  const files: [string, string][] = [[`${top}/chapter.md`, `# ${number}. ${title}\n\n${markdown.trim()}\n`]];
  let folder = top;
  let isProof = false;
  for (const { groups: { section, language, name, text = '' } = {} } of markdown.matchAll(landmark)) {
    if (section !== undefined) {
      folder = `${top}/${folderOf(section)}`;
      isProof = false;
    } else if (language === undefined) {
      isProof = true;
    } else if (name !== undefined) {
      files.push([`${folder}/${name}`, text]);
    } else if (isProof) {
      files.push([`${folder}/${language === 'bash' ? 'prove.sh' : 'expected.txt'}`, text]);
    }
  }
  return files;
}

/** What the files are made of. */
type Chapters = Pick<Playbook, 'title' | 'about' | 'tested_with' | 'first_week' | 'programs' | 'chapters'>;

const readme = ({ title, about, tested_with, first_week }: Chapters, isWhole: boolean): string =>
  [
    `# ${title}: the files`,
    about,
    `## Test\n\n\`node --test test.mjs\` reads every file with the program that will read it on your server, where that program is installed. We ran it with:\n\n${tested_with.map(({ name, version }) => `- ${name} ${version}`).join('\n')}`,
    '## Prove\n\n`node prove.mjs 01-llms-txt/nginx https://your-site.example` runs the proof of a recipe against your own site, beside what it should print.',
    ...(isWhole
      ? [
          `## A first week\n\n${first_week.map(({ day, chapters, why }) => `- **${day}**: ${chapters.join(', ')}. ${why}`).join('\n')}`,
        ]
      : []),
  ].join('\n\n');

/** The files of chapters as a zip: each in a folder of its own, with a README, a test and a program that runs the proofs. */
export const toPlaybookArchive = (playbook: Chapters, chapters: readonly PlaybookChapter[]): Uint8Array =>
  zipSync(
    Object.fromEntries(
      [
        ['README.md', `${readme(playbook, chapters.length === playbook.chapters.length)}\n`] as const,
        ...Object.entries(playbook.programs),
        ...chapters.flatMap(chapterFiles),
      ].map(([path, text]) => [path, strToU8(text)]),
    ),
    // The same files make the same bytes: a zip knows no time before 1980.
    { mtime: new Date(1980, 0, 1) },
  );
