import { join, resolve } from 'node:path';
import { readDay } from './support/almanac/day.ts';
import { createCopyReader, createNetworkReader } from './support/almanac/documents.ts';
import { readWatchState, toJson, watchStateFiles, writeFiles } from './support/almanac/files.ts';
import { almanacRecords } from './support/almanac/records.ts';
import { toMarkdown } from './support/almanac/report.ts';
import { upstreams } from './support/almanac/upstreams/index.ts';
import { watch } from './support/almanac/watch.ts';
import { defineCommand, processTerminal, UsageError } from './support/command-line.ts';

const help = `Reads what the almanac's records rest on, and reports what differs. It never edits a record.

Usage: npm run almanac:watch -- [options]

  --only <id,…>       read these upstreams only: ${upstreams.map(({ id }) => id).join(', ')}
  --copies <folder>   read recorded copies instead of the network; the log then stays as it is
  --folder <path>     the almanac folder to work in, almanac by default
  --today <day>       the day to put down, YYYY-MM-DD, today by default
  --help              this text

It writes watch/report.md and watch/report.json, and after a run over the network watch/log.json, watch/seen/ and
watch/address-lists.json. GITHUB_TOKEN, if set, goes to api.github.com and allows more requests an hour.
`;

const options = {
  only: { type: 'string' },
  copies: { type: 'string' },
  folder: { type: 'string', default: 'almanac' },
  today: { type: 'string' },
} as const;

/** One document may take this long. */
const timeout = 30_000;

function chooseUpstreams(only: string | undefined): typeof upstreams {
  const ids = only?.split(',').map((id) => id.trim());
  const unknown = ids?.find((id) => !upstreams.some((upstream) => upstream.id === id));
  if (unknown !== undefined) {
    throw new UsageError(`--only ${unknown}: expected ${upstreams.map(({ id }) => id).join(', ')}.`);
  }
  return upstreams.filter(({ id }) => ids?.includes(id) ?? true);
}

/** `npm run almanac:watch`. */
export const watchCommand = defineCommand({ name: 'almanac:watch', help, options }, async ({ values }, terminal) => {
  const folder = resolve(terminal.cwd, values.folder);
  const chosen = chooseUpstreams(values.only);
  const { report, state: after } = await watch(chosen, {
    records: almanacRecords,
    state: readWatchState(folder),
    read:
      values.copies === undefined
        ? createNetworkReader({ timeout, token: terminal.env['GITHUB_TOKEN'] || null, fetch })
        : await createCopyReader(resolve(terminal.cwd, values.copies)),
    day: readDay(values.today),
    via: values.copies === undefined ? 'network' : 'copies',
  });
  writeFiles([
    { file: join(folder, 'watch/report.json'), text: toJson(report) },
    { file: join(folder, 'watch/report.md'), text: toMarkdown(report) },
    ...(report.via === 'copies' ? [] : watchStateFiles(folder, after)),
  ]);
  const counts = Map.groupBy(report.findings, ({ kind }) => kind);
  terminal.out(
    `${report.upstreams.map(({ id, read, unreadable }) => `${id}: ${read} read, ${unreadable} not`).join('\n')}\n` +
      `${[...counts].map(([kind, findings]) => `${findings.length} ${kind}`).join(', ') || 'nothing differs'}, ` +
      `${report.unwatched.length} records that nobody watches\n`,
  );
  return report.upstreams.every(({ read }) => read === 0) ? 1 : 0;
});

if (import.meta.main) {
  process.exitCode = await watchCommand(process.argv.slice(2), processTerminal);
}
