import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const axeSource = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const options: RunOptions = { resultTypes: ['violations'], rules: { 'target-size': { enabled: true } } };

/** Puts axe-core into a page. It comes over the debugging protocol, which the content security policy does not govern. */
export const injectAxe = (page: Page): Promise<unknown> => page.evaluate(axeSource);

/**
 * What axe-core finds in a page that it was put into: a line for each element, with the rule that it breaks. `without` names
 * rules that are left out.
 */
export async function axeViolations(page: Page, without: readonly string[] = []): Promise<string[]> {
  const leftOut = Object.fromEntries(without.map((rule) => [rule, { enabled: false }]));
  const results = await page.evaluate<AxeResults, RunOptions>(
    (given) => (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(given),
    { ...options, rules: { ...options.rules, ...leftOut } },
  );
  return results.violations.flatMap((rule) =>
    rule.nodes.map((node) => `${rule.id}: ${node.html.slice(0, 160)} (${node.failureSummary?.replace(/\s+/g, ' ')})`),
  );
}
