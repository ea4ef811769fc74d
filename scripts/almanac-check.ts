import { parseArgs } from 'node:util';
import { checkAlmanac, datasetNames } from './support/almanac/check.ts';
import { readDay } from './support/almanac/day.ts';

/** The command: prints the report and returns the exit code. */
async function main(args: string[]): Promise<number> {
  try {
    const { values } = parseArgs({ args, options: { today: { type: 'string' } } });
    // Loading is the first check: a dataset that does not fit its schema throws and names its bad records.
    const { almanacRecords } = await import('./support/almanac/records.ts');
    const { identifyUserAgent } = await import('#almanac/identify.ts');
    const options = { today: readDay(values.today), identify: identifyUserAgent };
    const { errors, warnings } = checkAlmanac(almanacRecords, options);
    for (const line of warnings) {
      process.stdout.write(`warning: ${line}\n`);
    }
    for (const line of errors) {
      process.stdout.write(`error: ${line}\n`);
    }
    const counts = datasetNames.map((name) => `${almanacRecords[name].length} ${name}`).join(', ');
    process.stdout.write(`${counts}: ${errors.length} errors, ${warnings.length} warnings\n`);
    return errors.length === 0 ? 0 : 1;
  } catch (error) {
    process.stdout.write(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

if (import.meta.main) {
  process.exitCode = await main(process.argv.slice(2));
}
