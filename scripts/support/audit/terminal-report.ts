import { styleText } from 'node:util';
import type { AuditReport, CheckResult } from '#api/audit/report.ts';
import { cleanLine, cleanText } from '#api/text/clean-text.ts';

type Style = Parameters<typeof styleText>[0];

/**
 * One line of text from outside, safe for a terminal: without control characters, escape sequences and what cannot be
 * seen, and not too long.
 */
export const toSafeLine = (text: string, characters = 300): string => cleanLine(text, { characters }).text;

/** Several lines of it. */
const toSafeLines = (text: string): string[] => cleanText(text, { characters: 4000 }).text.split('\n');

const shown: [status: CheckResult['status'], word: string, style: Style][] = [
  ['fail', 'FAIL', 'red'],
  ['partial', 'PART', 'yellow'],
  ['unchecked', 'NONE', 'cyan'],
];

const indented = (lines: readonly string[], by: string): string[] => lines.map((line) => `${by}${line}`);

function evidenceLines({ evidence }: CheckResult): string[] {
  return evidence.flatMap(({ request, status, header, excerpt, note }) => [
    `${toSafeLine(request)} → ${status ?? 'no response'}`,
    ...(header === null ? [] : [`  ${toSafeLine(header)}`]),
    ...(excerpt === null ? [] : [`  “${toSafeLine(excerpt)}”`]),
    `  ${toSafeLine(note)}`,
  ]);
}

/** A report as a person reads it in a terminal. Nothing that the audited site sent can steer the terminal. */
export function toTerminalReport(report: AuditReport, { colour }: { colour: boolean }): string {
  const paint = (style: Style, text: string): string =>
    colour ? styleText(style, text, { validateStream: false }) : text;
  const lost = ({ weight, points }: CheckResult): number => weight - (points ?? 0);
  const { summary } = report;
  const lines = [
    `${paint('bold', `${report.score} of 100`)}, ${report.grade}${report.provisional ? ', provisional' : ''}: ${toSafeLine(report.final_url)}`,
    `${report.requests} requests in ${(report.duration_ms / 1000).toFixed(1)} s, rubric ${report.rubric}, ${Math.floor(report.coverage * 100)} % could be judged, ${toSafeLine(report.site_type.name)}`,
    `${summary.pass} pass, ${summary.partial} partial, ${summary.fail} fail, ${summary.unchecked} unchecked, ${summary.not_applicable} not applicable`,
    ...(report.cap === null
      ? []
      : [
          paint(
            'red',
            `No more than ${report.cap.score}, because of ${report.cap.check}: ${toSafeLine(report.cap.reason)}`,
          ),
        ]),
    '',
    ...report.techniques.map(({ name, score }) => `${(score === null ? '–' : String(score)).padStart(5)}  ${name}`),
  ];
  for (const [status, word, style] of shown) {
    const checks = report.checks.filter((check) => check.status === status).sort((a, b) => lost(b) - lost(a));
    for (const check of checks) {
      lines.push(
        '',
        `${paint(style, word)}  ${paint('bold', check.title)} (${check.id}, ${check.points ?? '–'} of ${check.weight})`,
      );
      lines.push(...indented(evidenceLines(check), '      '));
      if (check.fix !== null) {
        lines.push(`      ${paint('bold', 'Fix:')} ${toSafeLine(check.fix.text, 1000)}`);
        lines.push(...indented(toSafeLines(check.fix.snippet), '        | '));
      }
      lines.push(`      ${check.reference.title}: ${check.reference.url}`);
      if (check.contested !== null) {
        lines.push(`      Contested: ${check.contested}`);
      }
    }
  }
  return `${lines.join('\n')}\n`;
}

/** A document as JSON that is safe for a terminal: JSON itself leaves the upper control characters as they are. */
export const toTerminalJson = (document: unknown): string =>
  JSON.stringify(document, null, 2).replace(/[\u007f-\u009f\p{Cf}\u2028\u2029]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
