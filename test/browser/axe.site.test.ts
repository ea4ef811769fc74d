import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { pageTypes, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

for (const { kind, path, status } of pageTypes) {
  test(`axe-core finds nothing on a page of kind ${kind} (${path})`, async () => {
    await withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
      const response = await page.goto(`${siteUrl}${path}`);
      assert.equal(response?.status(), status);
      await injectAxe(page);
      const found: string[] = [];
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 820, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          found.push(...(await axeViolations(page)).map((line) => `${width} px, ${colorScheme}: ${line}`));
        }
      }
      assert.deepEqual(found, []);
    });
  });
}

test('axe-core finds what is wrong, so that its silence means something', async () => {
  await withPage(browser, {}, async (page) => {
    await page.goto(siteUrl);
    await page.locator('main:visible').evaluate((main) => {
      main.insertAdjacentHTML('beforeend', '<img src="/favicon.svg"><button></button>');
    });
    await injectAxe(page);
    const rules = (await axeViolations(page)).map((line) => line.slice(0, line.indexOf(':')));
    assert.deepEqual(rules.sort(), ['button-name', 'image-alt']);
  });
});
