import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { pageTypes, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();
const path = '/techniques/webmcp';
const twin = { Markdown: `${path}.md`, JSON: `${path}.json` };

const entry = (page: Page, name: 'Page' | 'Markdown' | 'JSON') =>
  page.getByRole('navigation', { name: 'Representations of this page' }).getByRole('link', { name, exact: true });

/** Opens a page and hands it over when its scripts have run. */
const opened = (at: string, job: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
    await page.goto(`${siteUrl}${at}`, { waitUntil: 'load' });
    await job(page);
  });

for (const { kind, path: at } of pageTypes.filter(({ status }) => status === 200)) {
  test(`the switch shows the twins of a page of kind ${kind} (${at}) and the page again`, () =>
    withPage(browser, {}, async (page) => {
      const errors = watchForErrors(page);
      await page.goto(`${siteUrl}${at}`);
      const before = page.url();
      const heading = await page.locator('h1').textContent();
      for (const name of ['Markdown', 'JSON'] as const) {
        const address = await entry(page, name).getAttribute('href');
        await entry(page, name).click();
        const main = page.getByRole('main', { name: `What an agent reads at ${address}` });
        await main.waitFor();
        const shown = await main.locator('pre').textContent();
        const served = await (await fetch(`${siteUrl}${address}`)).text();
        if (name === 'JSON') {
          assert.deepEqual(JSON.parse(String(shown)), JSON.parse(served));
        } else {
          assert.equal(shown, served);
        }
        assert.equal(await page.locator('main:visible').count(), 1, 'one main is shown');
        assert.equal(await main.evaluate((element) => element === document.activeElement), true, 'the focus moves');
        assert.equal(await page.locator('[data-views] [aria-current]').textContent(), name);
        assert.equal(page.url(), before);
      }
      await entry(page, 'Page').click();
      assert.equal(await page.locator('h1:visible').textContent(), heading);
      assert.equal(await page.locator('main:visible').count(), 1);
      assert.equal(await page.locator('[data-views] [aria-current]').textContent(), 'Page');
      assert.deepEqual(errors, []);
    }));
}

test('a twin shown in place is as accessible as the page', () =>
  opened(path, async (page) => {
    await injectAxe(page);
    for (const name of ['Markdown', 'JSON'] as const) {
      await entry(page, name).click();
      await page.getByRole('main', { name: `What an agent reads at ${twin[name]}` }).waitFor();
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1440]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await axeViolations(page), [], `${name}, ${width} px, ${colorScheme}`);
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          assert.ok(overflow <= 0, `${name} is ${overflow} px wider than ${width} px`);
        }
      }
    }
  }));

test('the skip link leads to the twin while it is shown', () =>
  opened(path, async (page) => {
    await entry(page, 'Markdown').click();
    await page.getByRole('main', { name: `What an agent reads at ${twin.Markdown}` }).waitFor();
    await page.locator('.skip').focus();
    await page.keyboard.press('Enter');
    assert.equal(
      await page.locator('main:target').getAttribute('aria-label'),
      `What an agent reads at ${twin.Markdown}`,
    );
    await entry(page, 'Page').click();
    assert.equal(await page.locator('main:visible').getAttribute('id'), 'content');
  }));

test('the keyboard works the switch', () =>
  opened(path, async (page) => {
    await entry(page, 'JSON').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('main', { name: `What an agent reads at ${twin.JSON}` }).waitFor();
  }));

test('a click that asks for a new tab is left to the browser', () =>
  withPage(browser, {}, async (page, context) => {
    await page.goto(`${siteUrl}${path}`);
    const [tab] = await Promise.all([
      context.waitForEvent('page'),
      entry(page, 'JSON').click({ modifiers: ['Control'] }),
    ]);
    await tab.waitForURL(`${siteUrl}${twin.JSON}`);
    assert.equal(await page.locator('main:visible').getAttribute('id'), 'content');
    assert.equal(page.url(), `${siteUrl}${path}`);
  }));

const failures = {
  'an unreachable service': { abort: 'connectionrefused' },
  'an error': { status: 503, contentType: 'application/problem+json', body: '{}' },
  'JSON that is none': { status: 200, contentType: 'application/json', body: '<!doctype html>' },
};

for (const [name, failure] of Object.entries(failures)) {
  test(`with ${name} the entry is a plain link again`, () =>
    opened(path, async (page) => {
      await page.route(`**${twin.JSON}`, (route) => {
        if (route.request().isNavigationRequest()) {
          return route.continue();
        }
        return 'abort' in failure ? route.abort(failure.abort) : route.fulfill(failure);
      });
      await entry(page, 'JSON').click();
      await page.waitForURL(`${siteUrl}${twin.JSON}`);
    }));
}

test('the last click counts when an earlier twin comes late', () =>
  opened(path, async (page) => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${twin.Markdown}`, async (route) => {
      await released;
      await route.continue();
    });
    await entry(page, 'Markdown').click();
    await entry(page, 'JSON').click();
    await page.getByRole('main', { name: `What an agent reads at ${twin.JSON}` }).waitFor();
    const late = page.waitForResponse(`**${twin.Markdown}`);
    release();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    assert.equal(await page.locator('main:visible').getAttribute('aria-label'), `What an agent reads at ${twin.JSON}`);
  }));
