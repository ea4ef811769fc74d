import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import remarkGfm from 'remark-gfm';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse } from 'yaml';
import { z } from 'zod';
import { splitPart } from '#almanac/ask/candidate.ts';
import type { PageContent, PageFact, PagePart, PageSection } from '#almanac/pages.ts';
import { sitePages, twinPaths } from '#site/site-map.ts';
import { projectDir } from './stamp.ts';

/** Where the questions are kept that pages answer, a file a page. */
const questionsDir = join(projectDir, 'site', 'content', 'questions');

/** Pages of records are left out: questions about them are answered from the datasets. */
const recordPages = /^\/(crawlers|models|protocols|glossary|state|compare)(\/|$)|^\/(404|sitemap)$|\/whole$/;

/** Sections that list what is elsewhere. */
const listings = new Set(['Sources', 'On this page', 'Try it', 'What it looks like']);

/** Headings of the navigation at the side of a page, whose entries are on the pages that they name. */
const menus = new Set([
  'Almanac',
  'Developers',
  'About this site',
  'Techniques',
  'Playbook',
  'Error types',
  'On this page',
]);

/** Headings of the record of changes, whose entries are asked for by date. */
const isDay = /^\d{4}-\d{2}-\d{2}$/;

/** YAML reads a bare status code as a number. */
const Words = z.union([z.string(), z.number()]).transform(String);

/** What the format of a file of questions is: see `site/content/questions/README.md`. */
const QuestionFile = z.strictObject({
  page: z.string().startsWith('/'),
  names: z.array(z.string()).default([]),
  answers: z.array(
    z.strictObject({
      at: z.string().nullable().default(null),
      say: z.union([Words, z.array(Words)]).optional(),
      ask: z.array(z.string()).min(1),
    }),
  ),
});
export type QuestionFile = z.infer<typeof QuestionFile>;

interface Twin {
  title: string;
  sections: { id: string | null; heading: string; level: number; text: string }[];
}

/** The texts of all code blocks of a markdown twin: in the JSON twin they are paragraphs like others. */
function codeOf(markdown: string): string[] {
  const found: string[] = [];
  visit(unified().use(remarkParse).use(remarkGfm).parse(markdown), 'code', ({ value }) => {
    found.push(value);
  });
  return found.filter((code) => code !== '').sort((a, b) => b.length - a.length);
}

/** A cell that is a sentence needs no name of its column. */
const isSentence = (cell: string): boolean => /^\S+(\s+\S+){4,}\.$/.test(cell);

/** A row of a table as a sentence: the first cell, then the others behind the names of their columns. */
function sayRow(row: string, columns: readonly string[]): string {
  const [first = '', ...cells] = row.split(' | ');
  const said = cells.map((cell, index) =>
    cells.length === 1
      ? cell
      : isSentence(cell)
        ? cell.slice(0, -1)
        : `${(columns[index + 1] ?? '').toLowerCase()}: ${cell}`,
  );
  return said.every((cell) => cell.trim() === '') ? first : `${first}: ${said.join('; ')}`;
}

function toParts(text: string, codes: readonly string[]): PagePart[] {
  let rest = text;
  const held: string[] = [];
  for (const code of codes) {
    rest = rest.split(code).join(`\n\n\u0000${held.push(code) - 1}\u0000\n\n`);
  }
  return rest.split(/\n{2,}/).flatMap((block): PagePart[] => {
    const trimmed = block.trim();
    const code = /^\u0000(\d+)\u0000$/.exec(trimmed)?.[1];
    if (code !== undefined) {
      const quote = held[Number(code)] ?? '';
      return [{ text: quote, quote, isCode: true }];
    }
    const lines = trimmed.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('For agents: '));
    const [head = ''] = lines;
    const isTable = lines.length > 1 && lines.every((line) => line.includes(' | '));
    const columns = head.split(' | ');
    return isTable
      ? lines.slice(1).map((quote) => ({ text: sayRow(quote, columns), quote, isCode: false }))
      : lines.map((quote) => ({ text: quote, quote, isCode: false }));
  });
}

function toSections(path: string, { title, sections }: Twin, markdown: string): PageSection[] {
  const codes = codeOf(markdown);
  const headings = new Set(sections.map(({ heading }) => heading));
  const isOfMenu = (text: string): boolean => headings.has(text) || menus.has(text);
  let anchor: string | null = null;
  return sections.flatMap((section): PageSection[] => {
    anchor = section.id ?? (section.level === 1 ? null : anchor);
    const isMenu = section.id === 'contents' || (section.id === null && menus.has(section.heading));
    const text = isMenu && section.id === null ? section.text.replace(/^.*?(\n\n|$)/s, '') : section.text;
    const parts = toParts(text, codes).filter((part) => !(isMenu || section.level === 1) || !isOfMenu(part.text));
    return parts.length === 0
      ? []
      : [
          {
            path,
            page: title,
            anchor: isMenu ? null : anchor,
            heading: isMenu || section.level === 1 ? title : section.heading,
            tokens: Math.ceil(Buffer.byteLength(text) / 4),
            parts,
          },
        ];
  });
}

/** What an answer says of a section when nothing else is known: its first paragraph, and code when there is some. */
function openingOf({ parts }: PageSection): number[] {
  const prose = parts.flatMap(({ isCode }, index) => (isCode ? [] : [index])).slice(0, 2);
  const code = parts.findIndex(({ isCode }) => isCode);
  return [...prose, ...(code === -1 ? [] : [code])];
}

