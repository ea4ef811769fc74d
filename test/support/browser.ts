import { after } from 'node:test';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { browserArguments, findTestBrowser } from '../../scripts/support/requirements.ts';

const launched = new Map<string, Promise<Browser>>();

// When this module is loaded and not when a browser is launched: a test may launch one, which others go on to use.
after(async () => {
  for (const browser of launched.values()) {
    await (await browser).close();
  }
});

/** A headless Chromium, which all files that run in one process share; it's closed when their tests are over. */
export function launchBrowser(...extraArguments: string[]): Promise<Browser> {
  const key = extraArguments.join(' ');
  const browser =
    launched.get(key) ??
    chromium.launch({ executablePath: findTestBrowser(), args: [...browserArguments, ...extraArguments] });
  launched.set(key, browser);
  return browser;
}

/** Runs a job with a page in a context of its own. */
export async function withPage<Result>(
  browser: Browser,
  options: Parameters<Browser['newContext']>[0],
  job: (page: Page, context: BrowserContext) => Promise<Result>,
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    return await job(await context.newPage(), context);
  } finally {
    await context.close();
  }
}

/**
 * Collects what goes wrong in a page: errors and warnings in the console (refusals of the content security policy are
 * among them) and uncaught exceptions.
 */
export function watchForErrors(page: Page): string[] {
  const errors: string[] = [];
  page.on('console', (message) => {
    const text = message.text();
    // Chromium's remark on a Permissions-Policy for WebMCP while WebMCP itself is off.
    const isUnknownPolicy = text.includes("Origin trial controlled feature not enabled: 'tools'");
    if (['error', 'warning'].includes(message.type()) && !isUnknownPolicy) {
      errors.push(`${message.type()}: ${text}`);
    }
  });
  page.on('pageerror', (error) => errors.push(`uncaught: ${error.message}`));
  return errors;
}
