import { Resolver } from 'node:dns/promises';
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Evidence, robotsToken } from '#api/audit/evidence.ts';
import { type AuditReport, toReport } from '#api/audit/report.ts';
import { parseRecording, runAudit } from '#api/audit/run.ts';
import { toFailure } from '#api/audits/outcome.ts';
import { createGuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { parseTarget, type TargetPolicy } from '#api/fetch/target.ts';
import { toSafeLine, toTerminalJson, toTerminalReport } from './support/audit/terminal-report.ts';
import { defineCommand, parseCommandLine, processTerminal, type Terminal, UsageError } from './support/command-line.ts';

const help = `Audits a website for agents, as /api/audit does, from this machine. Private hosts are allowed.

Usage: npm run audit -- <url> [options]

  --json               print the report as JSON
  --min <score>        exit with 1 when the score is lower, 0 to 100
  --recording <file>   keep everything that was received, to judge it again
  --replay <file>      judge a recording; nothing is fetched, and no url is given
  --help               this text

Exit codes: 0 all is well, 1 the score is under the minimum or the site could not be audited, 2 wrong use.
Example: npm run audit -- http://localhost:4321/ --min 90
`;

interface Command {
  source: { url: URL; recording: string | null } | { replay: string };
  json: boolean;
  min: number;
}

const options = {
  json: { type: 'boolean', default: false },
  min: { type: 'string', default: '0' },
  recording: { type: 'string' },
  replay: { type: 'string' },
  help: { type: 'boolean', default: false },
} as const;

/** Whoever sits at the machine may audit what it can reach: the host that was named, on its port. */
const policyOf = (url: string): TargetPolicy => {
  const { hostname = '', host = '', port = '' } = URL.parse(url) ?? {};
  return { ports: port === '' ? [] : [Number(port)], allowPrivate: [hostname, host] };
};

/** The command of an argument list; null when the help was asked for. Throws UsageError. */
function readCommand(args: string[]): Command | null {
  const { values, positionals } = parseCommandLine(args, options);
  if (values.help) {
    return null;
  }
  if (!/^\d{1,3}$/.test(values.min) || Number(values.min) > 100) {
    throw new UsageError(`--min ${JSON.stringify(values.min)} is not a score from 0 to 100.`);
  }
  const common = { json: values.json, min: Number(values.min) };
  if (values.replay !== undefined) {
    if (positionals.length > 0 || values.recording !== undefined) {
      throw new UsageError('--replay judges a recording: give neither a url nor --recording with it.');
    }
    return { ...common, source: { replay: values.replay } };
  }
  const [url, ...rest] = positionals;
  if (url === undefined || rest.length > 0) {
    throw new UsageError('Give one url, such as https://example.com/.');
  }
  try {
    return {
      ...common,
      source: { url: parseTarget(url, policyOf(url)), recording: values.recording ?? null },
    };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function readRecording(file: string, cwd: string): Promise<Evidence> {
  try {
    return parseRecording(await readFile(resolve(cwd, file), 'utf8'));
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

async function audit(
  url: URL,
  recording: string | null,
  terminal: Terminal,
): Promise<{ evidence: Evidence; report: AuditReport }> {
  const userAgent = `${robotsToken}/1.0 (npm run audit)`;
  const now = (): Date => new Date();
  const fetch = createGuardedFetch({
    resolver: new Resolver({ timeout: 2000, tries: 2 }),
    policy: policyOf(url.href),
    identity: { userAgent },
    now,
  });
  try {
    const result = await runAudit(url, {
      fetch,
      now,
      userAgent,
      onProgress: ({ requests }) => terminal.isWatched && terminal.error(`\r${requests} requests`),
    });
    if (recording !== null) {
      await writeFile(resolve(terminal.cwd, recording), JSON.stringify(result.evidence)).catch((cause: unknown) => {
        throw new UsageError(`The recording could not be written: ${cause instanceof Error ? cause.message : cause}`);
      });
    }
    return result;
  } finally {
    if (terminal.isWatched) {
      terminal.error('\r\u001b[K');
    }
    await fetch.close();
  }
}

/** `npm run audit`. */
export const auditCommand = defineCommand('audit', async (args, terminal) => {
  const command = readCommand(args);
  if (command === null) {
    terminal.out(help);
    return 0;
  }
  const { source, json, min } = command;
  let evidence: Evidence;
  let report: AuditReport;
  if ('replay' in source) {
    evidence = await readRecording(source.replay, terminal.cwd);
    report = toReport(evidence);
  } else {
    ({ evidence, report } = await audit(source.url, source.recording, terminal));
  }
  const obstacle = toFailure(evidence);
  if (obstacle !== null) {
    terminal.error(`${toSafeLine(evidence.target)} could not be audited. ${toSafeLine(obstacle.sentence, 1000)}\n`);
    return 1;
  }
  terminal.out(json ? `${toTerminalJson(report)}\n` : toTerminalReport(report, { colour: terminal.hasColours }));
  if (report.provisional && min > 0) {
    terminal.error(
      `The result is provisional: ${Math.floor(report.coverage * 100)} % of what applies could be judged, so no minimum is reached.\n`,
    );
    return 1;
  }
  if (report.score < min) {
    terminal.error(`The score is ${report.score}; at least ${min} was asked for.\n`);
    return 1;
  }
  return 0;
});

if (import.meta.main) {
  process.exitCode = await auditCommand(process.argv.slice(2), processTerminal);
}
