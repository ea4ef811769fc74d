import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { toFixDocument } from '#api/audit/fixes/fix-document.ts';
import { filesByPath, fixesOf } from '#api/audit/fixes/fixes.ts';
import { parseRecording } from '#api/audit/run.ts';
import { type Command, defineCommand, type Terminal, UsageError } from '../command-line.ts';
import { type AuditCall, auditOptions, readAuditCall } from './audit-options.ts';
import { auditSite, resultOf, type SiteResult, toTarget } from './audited-site.ts';
import { differenceOf, readBaseline } from './baseline.ts';
import { openBrowser, viewInBrowser } from './browser-view.ts';
import { platformOf } from './formats/fixes.ts';
import { formatNames, formats } from './formats/index.ts';
import { toSafeLine } from './terminal-report.ts';

const helpOf = (
  command: string,
): string => `Audits websites for agent-readiness from this machine, private hosts included.

Usage: ${command} <address>… [options]

  <address>            example.com, http://localhost:3000, … (https unless given, http for local names)

Result
  --format <name>      ${formatNames.join(', ')}; text unless given (--json is --format json)
  -v, --verbose        every finding with its evidence, in place of the summary
  -o, --output <file>  write the result to a file
  --fixes <folder>     write the files that put it right into a folder
  --platform <name>    what fixes are written for: nginx, apache, caddy, cloudflare, … (recognised unless given)

Passing
  --min <score>        fail under a score, 0 to 100
  --baseline <file>    fail on what got worse since that result of --format json
  --ignore <id,…>      checks or techniques that don't count
  --only <id,…>        the only checks or techniques that count

What to look at
  --pages <number>     how many pages, 1 to 50; 5 unless given
  --path <path>        a page to look at in any case; may be repeated
  --sitemap <address>  where the sitemap is, if robots.txt doesn't say
  --browser            open the home page in Chromium too: what scripts add, the browser's
                       accessibility tree, WebMCP tools (needs playwright-core; changes no score)

Recordings
  --recording <file>   keep everything that was received, to judge it again
  --replay <file>      judge a recording; nothing is fetched, and no address is given

  -c, --config <file>  options from a file; porchlight.config.json in this folder is read by itself
  -h, --help           this text

Exit codes: 0 passed, 1 too low or worse than the baseline, 2 wrong usage, 3 a site could not be audited.
Example: ${command} example.com --min 70 --format markdown
`;

async function write(file: string, text: string, cwd: string): Promise<void> {
  const path = resolve(cwd, file);
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  } catch (cause) {
    throw new UsageError(`${file} can't be written: ${cause instanceof Error ? cause.message : cause}`);
  }
}

