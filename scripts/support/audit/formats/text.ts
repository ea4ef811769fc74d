import { styleText } from 'node:util';
import { platforms } from '#api/audit/fixes/platforms/index.ts';
import type { AuditReport } from '#api/audit/report.ts';
import type { SiteResult } from '../audited-site.ts';
import type { Difference } from '../baseline.ts';
import { toBrowserSentences } from '../browser-view.ts';
import { toSafeLine, toTerminalReport } from '../terminal-report.ts';
import { platformOf } from './fixes.ts';
import type { Format } from './index.ts';

type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

const shownSteps = 8;

function differenceLines({ before, after, worse, better, rubricChanged }: Difference, paint: Paint): string[] {
  const sign = after - before >= 0 ? '+' : '';
  return [
    `${sign}${after - before} since the baseline (${before}): ${better.length} better, ${worse.length} worse${rubricChanged ? ', by another rubric' : ''}`,
    ...worse
      .slice(0, 5)
      .map(({ id, title, from, to }) => paint('red', `  worse: ${toSafeLine(title)} (${id}: ${from} → ${to})`)),
  ];
}

/** The outcome on about twenty lines: score, diagnosis, and what to fix first. */
function summaryLines(report: AuditReport, wanted: string | undefined, paint: Paint): string[] {
  const platform = platformOf(report, wanted);
  const isGuess = platform !== wanted && report.stack.judged_by.length === 0;
  const { score, plan, summary } = report;
  const style = report.certifiable ? 'green' : score >= 40 ? 'yellow' : 'red';
  const rest = plan.slice(shownSteps);
  const gained = rest.reduce((sum, { points }) => sum + points, 0);
  return [
    `${paint([style, 'bold'], `${score} of 100`)}, ${report.grade}: ${toSafeLine(report.final_url)}`,
    toSafeLine(report.diagnosis, 400),
    `${summary.pass} passed, ${summary.partial} in part, ${summary.fail} failed, ${summary.not_applicable} don't apply, ${summary.unchecked} not judged`,
    ...(plan.length === 0 ? [] : ['', paint('bold', 'Fix these first')]),
    ...plan
      .slice(0, shownSteps)
      .map(
        ({ title, points, score_after, minutes, where }) =>
          `  ${`+${points}`.padStart(4)} → ${String(score_after).padStart(3)}  ${toSafeLine(title)} (${minutes} min; ${toSafeLine(where)})`,
      ),
    ...(rest.length === 0
      ? []
      : [
          `  ${`+${gained}`.padStart(4)} → ${String(rest.at(-1)?.score_after).padStart(3)}  ${rest.length} more (--verbose)`,
        ]),
    ...(plan.length === 0
      ? []
      : [
          '',
          `Fixes for ${platforms[platform].name}${isGuess ? ' (nothing shows the server; --platform NAME for another)' : ''}: add --format fixes, or --fixes FOLDER for the files.`,
        ]),
  ];
}

function browserLines(result: SiteResult, paint: Paint): string[] {
  const view = result.kind === 'report' ? result.browser : undefined;
  if (view === undefined) {
    return [];
  }
  const sentences = 'error' in view ? [view.error] : toBrowserSentences(view);
  return ['', paint('bold', 'In a browser'), ...sentences.map((sentence) => `  ${toSafeLine(sentence, 400)}`)];
}

const linesOf = (
  result: SiteResult,
  paint: Paint,
  { verbose, platform }: { verbose: boolean; platform: string | undefined },
): string[] =>
  result.kind === 'unreachable'
    ? [`${paint('red', 'not audited')}: ${toSafeLine(result.url)}`, toSafeLine(result.reason, 1000)]
    : verbose
      ? [toTerminalReport(result.report, { colour: false }).trimEnd()]
      : summaryLines(result.report, platform, paint);

/** For a person at a terminal. Nothing that the audited site sent can steer the terminal. */
export const toText: Format = ({ results, differences, verbose, platform, hasColours }) => {
  const paint: Paint = (style, text) => (hasColours ? styleText(style, text, { validateStream: false }) : text);
  const blocks = results.map((result) => {
    const difference =
      result.kind === 'report' ? differences.find(({ url }) => url === result.report.final_url) : undefined;
    return [
      ...linesOf(result, paint, { verbose, platform }),
      ...browserLines(result, paint),
      ...(difference === undefined ? [] : ['', ...differenceLines(difference, paint)]),
    ];
  });
  return `${blocks.map((lines) => lines.join('\n')).join('\n\n')}\n`;
};
