import { type Browser, chromium } from 'playwright-core';
import { browserArguments, findChromium } from '../requirements.ts';
import { waitForFonts } from './fonts.ts';
import { partsPath, picturePaths, pictureSchemes, pictureWidths } from './pages.ts';

/** A page as it looks at a width and in a scheme. */
export interface Picture {
  path: string;
  width: number;
  scheme: 'light' | 'dark';
  png: Buffer;
}

/** What is below is left out: the longest pages are lists of one kind. A browser can't take more than 16,384 pixels. */
const mostHeightOf = (path: string): number => (path === partsPath ? 16_000 : 4000);

/** Times of day and what the browser would leave out until somebody scrolls, so that two runs give one picture. */
const steady = `
  * { content-visibility: visible !important; caret-color: transparent !important; }
  time { visibility: hidden !important; }
`;

async function takeAt(browser: Browser, baseUrl: string, width: number, scheme: 'light' | 'dark'): Promise<Picture[]> {
  const context = await browser.newContext({ colorScheme: scheme, reducedMotion: 'reduce', bypassCSP: true });
  await waitForFonts(context);
  const pictures: Picture[] = [];
  for (const path of picturePaths) {
    const page = await context.newPage();
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${baseUrl}${path}`, { waitUntil: 'networkidle' });
    await page.addStyleTag({ content: steady });
    await page.evaluate(() => document.fonts.ready);
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    await page.setViewportSize({ width, height: Math.min(height, mostHeightOf(path)) });
    pictures.push({ path, width, scheme, png: await page.screenshot({ animations: 'disabled' }) });
    await page.close();
  }
  await context.close();
  return pictures;
}

/** Takes the pictures of all pages of a running service, in the order of the list. */
export async function takePictures(baseUrl: string): Promise<Picture[]> {
  await using browser = await chromium.launch({ executablePath: findChromium(), args: browserArguments });
  const pictures: Picture[] = [];
  for (const scheme of pictureSchemes) {
    for (const width of pictureWidths) {
      pictures.push(...(await takeAt(browser, baseUrl, width, scheme)));
    }
  }
  return pictures;
}
