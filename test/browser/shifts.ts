import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

/** Something that moved although nobody had touched the page, with the parts that moved. */
interface Shift {
  value: number;
  parts: string[];
}

/** Runs in the page: keeps every layout shift in `window.shifts`. */
function watchShifts(): void {
  const name = (node: Node | null): string =>
    node instanceof Element
      ? `${node.localName}${node.id && `#${node.id}`}${[...node.classList].map((word) => `.${word}`).join('')}`
      : `text in ${node === null ? 'nothing' : name(node.parentElement)}`;
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  type Entry = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Entry[]) {
      shifts.push({ value, parts: sources.map(({ node }) => name(node)) });
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** A first visit over a slow line: fonts and scripts come when the page has been painted without them. */
async function visitSlowly(page: Page, path: string): Promise<Shift[]> {
  await page.addInitScript(watchShifts);
  const { promise: painted, resolve } = Promise.withResolvers<void>();
  await page.route(/\/assets\/.*\.(?:woff2|js)$/, async (route) => {
    await painted;
    await route.continue();
  });
  await page.goto(`${siteUrl}${path}`, { waitUntil: 'commit' });
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0);
  resolve();
  await page.waitForLoadState('networkidle');
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}

/** Declares tests for each of the pages: nothing in the window moves when fonts and scripts come late. */
export function testShifts(browser: Browser, pages: readonly { kind: string; path: string }[]): void {
  for (const { kind, path } of pages) {
    test(`nothing moves while a page of kind ${kind} (${path}) loads slowly`, async () => {
      for (const viewport of [
        { width: 390, height: 844 },
        { width: 1440, height: 900 },
      ]) {
        const shifts = await withPage(browser, { viewport }, (page) => visitSlowly(page, path));
        assert.deepEqual(shifts, [], `at ${viewport.width} px`);
      }
    });
  }
}
