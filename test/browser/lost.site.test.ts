import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

for (const [name, origin] of [
  ['the service', siteUrl],
  ['nginx', nginxUrl],
] as const) {
  test(`${name}: a mistyped address names the page that was meant`, () =>
    withPage(browser, {}, async (page) => {
      await page.goto(`${origin}/crawlers/gptbt`);
      await page.locator('[data-near] a').first().waitFor();
      assert.equal(await page.locator('[data-near] a').first().getAttribute('href'), '/crawlers/gptbot');
      assert.equal(await page.locator('[data-lost] input').inputValue(), 'gptbt');
    }));
}

test('a name in the wrong place is found in its own', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/docs/markdown-negotiation`);
    await page.locator('[data-near] a').first().waitFor();
    assert.equal(await page.locator('[data-near] a').first().getAttribute('href'), '/techniques/markdown-negotiation');
  }));

test('an address that resembles none names none, and its markup stays text', () =>
  withPage(browser, {}, async (page) => {
    const errors = watchForErrors(page);
    const index = page.waitForResponse(/search-index\.json/);
    await page.goto(`${siteUrl}/${encodeURIComponent('<img src=x onerror=alert(1)>qqqqqqqqqqqq')}`);
    await (await index).finished();
    assert.equal(await page.locator('[data-near] a').count(), 0);
    assert.equal(await page.locator('main img').count(), 0);
    // The browser reports the status of the page itself.
    assert.deepEqual(
      errors.filter((line) => !line.includes('404')),
      [],
    );
  }));
