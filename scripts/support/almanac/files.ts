import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { RecordChange } from '#almanac/record-changes.ts';
import { AddressLists, WatchLog } from '#almanac/watch/log.ts';
import type { Entries } from './upstream.ts';
import type { WatchState } from './watch.ts';

/** The folder `almanac/` of a repository. */
export type AlmanacFolder = string;

const toJson = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;
const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'));

/** Entries of one document, one entry a line, so that a change shows as a line. */
function toSeenFile(documents: Readonly<Record<string, Entries>>): string {
  const blocks = Object.entries(documents).map(([address, entries]) => {
    const lines = Object.entries(entries).map(
      ([name, fields]) => `    ${JSON.stringify(name)}: ${JSON.stringify(fields)}`,
    );
    return `  ${JSON.stringify(address)}: {\n${lines.join(',\n')}\n  }`;
  });
  return `{\n${blocks.join(',\n')}\n}\n`;
}

/** One change a line. */
export const toChangesFile = (changes: readonly RecordChange[]): string =>
  `[\n${changes.map((change) => JSON.stringify(change)).join(',\n')}\n]\n`;

/** Writes files whole: all of them are written next to their places first, and moved there when none failed. */
export function writeFiles(files: readonly { file: string; text: string }[]): void {
  for (const { file, text } of files) {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(`${file}.new`, text);
  }
  for (const { file } of files) {
    renameSync(`${file}.new`, file);
  }
}

const Value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const Seen = z.record(z.string(), z.record(z.string(), z.record(z.string(), Value)));

export function readWatchState(folder: AlmanacFolder): WatchState {
  const seenFolder = join(folder, 'watch/seen');
  mkdirSync(seenFolder, { recursive: true });
  const seen = readdirSync(seenFolder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => [basename(name, '.json'), Seen.parse(readJson(join(seenFolder, name)))] as const);
  return {
    log: WatchLog.parse(readJson(join(folder, 'watch/log.json'))),
    addressLists: AddressLists.parse(readJson(join(folder, 'watch/address-lists.json'))),
    seen: Object.fromEntries(seen),
  };
}

export const watchStateFiles = (
  folder: AlmanacFolder,
  { log, addressLists, seen }: WatchState,
): { file: string; text: string }[] => [
  { file: join(folder, 'watch/log.json'), text: toJson(log) },
  { file: join(folder, 'watch/address-lists.json'), text: toJson(addressLists) },
  ...Object.entries(seen).map(([id, documents]) => ({
    file: join(folder, `watch/seen/${id}.json`),
    text: toSeenFile(documents),
  })),
];

export const datasetFile = (folder: AlmanacFolder, name: string): string => join(folder, `datasets/${name}.json`);
export { readJson, toJson };
