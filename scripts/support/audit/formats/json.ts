import { toTerminalJson } from '../terminal-report.ts';
import type { Format } from './index.ts';

/** The reports as JSON: one report for one site, a list for several. A site without a report says why. */
export const toJson: Format = ({ results }) => {
  const documents = results.map((result) =>
    result.kind === 'report'
      ? { ...result.report, ...(result.browser === undefined ? {} : { browser: result.browser }) }
      : { url: result.url, unreachable: result.reason },
  );
  return `${toTerminalJson(documents.length === 1 ? documents[0] : documents)}\n`;
};