async function replay(file: string, call: AuditCall, cwd: string): Promise<SiteResult> {
  try {
    return resultOf(parseRecording(await readFile(resolve(cwd, file), 'utf8')), call);
  } catch (error) {
    throw new UsageError(`${file}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Adds what a browser makes of each home page that was audited. */
async function addBrowserViews(results: readonly SiteResult[], env: NodeJS.ProcessEnv): Promise<void> {
  const browser = await openBrowser(env);
  try {
    for (const result of results) {
      if (result.kind === 'report') {
        result.browser = await viewInBrowser(browser, result.report.final_url).catch((error: unknown) => ({
          error: `The page could not be opened in the browser: ${String(error).split('\n')[0]}`,
        }));
      }
    }
  } finally {
    await browser.close();
  }
}

async function auditAll(call: AuditCall, version: string, terminal: Terminal): Promise<SiteResult[]> {
  if (call.replay !== null) {
    return [await replay(call.replay, call, terminal.cwd)];
  }
  // An address that can't be right is said before the first site is asked.
  for (const url of call.urls) {
    toTarget(url);
  }
  const results: SiteResult[] = [];
  for (const [index, url] of call.urls.entries()) {
    const place = call.urls.length > 1 ? `${index + 1} of ${call.urls.length}, ` : '';
    const result = await auditSite(url, {
      ...call,
      version,
      onRequest: (requests) => {
        if (terminal.isWatched) {
          terminal.error(`\r\u001b[K${toSafeLine(url, 60)}: ${place}${requests} requests`);
        }
      },
    }).finally(() => terminal.isWatched && terminal.error('\r\u001b[K'));
    if (call.recording !== null && result.kind === 'report') {
      await write(call.recording, JSON.stringify(result.evidence), terminal.cwd);
    }
    results.push(result);
  }
  return results;
}

/** Writes the files of the fixes of each site into a folder, below its host name when there are several. */
async function writeFixes(
  folder: string,
  results: readonly SiteResult[],
  call: AuditCall,
  cwd: string,
): Promise<number> {
  let count = 0;
  for (const result of results) {
    if (result.kind === 'report') {
      const { report } = result;
      const fixes = fixesOf(report, { platform: platformOf(report, call.platform), now: new Date(report.audited_at) });
      const own = results.length > 1 ? join(folder, new URL(report.final_url).host.replace(/[^\w.-]/g, '_')) : folder;
      const files = new Map([
        ['README.md', toFixDocument(report, fixes, { files: 'this folder' })],
        ...filesByPath(fixes),
      ]);
      for (const [path, text] of files) {
        await write(join(own, path), text, cwd);
        count += 1;
      }
    }
  }
  return count;
}

/** The sentences that say why the results don't pass; none when they do. */
function shortcomings(
  results: readonly SiteResult[],
  min: number,
  differences: readonly ReturnType<typeof differenceOf>[],
): string[] {
  return [
    ...results.flatMap((result) => {
      if (result.kind === 'unreachable') {
        return [];
      }
      const { score, provisional, coverage, final_url } = result.report;
      return provisional && min > 0
        ? [
            `${final_url}: the result is provisional, ${Math.floor(coverage * 100)} % of what applies could be judged, so no minimum is reached.`,
          ]
        : score < min
          ? [`${final_url}: the score is ${score}; at least ${min} was asked for.`]
          : [];
    }),
    ...differences.flatMap((difference) =>
      difference === null || difference.worse.length === 0
        ? []
        : [
            `${difference.url}: ${difference.worse.length} worse than the baseline (${difference.worse.map(({ id }) => id).join(', ')}).`,
          ],
    ),
  ];
}

/** Runs the audit command as it is called: by npm in this project, or as a package of its own. */
export const createAuditCommand = (name: string, usage: string, version: string): Command =>
  defineCommand(
    { name, usage, help: helpOf(usage), options: auditOptions, takesArguments: true },
    async (given, terminal) => {
      const call = await readAuditCall(given, terminal.cwd);
      const baseline = call.baseline === undefined ? [] : await readBaseline(call.baseline, terminal.cwd);
      const results = await auditAll(call, version, terminal);
      if (call.browser) {
        await addBrowserViews(results, terminal.env);
      }
      const differences = results.map((result) =>
        result.kind === 'report' ? differenceOf(result.report, baseline) : null,
      );
      const min = call.min ?? 0;
      const text = formats[call.format ?? 'text']({
        results,
        differences: differences.filter((difference) => difference !== null),
        min,
        verbose: call.verbose,
        hasColours: terminal.hasColours && call.output === null,
        version,
        platform: call.platform,
      });
      if (call.output === null) {
        terminal.out(text);
      } else {
        await write(call.output, text, terminal.cwd);
        terminal.error(`Written to ${toSafeLine(call.output)}\n`);
      }
      if (call.fixes !== null) {
        const count = await writeFixes(call.fixes, results, call, terminal.cwd);
        terminal.error(`${count} files written to ${toSafeLine(call.fixes)}\n`);
      }
      // The text says it; what a program reads may hide it.
      for (const result of call.format === undefined || call.format === 'text' ? [] : results) {
        if (result.kind === 'unreachable') {
          terminal.error(`${toSafeLine(result.url)} could not be audited. ${toSafeLine(result.reason, 1000)}\n`);
        }
      }
      for (const [index, result] of call.baseline === undefined ? [] : results.entries()) {
        if (result.kind === 'report' && differences[index] === null) {
          terminal.error(
            `${toSafeLine(result.report.final_url)} is not in ${toSafeLine(call.baseline ?? '')}, so nothing was compared. Make a baseline of it with --format json --output.\n`,
          );
        }
      }
      const short = shortcomings(results, min, differences);
      for (const sentence of short) {
        terminal.error(`${toSafeLine(sentence, 1000)}\n`);
      }
      return results.some(({ kind }) => kind === 'unreachable') ? 3 : short.length > 0 ? 1 : 0;
    },
  );
