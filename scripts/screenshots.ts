import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { waitForFonts } from './support/pictures/fonts.ts';
import { browserArguments, findChromium } from './support/requirements.ts';

/** Takes pictures of pages of a running service: `npm run screenshots -- FOLDER / /techniques …` */
const [folder, ...paths] = process.argv.slice(2);
if (folder === undefined || paths.length === 0) {
  console.error('Usage: npm run screenshots -- FOLDER PATH [PATH …]   (BASE_URL names the service)');
  process.exit(2);
}
const baseUrl = process.env['BASE_URL'] ?? 'http://localhost:4321';
if (!(await fetch(baseUrl).catch(() => null))) {
  console.error(
    `Nothing answers at ${baseUrl}: run \`npm start\` in another terminal, or let BASE_URL name the service.`,
  );
  process.exit(1);
}
await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: findChromium(), args: browserArguments });
for (const colorScheme of ['light', 'dark'] as const) {
  for (const width of [390, 820, 1440]) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await waitForFonts(page);
    for (const path of paths) {
      await page.goto(`${baseUrl}${path}`, { waitUntil: 'networkidle' });
      const name = `${path.replaceAll('/', '_').replace(/^_$/, '_home')}-${width}-${colorScheme}.png`;
      await page.screenshot({ path: join(folder, name), fullPage: true });
    }
    await page.close();
  }
}
await browser.close();
