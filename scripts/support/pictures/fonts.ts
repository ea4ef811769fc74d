import type { BrowserContext, Page } from 'playwright-core';

/** Makes pages wait for the fonts of the site, which they else leave for the next page when they come late. */
export const waitForFonts = (pages: BrowserContext | Page): Promise<unknown> =>
  pages.route(/\.css$/, async (route) => {
    const response = await route.fetch();
    const styles = (await response.text()).replaceAll(/font-display:\s*optional/g, 'font-display:swap');
    await route.fulfill({ response, body: styles });
  });
