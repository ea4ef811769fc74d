import { join, resolve } from 'node:path';
import { z } from 'zod';
import { RecordChange } from '#almanac/record-changes.ts';
import { datasetNames } from './support/almanac/check.ts';
import { readDay } from './support/almanac/day.ts';
import {
  committedLists,
  type EditionsByDataset,
  editionFiles,
  isNewest,
  onlyCommitted,
  readEditions,
  unrecorded,
  withEdition,
} from './support/almanac/editions.ts';
import { datasetFile, readJson, writeFiles } from './support/almanac/files.ts';
import { defineCommand, processTerminal } from './support/command-line.ts';

const help = `Writes an edition of each dataset whose data changed since its last one. A committed edition never changes: pages cite it. One that isn't committed yet is written
anew when the data is corrected.

Usage: npm run almanac:edition -- [options]

  --folder <path>    the almanac folder to work in, almanac by default
  --today <day>      the day to put down, YYYY-MM-DD, today by default
  --help             this text
`;

const options = {
  folder: { type: 'string', default: 'almanac' },
  today: { type: 'string' },
} as const;

/** `npm run almanac:edition`. */
export const editionCommand = defineCommand(
  { name: 'almanac:edition', help, options },
  async ({ values }, terminal) => {
    const folder = resolve(terminal.cwd, values.folder);
    const today = readDay(values.today);
    const all = readEditions(folder);
    const committed = committedLists(folder);
    const known: EditionsByDataset = {};
    const made = datasetNames.flatMap((name) => {
      const file = readJson(datasetFile(folder, name));
      const before = all[name];
      if (before === undefined) {
        const first = withEdition(undefined, file, today);
        return first === null ? [] : [[name, first] as const];
      }
      known[name] = isNewest(before, file) ? before : onlyCommitted(before, committed?.[name]);
      const editions = withEdition(known[name], file, today) ?? known[name];
      return editions === before ? [] : [[name, editions] as const];
    });
    if (made.length === 0) {
      terminal.out('No dataset changed since its last edition.\n');
      return 0;
    }
    const changes = z.array(RecordChange).parse(readJson(join(folder, 'record-changes.json')));
    for (const [name] of made) {
      const missing =
        known[name] === undefined ? [] : unrecorded(name, known[name], readJson(datasetFile(folder, name)), changes);
      if (missing.length > 0) {
        throw new Error(
          `record-changes.json has no line for ${missing
            .slice(0, 10)
            .map((id) => `${name}/${id}`)
            .join(
              ', ',
            )}${missing.length > 10 ? ` and ${missing.length - 10} more` : ''}, which changed since the last edition. Add one for each record or field, with its source.`,
        );
      }
    }
    writeFiles(editionFiles(folder, { ...known, ...Object.fromEntries(made) }));
    terminal.out(`${made.map(([name, { list }]) => `${name}: edition ${list.editions.at(-1)?.version}`).join('\n')}\n`);
    return 0;
  },
);

if (import.meta.main) {
  process.exitCode = await editionCommand(process.argv.slice(2), processTerminal);
}
