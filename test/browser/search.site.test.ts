import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

const palette = (page: Page) => page.getByRole('dialog', { name: 'Search' });
const field = (page: Page) => palette(page).getByRole('combobox');
const chosen = (page: Page) => palette(page).locator('[role=option][aria-selected=true]');
const pane = (page: Page) => page.locator('.agentpane');
const keySwitch = (page: Page) => page.locator('[data-keys]');

/** Presses a key and gives a page that would react to it the time to do so: it has to fetch what it shows. */
async function pressInVain(page: Page, key: string): Promise<void> {
  await page.keyboard.press(key);
  await page.waitForTimeout(300);
}

test('what is typed while the search loads is looked up, and does nothing else', () =>
  withPage(browser, {}, async (page) => {
    const { promise: typed, resolve } = Promise.withResolvers<void>();
    await page.route(/\/palette\.[^/]*\.js$/, async (route) => {
      await typed;
      await route.continue();
    });
    await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
    await page.keyboard.press('/');
    await page.keyboard.type('mcp');
    resolve();
    await palette(page).waitFor();
    await page.keyboard.type(' apps');
    assert.equal(await field(page).inputValue(), 'mcp apps');
    assert.equal(await pane(page).isVisible(), false, 'the m of the word is no key');
  }));

for (const key of ['/', 'Control+k', 'Meta+k']) {
  test(`${key} opens the search, which the keyboard alone works`, () =>
    withPage(browser, {}, async (page) => {
      const errors = watchForErrors(page);
      await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
      await page.keyboard.press(key);
      await palette(page).waitFor();
      assert.ok(await field(page).evaluate((element) => element === document.activeElement));
      await field(page).fill('gptbot');
      await chosen(page).filter({ hasText: 'GPTBot' }).waitFor();
      await page.keyboard.press('ArrowUp');
      assert.match(String(await chosen(page).textContent()), /^Ask: gptbot/, 'the last row asks');
      await page.keyboard.press('ArrowDown');
      assert.equal(await field(page).getAttribute('aria-activedescendant'), await chosen(page).getAttribute('id'));
      await injectAxe(page);
      assert.deepEqual(await axeViolations(page), []);
      await page.keyboard.press('Enter');
      await page.waitForURL(`${siteUrl}/crawlers/gptbot`);
      assert.deepEqual(errors, []);
    }));
}

test('what was opened is offered again, and Escape closes and gives the focus back', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
    await page.locator('#q-mast').click();
    await field(page).fill('x402');
    await chosen(page).filter({ hasText: 'x402' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/x402/);
    await page.keyboard.press('/');
    await palette(page).getByRole('group', { name: 'Recent' }).waitFor();
    await page.keyboard.press('Escape');
    await palette(page).waitFor({ state: 'hidden' });
  }));

test('the single keys are turned off in the footer, here, on other pages and in other tabs; Ctrl-K stays', () =>
  withPage(browser, {}, async (page, context) => {
    await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
    const other = await context.newPage();
    await other.goto(`${siteUrl}/trust`, { waitUntil: 'load' });
    assert.equal(await page.locator('#q-mast').getAttribute('aria-keyshortcuts'), '/ Control+K');
    await keySwitch(page).click();
    assert.equal(await keySwitch(page).textContent(), 'Turn the keys / and m on');
    await keySwitch(other).filter({ hasText: 'on' }).waitFor();
    for (const tab of [page, other]) {
      await tab.bringToFront();
      await tab.locator('h1').click();
      await pressInVain(tab, '/');
      await pressInVain(tab, 'm');
      assert.equal(await palette(tab).count(), 0);
      assert.equal(await pane(tab).isVisible(), false);
      assert.equal(await tab.locator('#q-mast').getAttribute('aria-keyshortcuts'), 'Control+K');
      assert.equal(await tab.locator('[data-agent-view]').getAttribute('aria-keyshortcuts'), null);
      assert.equal(await tab.locator('.searchbox .kbd').isVisible(), false, 'no key is promised that does nothing');
    }
    await page.bringToFront();
    await page.keyboard.press('Control+k');
    await palette(page).waitFor();
    await page.keyboard.press('Escape');
    await page.goto(`${siteUrl}/colophon`, { waitUntil: 'load' });
    await pressInVain(page, 'm');
    assert.equal(await pane(page).isVisible(), false, 'it is remembered');
    await keySwitch(page).click();
    assert.equal(await page.locator('#q-mast').getAttribute('aria-keyshortcuts'), '/ Control+K');
    await page.locator('h1').click();
    await page.keyboard.press('m');
    await pane(page).waitFor();
  }));

test('the keys can be turned off where nothing may be stored', () =>
  withPage(browser, {}, async (page) => {
    await page.addInitScript(() => {
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    });
    await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
    await keySwitch(page).click();
    await page.locator('h1').click();
    await pressInVain(page, 'm');
    assert.equal(await pane(page).isVisible(), false);
    assert.equal(await keySwitch(page).textContent(), 'Turn the keys / and m on');
  }));

test('without scripts there is no button for keys that do nothing, and the search is a form', () =>
  withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${siteUrl}/about`);
    assert.equal(await keySwitch(page).isVisible(), false);
    await page.locator('#q-mast').fill('Who runs GPTBot?');
    await page.locator('#q-mast').press('Enter');
    await page.waitForURL(/\/ask\?q=Who/);
  }));

test('on a phone the address of a result stands below its title, which has the width of the window', () =>
  withPage(browser, { viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(`${siteUrl}/about`, { waitUntil: 'load' });
    await page.keyboard.press('/');
    await field(page).fill('perplexity');
    const row = palette(page).locator('[role=option]').filter({ hasText: '/state/' }).first();
    await row.waitFor();
    const [title, address] = [await row.locator('span').boundingBox(), await row.locator('small').boundingBox()];
    assert.ok(title && address && address.y >= title.y + title.height, 'below it');
    assert.ok(title.width > 250, `${title.width} px`);
  }));
