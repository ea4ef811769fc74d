import lighthouse, { type Config, type Flags, type Result } from 'lighthouse';
import { chromium } from 'playwright-core';
import { freePort } from './ports.ts';
import { browserArguments, findChromium } from './requirements.ts';

/** On a busy machine a trace may lack what Lighthouse looks for; it then asks to be run again. */
const attempts = 4;

/** Why a result is not complete, or undefined when it is. */
const problemOf = ({ runtimeError, audits }: Result): string | undefined =>
  runtimeError?.message ??
  Object.values(audits)
    .filter(({ scoreDisplayMode }) => scoreDisplayMode === 'error')
    .map(({ id, errorMessage }) => `${id}: ${errorMessage}`)[0];

/** Lighthouse with a browser of its own. */
export interface Lighthouse {
  /** Audits one address. Throws when Lighthouse could not load it or could not run every audit. */
  audit(url: string, flags: Flags, config?: Config): Promise<Result>;
  close(): Promise<void>;
}

/** Starts the machine's Chromium for Lighthouse. */
export async function openLighthouse(...extraArguments: string[]): Promise<Lighthouse> {
  const port = await freePort();
  const browser = await chromium.launch({
    executablePath: findChromium(),
    args: [...browserArguments, `--remote-debugging-port=${port}`, ...extraArguments],
  });
  return {
    audit: async (url, flags, config) => {
      for (let attempt = 1; ; attempt += 1) {
        const result = await lighthouse(url, { port, logLevel: 'error', output: 'json', ...flags }, config);
        const problem = result === undefined ? 'no result' : problemOf(result.lhr);
        if (result !== undefined && problem === undefined) {
          return result.lhr;
        }
        if (attempt === attempts) {
          throw new Error(`Lighthouse could not audit ${url}: ${problem}`);
        }
      }
    },
    close: () => browser.close(),
  };
}
