import type { CheckResult } from '#api/audit/report.ts';
import { escapeMarkup } from '#api/text/escape-markup.ts';
import type { Format } from './index.ts';

/** Text as XML 1.0 allows it. */
const inXml = (text: string): string =>
  escapeMarkup(text.replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, ''));

const linesOf = ({ evidence, fix }: CheckResult): string =>
  [
    ...evidence.map(({ request, status, note }) => `${request} → ${status ?? 'no response'}: ${note}`),
    ...(fix === null ? [] : [`Fix: ${fix.text}`]),
  ].join('\n');

function toCase(check: CheckResult, suite: string): string {
  const open = `<testcase name="${inXml(check.id)}" classname="${inXml(suite)}.${inXml(check.technique)}"`;
  switch (check.status) {
    case 'pass':
      return `${open}/>`;
    case 'fail':
    case 'partial':
      return `${open}><failure type="${check.status}" message="${inXml(check.title)}">${inXml(linesOf(check))}</failure></testcase>`;
    default:
      return `${open}><skipped message="${check.status === 'unchecked' ? 'could not be judged' : "doesn't apply"}"/></testcase>`;
  }
}

/** For CI systems that read JUnit: a suite for each site, a case for each check. */
export const toJunit: Format = ({ results }) => {
  const suites = results.map((result) => {
    const name = inXml(result.url);
    if (result.kind === 'unreachable') {
      return `<testsuite name="${name}" tests="1" failures="0" errors="1" skipped="0"><testcase name="reachable" classname="${name}"><error message="${inXml(result.reason)}"/></testcase></testsuite>`;
    }
    const { checks, summary } = result.report;
    const skipped = summary.not_applicable + summary.unchecked;
    return `<testsuite name="${name}" tests="${checks.length}" failures="${summary.fail + summary.partial}" errors="0" skipped="${skipped}">\n${checks
      .map((check) => `  ${toCase(check, result.url)}`)
      .join('\n')}\n</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
};
