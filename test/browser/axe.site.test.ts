import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations, injectAxe, testKindsWithAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

// Both ends; test/browser/axe.slow.test.ts looks at what lies between.
testKindsWithAxe(browser, [
  { width: 390, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
]);

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
