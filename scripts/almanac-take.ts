import { join, resolve } from 'node:path';
import { z } from 'zod';
import { RecordChange } from '#almanac/record-changes.ts';
import { datasetNames } from './support/almanac/check.ts';
import { readDay } from './support/almanac/day.ts';
import { datasetFile, readJson, toChangesFile, toJson, writeFiles } from './support/almanac/files.ts';
import { TakenReport, takeChanges } from './support/almanac/take.ts';
import { defineCommand, processTerminal, UsageError } from './support/command-line.ts';

const help = `Puts changes from the watcher's report into the records, with their source and a line in the record of changes.

Usage: npm run almanac:take -- <change…> [options]

  <change>           an id from watch/report.md, such as models-dev/models/gpt-6-sol/max_output
  --folder <path>    the almanac folder to work in, almanac by default
  --today <day>      the day to put down, YYYY-MM-DD, today by default
  --help             this text

All changes are taken or none is: the datasets have to load and to pass npm run almanac:check with them.
`;

const options = {
  folder: { type: 'string', default: 'almanac' },
  today: { type: 'string' },
} as const;

/** `npm run almanac:take`. */
export const takeCommand = defineCommand(
  { name: 'almanac:take', help, options, takesArguments: true },
  async ({ values, positionals }, terminal) => {
    if (positionals.length === 0) {
      throw new UsageError('Which changes? Give their ids.');
    }
    const folder = resolve(terminal.cwd, values.folder);
    const files = Object.fromEntries(datasetNames.map((name) => [name, readJson(datasetFile(folder, name))]));
    const report = TakenReport.parse(readJson(join(folder, 'watch/report.json')));
    const changesFile = join(folder, 'record-changes.json');
    const before = z.array(RecordChange).parse(readJson(changesFile));
    const { documents, changes } = takeChanges(positionals, report, files, readDay(values.today));
    writeFiles([
      ...Object.entries(documents).map(([name, document]) => ({
        file: datasetFile(folder, name),
        text: toJson(document),
      })),
      { file: changesFile, text: toChangesFile([...before, ...changes]) },
    ]);
    terminal.out(
      `${changes.map(({ dataset, id, kind }) => `${dataset}/${id}: ${kind}`).join('\n')}\nNow run npm run almanac:check and npm run almanac:edition.\n`,
    );
    return 0;
  },
);

if (import.meta.main) {
  process.exitCode = await takeCommand(process.argv.slice(2), processTerminal);
}
