import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import type { AxeResults, RunOptions } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { withPage } from './browser.ts';
import { type PageType, siteUrl } from './site-under-test.ts';

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

/** A width in CSS px and a scheme that pages are looked at in. */
export interface Look {
  width: 390 | 820 | 1440;
  colorScheme: 'light' | 'dark';
}

/** Both ends of the looks, and what lies between. */
export const outerLooks: readonly Look[] = [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
];
export const innerLooks: readonly Look[] = [
  { width: 820, colorScheme: 'light' },
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 820, colorScheme: 'dark' },
];

/** Declares a test for each of the pages: axe-core finds nothing on it, however it is looked at. */
export function testWithAxe(browser: Browser, pages: readonly PageType[], looks: readonly Look[]): void {
  for (const { kind, path, status } of pages) {
    test(`axe-core finds nothing on a page of kind ${kind} (${path})`, async () => {
      await withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
        const response = await page.goto(`${siteUrl}${path}`);
        assert.equal(response?.status(), status);
        await injectAxe(page);
        const found: string[] = [];
        for (const { width, colorScheme } of looks) {
          await page.emulateMedia({ colorScheme });
          await page.setViewportSize({ width, height: 900 });
          found.push(...(await axeViolations(page)).map((line) => `${width} px, ${colorScheme}: ${line}`));
        }
        assert.deepEqual(found, []);
      });
    });
  }
}
