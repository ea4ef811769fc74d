import { cleanLine } from '#api/text/clean-text.ts';
import { toBrowserSentences } from '../browser-view.ts';
import type { Format } from './index.ts';

/** Text from outside in a line of markdown: no mark-up of its own, one line. */
const inert = (text: string): string =>
  cleanLine(text, { characters: 300 }).text.replace(/[\\`*_[\]<>|#~]/g, (character) => `\\${character}`);

/** For the summary of a job or a comment on a change: what changed, and what to fix first. */
export const toMarkdown: Format = ({ results, differences, min }) => {
  const blocks = results.map((result) => {
    if (result.kind === 'unreachable') {
      return `## ${inert(result.url)}: not audited\n\n${inert(result.reason)}`;
    }
    const { report } = result;
    const difference = differences.find(({ url }) => url === report.final_url);
    const passed = report.score >= min && !(report.provisional && min > 0);
    const lines = [
      `## ${inert(report.final_url)}: ${report.score} of 100, ${report.grade}`,
      inert(report.diagnosis),
      ...(min > 0 ? [`${passed ? 'Passed' : 'Failed'}: at least ${min} was asked for.`] : []),
      ...(difference === undefined
        ? []
        : [
            `${difference.after >= difference.before ? '+' : ''}${difference.after - difference.before} since the baseline: ${difference.better.length} better, ${difference.worse.length} worse.`,
            ...(difference.worse.length === 0
              ? []
              : [
                  difference.worse
                    .map(({ id, title, from, to }) => `- ${inert(title)} (\`${id}\`: ${from} → ${to})`)
                    .join('\n'),
                ]),
          ]),
      ...(report.plan.length === 0
        ? ['Nothing to fix.']
        : [
            [
              '| Fix first | Gain | Then | Where |',
              '|---|---:|---:|---|',
              ...report.plan.map(
                ({ title, points, score_after, where }) =>
                  `| ${inert(title)} | +${points} | ${score_after} | ${inert(where)} |`,
              ),
            ].join('\n'),
          ]),
    ];
    const { browser } = result;
    const seen = browser === undefined ? [] : 'error' in browser ? [browser.error] : toBrowserSentences(browser);
    return [...lines, ...(seen.length === 0 ? [] : ['### In a browser', ...seen.map(inert)])].join('\n\n');
  });
  return `# Agent-readiness\n\n${blocks.join('\n\n')}\n`;
};