/** The part that begins with some words, or has them in it; code comes last, since it may have any word. */
function findPart({ parts }: PageSection, words: string): number {
  const tests: ((part: PagePart) => boolean)[] = [
    ({ text, isCode }) => !isCode && text.startsWith(words),
    ({ text, quote, isCode }) => !isCode && (text.includes(words) || quote.includes(words)),
    ({ quote }) => quote.includes(words),
  ];
  return tests.map((test) => parts.findIndex(test)).find((index) => index !== -1) ?? -1;
}

/** Index of the sentence of a part that has some words; 0 where none has, as in a label or in code. */
const sentenceOf = (part: PagePart | undefined, words: string): number =>
  Math.max(
    0,
    splitPart(part?.text ?? '').sentences.findIndex((sentence) => sentence.includes(words)),
  );

/** The facts of one file of questions. What the page no longer says goes to `stale`, and the section's opening stands in. */
function toFacts(file: QuestionFile, sections: readonly PageSection[], stale: string[]): PageFact[] {
  return file.answers.flatMap(({ at, say, ask }): PageFact[] => {
    const own = sections.flatMap((section, index) =>
      section.path === file.page && section.anchor === at ? [{ section, index }] : [],
    );
    const wanted = say === undefined ? [] : [say].flat();
    const found = own
      .map(({ section, index }) => ({
        section,
        index,
        parts: wanted.flatMap((text) => {
          const part = findPart(section, text);
          return part === -1 ? [] : [part];
        }),
      }))
      .sort((a, b) => b.parts.length - a.parts.length);
    const [first] = found;
    if (first === undefined || first.parts.length < wanted.length) {
      stale.push(`${file.page}${at === null ? '' : `#${at}`}: ${wanted.join(' / ') || 'no such section'}`);
    }
    if (first === undefined) {
      return [];
    }
    const { section, index } = first;
    const parts = first.parts.length === 0 ? openingOf(section) : first.parts;
    const sentence = sentenceOf(section.parts[parts[0] ?? -1], wanted[0] ?? '');
    return [{ section: index, parts, ask, names: file.names, ...(sentence > 0 ? { sentence } : {}) }];
  });
}

/** The facts of an error type: what it means and what to do, asked for by its name. */
function toProblemFacts(sections: readonly PageSection[]): PageFact[] {
  return sections.flatMap((section, index): PageFact[] => {
    const slug = /^\/problems\/(.+)$/.exec(section.path)?.[1];
    const parts = ['When: ', 'What to do: '].map((row) => findPart(section, row)).filter((part) => part !== -1);
    const status = section.parts.find(({ text }) => text.startsWith('Status: '))?.text.replace('Status: ', '');
    return slug === undefined || parts.length < 2
      ? []
      : [
          {
            section: index,
            parts,
            ask: [
              `what does ${slug} mean`,
              `I got ${slug}, why`,
              `what do I do about ${slug}`,
              `error ${status} ${section.page}`,
            ],
            names: [slug],
          },
        ];
  });
}

/** The facts of tables of faults with cause and remedy: each is asked for by its symptom. */
function toFaultFacts(sections: readonly PageSection[], namesOf: ReadonlyMap<string, string[]>): PageFact[] {
  return sections.flatMap((section, index) =>
    section.parts.flatMap(({ text }, part): PageFact[] => {
      const symptom = /^(.+?): cause: .*; remedy: /.exec(text)?.[1];
      const names = namesOf.get(section.path) ?? [];
      return symptom === undefined
        ? []
        : [{ section: index, parts: [part], ask: [symptom, `${section.page} ${symptom}`], names }];
    }),
  );
}

/** The files of questions in the order of their names. Throws an Error that names a file that is not well formed. */
export async function readQuestionFiles(): Promise<QuestionFile[]> {
  const names = (await readdir(questionsDir)).filter((name) => name.endsWith('.yaml')).sort();
  return Promise.all(
    names.map(async (name) => {
      const read = QuestionFile.safeParse(parse(await readFile(join(questionsDir, name), 'utf8')));
      if (!read.success) {
        throw new Error(`site/content/questions/${name}: ${z.prettifyError(read.error)}`);
      }
      return read.data;
    }),
  );
}

/**
 * Reads all pages from their twins, and joins them with the questions that they answer. Every other section answers to its
 * own heading. `stale` lists what the files of questions say and no page has.
 */
export async function toPassages(clientDir: string): Promise<PageContent & { stale: string[] }> {
  const paths = sitePages.map(({ path }) => path).filter((path) => !recordPages.test(path));
  const read = (path: string, kind: 'markdown' | 'json'): Promise<string> =>
    readFile(join(clientDir, twinPaths(path)[kind]), 'utf8');
  const sections = (
    await Promise.all(
      paths.map(async (path) =>
        toSections(path, JSON.parse(await read(path, 'json')) as Twin, await read(path, 'markdown')),
      ),
    )
  ).flat();
  const stale: string[] = [];
  const files = await readQuestionFiles();
  const namesOf = new Map(files.map(({ page, names }) => [page, names]));
  const facts = [
    ...files.flatMap((file) => toFacts(file, sections, stale)),
    ...toProblemFacts(sections),
    ...toFaultFacts(sections, namesOf),
  ];
  const asked = new Set(facts.map(({ section }) => section));
  const others = sections.flatMap((section, index): PageFact[] =>
    asked.has(index) || listings.has(section.heading) || isDay.test(section.heading)
      ? []
      : [
          {
            section: index,
            parts: openingOf(section),
            ask: [section.heading === section.page ? section.page : `${section.page} ${section.heading}`],
            names: namesOf.get(section.path) ?? [],
          },
        ],
  );
  return { sections, facts: [...facts, ...others], stale };
}
