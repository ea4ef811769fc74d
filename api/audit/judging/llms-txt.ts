import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { isSuccess } from '../facts/headers.ts';
import { isHtml } from './gates.ts';
import { lineOf } from './lines.ts';
import { absent, requireFile } from './verdicts.ts';

const isFile = (exchange: Exchange): boolean => isSuccess(exchange) && !isHtml(exchange);

/**
 * What the site answers for its llms.txt: the file in its own folder, else the one at the root of the host, else
 * the answer that says there's neither.
 */
export function llmsTxtAnswer(evidence: Evidence): Exchange {
  const own = requireFile(evidence, 'llms-txt');
  const isUnderPath = new URL('.', evidence.home).pathname !== '/';
  if (isFile(own) || !isUnderPath) {
    return own;
  }
  const ofHost = requireFile(evidence, 'llms-txt:root');
  return isFile(ofHost) ? ofHost : own;
}

/** The llms.txt of the site. Ends the check where there is none: `llms-txt-valid` counts the absence. */
export function requireLlmsTxt(evidence: Evidence): Exchange {
  const file = llmsTxtAnswer(evidence);
  if (!isFile(file)) {
    throw new EarlyVerdict(absent('llms-txt-valid', lineOf(file, 'There is no llms.txt.')));
  }
  return file;
}
