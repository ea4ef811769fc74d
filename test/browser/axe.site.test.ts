import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations, injectAxe, outerLooks, testWithAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { layoutPages, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

testWithAxe(browser, layoutPages, outerLooks);

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
