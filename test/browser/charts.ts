import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

/** Declares a test for each of the pages: its pictures have the colours of the page, and axe-core finds nothing. */
export function testCharts(browser: Browser, paths: readonly string[]): void {
  for (const path of paths) {
    test(`the pictures of ${path} have the colours of the page, and axe-core finds nothing`, async () => {
      await withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
        await page.goto(`${siteUrl}${path}`);
        await injectAxe(page);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          for (const width of [390, 1440]) {
            await page.setViewportSize({ width, height: 900 });
            // What no rule has reached is painted black. A straight line has nothing to fill.
            const fills = await page.locator('.chart svg :is(path, circle, rect, text)').evaluateAll((elements) =>
              elements
                .filter((element) => element.closest('marker, defs, clipPath, mask') === null)
                .filter((element) => /[clqsa]/i.test(element.getAttribute('d') ?? 'curve'))
                .map((element) => getComputedStyle(element).fill),
            );
            assert.ok(fills.length > 20, `${fills.length} shapes`);
            assert.ok(!fills.includes('rgb(0, 0, 0)'), colorScheme);
            assert.deepEqual(await axeViolations(page), [], `${width} px, ${colorScheme}`);
            const tooWide = await page.evaluate(
              () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
            );
            assert.ok(tooWide <= 0, `${tooWide} px wider than ${width} px`);
          }
        }
      });
    });
  }
}
