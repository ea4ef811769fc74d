import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

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
