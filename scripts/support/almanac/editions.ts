import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createPatch, type Operation } from 'rfc6902';
import { type EditionEntry, EditionList } from '#almanac/edition-list.ts';
import { digestOf, EditionFile, fromKeyed, rebuild, toKeyed } from '#almanac/editions.ts';
import type { RecordChange } from '#almanac/record-changes.ts';
import { type AlmanacFolder, datasetFile, readJson } from './files.ts';

/** What is known of the editions of a dataset. */
export interface Editions {
  list: EditionList[string];
  file: EditionFile;
}

export type EditionsByDataset = Record<string, Editions>;

const listFile = (folder: AlmanacFolder): string => join(folder, 'editions/list.json');
const editionFile = (folder: AlmanacFolder, name: string): string => join(folder, `editions/${name}.json`);

/** The editions that a folder holds; of a dataset without any there is no member. */
export function readEditions(folder: AlmanacFolder): EditionsByDataset {
  const lists = existsSync(listFile(folder)) ? EditionList.parse(readJson(listFile(folder))) : {};
  return Object.fromEntries(
    Object.entries(lists).map(([name, list]) => [
      name,
      { list, file: EditionFile.parse(readJson(editionFile(folder, name))) },
    ]),
  );
}

/** The ids of the records that a patch touches. */
const touched = (patch: readonly Operation[]): string[] => [
  ...new Set(patch.flatMap(({ path }) => /^\/records\/([^/]+)/.exec(path)?.[1] ?? [])),
];

/** Whether the file of a dataset holds what its newest edition does. */
export const isNewest = ({ list }: Editions, file: unknown): boolean =>
  list.editions.at(-1)?.sha256 === digestOf(fromKeyed(toKeyed(file)));

/**
 * The editions with one more, of `today`, if the file of a dataset holds anything else than the newest one; else null.
 * Throws when the newest edition is of a later day.
 */
export function withEdition(known: Editions | undefined, file: unknown, today: string): Editions | null {
  const now = toKeyed(file);
  const sha256 = digestOf(fromKeyed(now));
  const entry = (number: number): EditionEntry => ({
    ...{ version: `${today}.${number}`, date: today },
    ...{ sha256, records: now.order.length },
  });
  if (known === undefined) {
    const first = entry(1);
    const last_changed = Object.fromEntries(now.order.map((id) => [id, first.version]));
    return { list: { editions: [first], last_changed }, file: EditionFile.parse({ first: now, patches: {} }) };
  }
  const newest = known.list.editions.at(-1);
  if (newest === undefined || newest.sha256 === sha256) {
    return null;
  }
  if (newest.date > today) {
    throw new Error(`The newest edition is of ${newest.date}, and an edition of ${today} can't come after it.`);
  }
  const next = entry(known.list.editions.filter(({ date }) => date === today).length + 1);
  const patch = createPatch(rebuild(known.file, newest.version), now);
  const changed = new Set(touched(patch));
  const last_changed = Object.fromEntries(
    now.order.map((id) => [id, changed.has(id) ? next.version : (known.list.last_changed[id] ?? next.version)]),
  );
  return {
    list: { editions: [...known.list.editions, next], last_changed },
    file: { first: known.file.first, patches: { ...known.file.patches, [next.version]: patch } },
  };
}

/** The lists of editions as they're committed; null where a folder isn't in a repository that has them. */
export function committedLists(folder: AlmanacFolder): EditionList | null {
  const git = spawnSync('git', ['show', 'HEAD:./editions/list.json'], { cwd: folder, encoding: 'utf8' });
  return git.status === 0 ? EditionList.parse(JSON.parse(git.stdout)) : null;
}

/** The editions without those that come after the committed ones: nothing cites them yet, so they may be written anew. */
export function onlyCommitted(known: Editions, committed: EditionList[string] | undefined): Editions {
  const versions = new Set(committed?.editions.map(({ version }) => version));
  return committed === undefined || known.list.editions.every(({ version }) => versions.has(version))
    ? known
    : {
        list: committed,
        file: {
          first: known.file.first,
          patches: Object.fromEntries(Object.entries(known.file.patches).filter(([version]) => versions.has(version))),
        },
      };
}

/** Fields whose changes aren't recorded: they say where a fact comes from and when it was read, and not what it is. */
const ofReading = new Set(['sources', 'source_as_of', 'checked_by_person']);

/** Records that differ from their newest edition, and that no line of the record of changes names since then. */
export function unrecorded(
  name: string,
  { list, file }: Editions,
  document: unknown,
  changes: readonly RecordChange[],
): string[] {
  const newest = list.editions.at(-1);
  const patch = newest === undefined ? [] : createPatch(rebuild(file, newest.version), toKeyed(document));
  const told = new Set(
    changes.filter(({ dataset, date }) => dataset === name && date >= (newest?.date ?? '')).map(({ id }) => id),
  );
  const telling = patch.filter(({ path }) => !ofReading.has(/^\/records\/[^/]+\/([^/]+)/.exec(path)?.[1] ?? ''));
  return touched(telling).filter((id) => !told.has(id));
}

/** Lines of `"key": value` in braces, so that a change shows as a line. */
const lines = (entries: readonly (readonly [string, unknown])[], indent: string): string =>
  `{\n${entries.map(([name, value]) => `${indent}  ${JSON.stringify(name)}: ${JSON.stringify(value)}`).join(',\n')}\n${indent}}`;

function toEditionText({ first: { records, ...rest }, patches }: EditionFile): string {
  const head = Object.entries(rest).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},\n`);
  return `{\n  "first": {\n${head.join('')}    "records": ${lines(Object.entries(records), '    ')}\n  },\n  "patches": ${lines(Object.entries(patches), '  ')}\n}\n`;
}

function toListText(editions: EditionsByDataset): string {
  const blocks = Object.entries(editions).map(([name, { list }]) => {
    const rows = list.editions.map((edition) => `      ${JSON.stringify(edition)}`).join(',\n');
    const last = lines(Object.entries(list.last_changed), '    ');
    return `  ${JSON.stringify(name)}: {\n    "editions": [\n${rows}\n    ],\n    "last_changed": ${last}\n  }`;
  });
  return `{\n${blocks.join(',\n')}\n}\n`;
}

/** The files that hold the editions of a folder. */
export const editionFiles = (folder: AlmanacFolder, editions: EditionsByDataset): { file: string; text: string }[] => [
  { file: listFile(folder), text: toListText(editions) },
  ...Object.entries(editions).map(([name, { file }]) => ({
    file: editionFile(folder, name),
    text: toEditionText(file),
  })),
];

/** Throws when the data of a dataset isn't that of its newest edition: citations would promise what isn't there. */
export function checkEditions(folder: AlmanacFolder, names: readonly string[]): void {
  const editions = readEditions(folder);
  const behind = names.filter((name) => {
    const data = fromKeyed(toKeyed(readJson(datasetFile(folder, name))));
    return editions[name]?.list.editions.at(-1)?.sha256 !== digestOf(data);
  });
  if (behind.length > 0) {
    throw new Error(
      `The data of ${behind.join(', ')} changed since the last edition, which is what pages cite. Run npm run almanac:edition, which writes the next one, and commit it with the data.`,
    );
  }
}
