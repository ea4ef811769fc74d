import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import { isHtml } from './gates.ts';
import { lineOf } from './lines.ts';
import { absent, requireFile } from './verdicts.ts';

/** The llms.txt of the site. Ends the check where there is none: `llms-txt-valid` counts the absence. */
export function requireLlmsTxt(evidence: Evidence): Exchange {
  const file = requireFile(evidence, 'llms-txt');
  if (!isSuccess(file) || isHtml(file)) {
    throw new EarlyVerdict(absent('llms-txt-valid', lineOf(file, 'There is no llms.txt.')));
  }
  return file;
}
