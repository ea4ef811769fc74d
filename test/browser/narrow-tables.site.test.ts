import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

/** The width of a phone. */
const phone = { viewport: { width: 390, height: 844 } };

const open = (page: Page, path: string): Promise<unknown> => page.goto(`${siteUrl}${path}`, { waitUntil: 'load' });

/** The elements in the head of a table that take the focus and can't be seen. */
const hiddenStops = (page: Page): Promise<number> =>
  page.locator('.table thead :is(a, button)').evaluateAll(
    (elements) =>
      elements.filter((element) => {
        const { width, height } = element.getBoundingClientRect();
        const head = element.closest('thead')?.getBoundingClientRect();
        const takesFocus = element.checkVisibility({ visibilityProperty: true });
        return takesFocus && !(width > 0 && height > 0 && head && head.width >= width && head.height >= height);
      }).length,
  );

describe('a list on a phone', () => {
  for (const path of ['/crawlers', '/models', '/glossary']) {
    it(`${path} is sorted with buttons that are seen`, () =>
      withPage(browser, phone, async (page) => {
        await open(page, path);
        const buttons = page.locator('thead button.sort');
        assert.ok((await buttons.count()) > 1);
        assert.equal(await hiddenStops(page), 0);
        const first = page.locator('tbody tr').first();
        const before = await first.getAttribute('id');
        await buttons.first().click();
        await buttons.first().click();
        assert.equal(await page.locator('thead th').first().getAttribute('aria-sort'), 'descending');
        assert.notEqual(await first.getAttribute('id'), before);
        await injectAxe(page);
        assert.deepEqual(await axeViolations(page), []);
      }));
  }

  it('has no links in a head that is not seen', () =>
    withPage(browser, phone, async (page) => {
      await open(page, '/models/prices');
      assert.equal(await hiddenStops(page), 0);
    }));
});

describe('a wide table on a phone', () => {
  for (const path of ['/robots', '/techniques/llms-txt']) {
    it(`${path} has a card for each row: nothing is cut`, () =>
      withPage(browser, phone, async (page) => {
        await open(page, path);
        const cut = await page
          .locator('main .tablebox:has(.to-cards)')
          .evaluateAll((boxes) => boxes.filter((box) => box.scrollWidth > box.clientWidth).length);
        assert.ok((await page.locator('main .tablebox:has(.to-cards)').count()) > 0);
        assert.equal(cut, 0);
      }));
  }
});
