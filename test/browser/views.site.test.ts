import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { layoutPages, siteUrl } from '../support/site-under-test.ts';
import { control, form, hasFocus, pane, testTwinsBeside } from './views.ts';

const browser = await launchBrowser();
const path = '/techniques/webmcp';
const twin = { Markdown: `${path}.md`, JSON: `${path}.json` };

/** Opens a page and hands it over when its scripts have run. */
const opened = (at: string, job: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
    await page.goto(`${siteUrl}${at}`, { waitUntil: 'load' });
    await job(page);
  });

testTwinsBeside(
  browser,
  layoutPages.filter(({ status }) => status === 200),
);

test('the page beside its twin is accessible and no wider than the window', () =>
  opened(path, async (page) => {
    await injectAxe(page);
    await control(page).click();
    await pane(page, twin.Markdown).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 390, 1100, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await axeViolations(page), [], `${width} px, ${colorScheme}`);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px wider than ${width} px`);
      }
    }
  }));

test('keys open and close it, except where somebody types', () =>
  opened(path, async (page) => {
    const isOpen = () => page.locator('.agentpane').isVisible();
    await page.keyboard.press('m');
    await pane(page, twin.Markdown).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await isOpen(), false);
    assert.equal(await hasFocus(page, '[data-agent-view]'), true);
    for (const key of ['Enter', 'Space']) {
      await page.keyboard.press(key);
      await pane(page, twin.Markdown).waitFor();
      await page.keyboard.press('m');
      assert.equal(await isOpen(), false);
    }
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    await page.locator('main input[type=url], main input[type=text]').first().focus();
    await page.keyboard.press('m');
    await page.keyboard.press('Control+m');
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    assert.deepEqual([await isOpen(), requests], [false, []]);
  }));

test('what is shown can be copied', () =>
  withPage(browser, { permissions: ['clipboard-read', 'clipboard-write'] }, async (page) => {
    await page.goto(`${siteUrl}${path}`);
    await control(page).click();
    await pane(page, twin.Markdown).waitFor();
    await page.locator('.agentpane').getByRole('button', { name: 'Copy' }).click();
    await page.getByText('Copied to the clipboard.').waitFor({ state: 'attached' });
    const served = await (await fetch(`${siteUrl}${twin.Markdown}`)).text();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), served);
  }));

test('a click that asks for a new tab is left to the browser', () =>
  withPage(browser, {}, async (page, context) => {
    await page.goto(`${siteUrl}${path}`);
    const [tab] = await Promise.all([context.waitForEvent('page'), control(page).click({ modifiers: ['Control'] })]);
    await tab.waitForURL(`${siteUrl}${twin.Markdown}`);
    assert.equal(await page.locator('.agentpane').isVisible(), false);
  }));

const failures = {
  'an unreachable service': { abort: 'connectionrefused' },
  'an error': { status: 503, contentType: 'application/problem+json', body: '{}' },
};

for (const [name, failure] of Object.entries(failures)) {
  test(`with ${name} the control is a plain link again`, () =>
    opened(path, async (page) => {
      await page.route(`**${twin.Markdown}`, (route) => {
        if (route.request().isNavigationRequest()) {
          return route.continue();
        }
        return 'abort' in failure ? route.abort(failure.abort) : route.fulfill(failure);
      });
      await control(page).click();
      await page.waitForURL(`${siteUrl}${twin.Markdown}`);
    }));
}

test('the last click counts when an earlier twin comes late', () =>
  opened(path, async (page) => {
    await control(page).click();
    await pane(page, twin.Markdown).waitFor();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route(`**${twin.JSON}`, async (route) => {
      await released;
      await route.continue();
    });
    await form(page, 'JSON').click();
    await form(page, 'Markdown').click();
    const late = page.waitForResponse(`**${twin.JSON}`);
    release();
    await (await late).finished();
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 50)));
    assert.equal(await pane(page, twin.Markdown).isVisible(), true);
  }));
