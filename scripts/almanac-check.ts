import { type AlmanacRecords, checkAlmanac, datasetNames } from './support/almanac/check.ts';

function readToday(args: readonly string[]): string {
  const place = args.indexOf('--today');
  if (args.length !== (place === -1 ? 0 : 2) || place > 0) {
    throw new Error(`Unknown arguments "${args.join(' ')}": expected none, or --today YYYY-MM-DD.`);
  }
  const today = place === -1 ? new Date().toISOString().slice(0, 10) : String(args[1]);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(today) || Number.isNaN(Date.parse(today))) {
    throw new Error(`--today ${today}: expected a day as YYYY-MM-DD.`);
  }
  return today;
}

/** The command: prints the report and returns the exit code. */
async function main(args: readonly string[]): Promise<number> {
  try {
    const today = readToday(args);
    // Loading is the first check: a dataset that does not fit its schema throws and names its bad records.
    const { crawlers, glossary, models, protocols, state } = await import('#almanac/datasets/index.ts');
    const { identifyUserAgent } = await import('#almanac/identify.ts');
    const datasets = { crawlers, protocols, models, glossary, state };
    const records: AlmanacRecords = {
      crawlers: crawlers.records,
      protocols: protocols.records,
      models: models.records,
      glossary: glossary.records,
      state: state.records,
    };
    const { errors, warnings } = checkAlmanac(records, { today, identify: identifyUserAgent });
    for (const line of warnings) {
      process.stdout.write(`warning: ${line}\n`);
    }
    for (const line of errors) {
      process.stdout.write(`error: ${line}\n`);
    }
    const counts = datasetNames.map((name) => `${datasets[name].records.length} ${name}`).join(', ');
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
