import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { watchForErrors, withPage } from '../support/browser.ts';
import { type PageType, siteUrl } from '../support/site-under-test.ts';

export const control = (page: Page) => page.locator('[data-agent-view]');
export const pane = (page: Page, address: string) =>
  page.getByRole('complementary', { name: `What an agent reads at ${address}` });
export const form = (page: Page, name: 'Markdown' | 'JSON') =>
  page.locator('.agentpane').getByRole('link', { name, exact: true });
export const hasFocus = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);

/** Declares a test for each of the pages: its twins are shown beside it. */
export function testTwinsBeside(browser: Browser, pages: readonly PageType[]): void {
  for (const { kind, path: at } of pages) {
    test(`the twins of a page of kind ${kind} (${at}) are shown beside it`, () =>
      withPage(browser, {}, async (page) => {
        const errors = watchForErrors(page);
        await page.goto(`${siteUrl}${at}`);
        const before = page.url();
        const [markdown, json] = [
          await control(page).getAttribute('href'),
          await control(page).getAttribute('data-json'),
        ];
        await control(page).click();
        await pane(page, String(markdown)).waitFor();
        const response = await fetch(`${siteUrl}${markdown}`);
        assert.equal(await page.locator('.agentpane pre').textContent(), await response.text());
        const facts = await page.locator('.agentpane > p').textContent();
        const tokens = Number(response.headers.get('x-markdown-tokens')).toLocaleString('en');
        assert.ok(facts?.includes(`about ${tokens} tokens`), `${facts}`);
        assert.equal(await hasFocus(page, '.agentpane'), true, 'the focus moves');
        assert.equal(await control(page).getAttribute('aria-expanded'), 'true');
        assert.equal(await page.locator('main').isVisible(), true, 'the page stays');
        await form(page, 'JSON').click();
        await pane(page, String(json)).waitFor();
        assert.deepEqual(
          JSON.parse(String(await page.locator('.agentpane pre').textContent())),
          await (await fetch(`${siteUrl}${json}`)).json(),
        );
        await page.getByRole('button', { name: 'Close' }).click();
        assert.equal(await page.locator('.agentpane').isVisible(), false);
        assert.equal(await hasFocus(page, '[data-agent-view]'), true, 'the focus comes back');
        assert.equal(page.url(), before);
        assert.deepEqual(errors, []);
      }));
  }
}
