import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Browser } from 'playwright-core';
import { withPage } from '../support/browser.ts';
import { type PageType, siteUrl } from '../support/site-under-test.ts';

/** What the frame of a page looks like: parts that every page has, with the colours that the browser computed. */
const frameColours = (browser: Browser, path: string, colorScheme: 'light' | 'dark') =>
  withPage(browser, { colorScheme, reducedMotion: 'reduce', viewport: { width: 1440, height: 900 } }, async (page) => {
    await page.goto(`${siteUrl}${path}`);
    return page.evaluate(() => {
      const look = (selector: string): Record<string, string> | null => {
        const element = document.querySelector(selector);
        if (element === null) {
          return null;
        }
        const { color, backgroundColor, textDecorationLine, display } = getComputedStyle(element);
        return { color, backgroundColor, textDecorationLine, display };
      };
      return {
        isDusk: document.querySelector('.mast.on-night') !== null,
        agentView: look('[data-agent-view]'),
        navigation: look('header nav a:not([aria-current])'),
        currentPlace: look('header nav a[aria-current]'),
        footLink: look('.foot nav a'),
        heading: look('main h1'),
      };
    });
  });

/** Declares tests for each of the pages: its frame has the colours of every page, by day and by night. */
export async function testFrameColours(browser: Browser, pages: readonly PageType[]): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    const reference = await frameColours(browser, '/about', colorScheme);
    /** A page that begins with the dusk has its masthead in the colours of the night. */
    const dusk = await frameColours(browser, '/', colorScheme);
    const places = {
      paper: await frameColours(browser, '/techniques', colorScheme),
      dusk: await frameColours(browser, '/audit', colorScheme),
    };

    for (const { kind, path } of pages) {
      test(`the frame of a page of kind ${kind} (${path}) has the colours of every page (${colorScheme})`, async () => {
        const colours = await frameColours(browser, path, colorScheme);
        const expected = colours.isDusk ? dusk : reference;
        const place = (colours.isDusk ? places.dusk : places.paper).currentPlace;
        assert.deepEqual(colours.navigation, expected.navigation);
        assert.deepEqual(colours.footLink, reference.footLink);
        if (colours.agentView !== null) {
          assert.deepEqual(colours.agentView, expected.agentView);
        }
        if (colours.currentPlace !== null) {
          assert.deepEqual(colours.currentPlace, place);
        }
        assert.ok(colours.navigation && colours.footLink && colours.heading);
        // Navigation is no link in running text: what would underline it is the cascade turned over.
        assert.equal(colours.navigation.textDecorationLine, 'none');
      });
    }
  }
}
