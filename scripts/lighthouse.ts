import lighthouse, { type Config, type Flags, type Result } from 'lighthouse';
import { chromium } from 'playwright-core';
import { freePort } from './nginx.ts';
import { browserArguments, findChromium } from './requirements.ts';

const attempts = 3;

/** Lighthouse with a browser of its own. */
export interface Lighthouse {
  /** Audits one address. Throws when Lighthouse could not load it. */
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
        if (result !== undefined && result.lhr.runtimeError === undefined) {
          return result.lhr;
        }
        // Now and then a trace does not hold what Lighthouse looks for; it then asks to be run again.
        if (attempt === attempts) {
          throw new Error(`Lighthouse could not audit ${url}: ${result?.lhr.runtimeError?.message ?? 'no result'}`);
        }
      }
    },
    close: () => browser.close(),
  };
}
