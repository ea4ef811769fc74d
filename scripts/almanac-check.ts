import { checkAlmanac, datasetNames } from './support/almanac/check.ts';
import { readDay } from './support/almanac/day.ts';
import { defineCommand, processTerminal } from './support/command-line.ts';

const help = `Checks the datasets of the almanac: schemas, references, examples, age. It prints one line for each problem; errors end it with
exit code 1.

Usage: npm run almanac:check -- [options]

  --today <day>      the day that ages are counted from, YYYY-MM-DD, today by default
  --help             this text
`;

/** `npm run almanac:check`. */
export const checkCommand = defineCommand(
  { name: 'almanac:check', help, options: { today: { type: 'string' } } },
  async ({ values }, terminal) => {
    const today = readDay(values.today);
    // Loading is the first check: a dataset that does not fit its schema throws and names its bad records.
    const { almanacRecords } = await import('./support/almanac/records.ts');
    const { identifyUserAgent } = await import('#almanac/identify.ts');
    const { errors, warnings } = checkAlmanac(almanacRecords, { today, identify: identifyUserAgent });
    const counts = datasetNames.map((name) => `${almanacRecords[name].length} ${name}`).join(', ');
    const lines = [
      ...warnings.map((line) => `warning: ${line}`),
      ...errors.map((line) => `error: ${line}`),
      `${counts}: ${errors.length} errors, ${warnings.length} warnings`,
    ];
    terminal.out(`${lines.join('\n')}\n`);
    return errors.length === 0 ? 0 : 1;
  },
);

if (import.meta.main) {
  process.exitCode = await checkCommand(process.argv.slice(2), processTerminal);
}
