import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { withPage } from '../support/browser.ts';
import { type PageType, siteUrl } from '../support/site-under-test.ts';

const phone = { width: 390, height: 844 };

/** The lines of text that a reader sees in the main content. */
const visibleLines = (page: Page): Promise<string[]> =>
  page
    .locator('main')
    .allInnerTexts()
    .then((texts) =>
      texts
        .join('\n')
        .split('\n')
        .flatMap((line) => line.trim() || []),
    );

interface Observation {
  title: string;
  overflowPixels: number;
  widest: string;
  headings: string[];
  unsubmittable: string[];
}

/** What can be measured in a page without running any of its scripts. */
const observe = (page: Page): Promise<Observation> =>
  page.evaluate(() => {
    const root = document.documentElement;
    const tooWide = [...document.querySelectorAll('body *')].find(
      (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5 && !element.closest('[tabindex="0"]'),
    );
    return {
      title: document.title,
      overflowPixels: root.scrollWidth - root.clientWidth,
      widest: tooWide?.outerHTML.slice(0, 200) ?? '',
      headings: [...document.querySelectorAll('main h1')].map((heading) => heading.textContent),
      unsubmittable: [...document.querySelectorAll('form')]
        .filter(
          (form) => !form.hasAttribute('action') || !form.querySelector('button:not([type=button]), [type=submit]'),
        )
        .map((form) => form.outerHTML.slice(0, 200)),
    };
  });

async function assertInView(page: Page): Promise<void> {
  const box = await page.locator(':focus').boundingBox();
  assert.ok(
    box !== null && box.x >= 0 && box.y >= 0 && box.width > 1 && box.height > 1,
    'the focused link can be seen',
  );
}

/** Declares a test for each of the pages: it is whole without scripts, and wide enough for any window. */
export function testWithoutScripts(browser: Browser, pages: readonly PageType[]): void {
  for (const { kind, path, status } of pages) {
    test(`without scripts a page of kind ${kind} (${path}) is whole`, async () => {
      const withScripts = await withPage(browser, { viewport: phone }, async (page) => {
        await page.goto(`${siteUrl}${path}`);
        // Controls that only a script can serve are added by the script.
        await page.evaluate(() => {
          for (const control of document.querySelectorAll('main :is(form, label, button, output, [role=status])')) {
            control.remove();
          }
        });
        return visibleLines(page);
      });
      await withPage(browser, { viewport: phone, javaScriptEnabled: false }, async (page) => {
        const response = await page.goto(`${siteUrl}${path}`);
        assert.equal(response?.status(), status);
        const lines = await visibleLines(page);
        assert.deepEqual(
          withScripts.filter((line) => !lines.includes(line)),
          [],
          'what a browser with scripts shows is there without them',
        );
        // 320 px is what is left of 1,280 at 400 % (WCAG 2.2, criterion 1.4.10).
        for (const width of [320, phone.width]) {
          await page.setViewportSize({ ...phone, width });
          const { overflowPixels, widest } = await observe(page);
          assert.ok(overflowPixels <= 0, `the page is ${overflowPixels} px wider than ${width} px: ${widest}`);
        }
        const { title, headings, unsubmittable } = await observe(page);
        assert.ok(title.length > 0);
        assert.equal(headings.length, 1, `one h1 in main, not ${headings.length}`);
        assert.ok(lines.join(' ').length > 200, `the main content is only: ${lines.join(' ')}`);
        assert.deepEqual(unsubmittable, [], 'every form can be sent');

        await page.keyboard.press('Tab');
        assert.equal(await page.locator(':focus').getAttribute('href'), '#content', 'the skip link is first');
        await assertInView(page);
        await page.keyboard.press('Enter');
        assert.equal(await page.locator('main:target').count(), 1, 'the skip link leads to main');
        await page.keyboard.press('Tab');
        assert.equal(await page.locator('main :focus').count(), 1, 'after it the focus is inside main');
      });
    });
  }
}

/** Declares a test for each of the pages: without scripts, the control for the agent's view leads to its markdown. */
export function testAgentLinks(browser: Browser, pages: readonly PageType[]): void {
  for (const { kind, path } of pages) {
    test(`without scripts the agent's view of a page of kind ${kind} (${path}) is a link to its markdown`, async () => {
      await withPage(browser, { javaScriptEnabled: false }, async (page) => {
        await page.goto(`${siteUrl}${path}`);
        const [response] = await Promise.all([
          page.waitForResponse((each) => each.request().isNavigationRequest()),
          page.locator('[data-agent-view]').click(),
        ]);
        assert.equal(response.status(), 200, response.url());
        assert.equal(response.headers()['content-type'], 'text/markdown; charset=utf-8', response.url());
      });
    });
  }
}
