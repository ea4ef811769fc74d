import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { toSafeLine } from './audit/terminal-report.ts';

/** A mistake in the call of a command: the message is all that is shown. */
export class UsageError extends Error {}

/** The options and positional arguments of a command. Throws UsageError. */
export function parseCommandLine<const Options extends ParseArgsOptionsConfig>(args: string[], options: Options) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    // The rest tells how to pass such an argument all the same, which no command here takes.
    const strange = /^Unknown option '[^']+'/.exec(message)?.[0];
    throw new UsageError(strange === undefined ? message : `${strange}.`);
  }
}

/** What a command reads and writes besides files: of the process, or of a test. */
export interface Terminal {
  env: NodeJS.ProcessEnv;
  /** The folder that relative paths start from. */
  cwd: string;
  /** A person watches: progress may be shown. */
  isWatched: boolean;
  /** The result may be coloured. */
  hasColours: boolean;
  /** Writes the result, as it is. */
  out(text: string): void;
  /** Writes everything else, as it is. */
  error(text: string): void;
}

/** The terminal of this process. */
export const processTerminal: Terminal = {
  env: process.env,
  cwd: process.cwd(),
  isWatched: process.stderr.isTTY === true,
  hasColours: process.stdout.isTTY === true && process.env['NO_COLOR'] === undefined,
  out: (text) => process.stdout.write(text),
  error: (text) => process.stderr.write(text),
};

/** A command of package.json. Resolves with its exit code. */
export type Command = (args: string[], terminal: Terminal) => Promise<number>;

const helpOption = { help: { type: 'boolean', short: 'h', default: false } } as const;

type Parsed<Options extends ParseArgsOptionsConfig> = ReturnType<typeof parseCommandLine<Options & typeof helpOption>>;

/**
 * A command of a name, with its own options and `--help`, which prints the help. Its errors are said in a line: exit code 2 for a
 * mistake in the call, 1 for anything else. `usage` is how it's called. What isn't said to take arguments refuses them.
 */
export const defineCommand =
  <const Options extends ParseArgsOptionsConfig = Record<never, never>>(
    {
      name,
      usage = `npm run ${name} --`,
      help,
      options,
      takesArguments = false,
    }: { name: string; usage?: string; help: string; options?: Options; takesArguments?: boolean },
    run: (call: Parsed<Options>, terminal: Terminal) => Promise<number>,
  ): Command =>
  async (args, terminal) => {
    try {
      const call = parseCommandLine(args, { ...options, ...helpOption } as Options & typeof helpOption);
      if ((call.values as { help?: boolean }).help) {
        terminal.out(help);
        return 0;
      }
      if (!takesArguments && call.positionals.length > 0) {
        throw new UsageError(`What is ${JSON.stringify(call.positionals.join(' '))}? Only options are taken.`);
      }
      return await run(call, terminal);
    } catch (error) {
      terminal.error(`${toSafeLine(error instanceof Error ? error.message : String(error), 1000)}\n`);
      if (error instanceof UsageError) {
        terminal.error(`Run ${usage} --help for the usage.\n`);
        return 2;
      }
      return 1;
    }
  };
