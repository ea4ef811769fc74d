import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { toSafeLine } from './audit/terminal-report.ts';

/** A mistake in the call of a command: the message is all that is shown. */
export class UsageError extends Error {}

/** The options and positional arguments of a command. Throws UsageError. */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/**
 * Runs a command of package.json and sets the exit code: what `main` resolves with, or 2 for a mistake in the call, which is
 * said. Any other error is thrown on.
 */
export async function runCommand(name: string, main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    if (!(error instanceof UsageError)) {
      throw error;
    }
    process.stderr.write(`${toSafeLine(error.message, 1000)}\nRun npm run ${name} -- --help for the usage.\n`);
    process.exitCode = 2;
  }
}
