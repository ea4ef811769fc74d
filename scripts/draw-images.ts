import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { techniqueCatalog } from '#almanac/techniques.ts';
import { escapeMarkup } from '#api/text/escape-markup.ts';
import { projectDir } from './support/build/stamp.ts';
import { browserArguments, findChromium } from './support/requirements.ts';

/**
 * Draws the pictures that other programs show of this site, from the drawings in site/images: the previews of pages
 * (Open Graph, 1200 by 630) and the icons of browsers and phones. The results are kept in site/public: they change with
 * the drawings and the names of the techniques alone.
 */
const source = join(projectDir, 'site/images');
const target = join(projectDir, 'site/public');

/** Text in at most two lines of a length; what is longer ends with an ellipsis. */
function inTwoLines(text: string, length: number): [string, string] {
  const lines: string[] = [''];
  for (const word of text.split(' ')) {
    const last = lines.length - 1;
    const longer = `${lines[last]} ${word}`.trim();
    if (longer.length <= length) {
      lines[last] = longer;
    } else {
      lines.push(word);
    }
  }
  const [first = '', second = ''] = lines;
  return [first, lines.length > 2 ? `${second.replace(/[,.]$/, '')}…` : second];
}

const faceRule = async (family: string, weight: string, file: string): Promise<string> => {
  const data = (await readFile(join(projectDir, 'site/fonts', file))).toString('base64');
  return `@font-face{font-family:"${family}";font-weight:${weight};src:url(data:font/woff2;base64,${data})}`;
};

const faces = (
  await Promise.all([
    faceRule('Alegreya', '400 700', 'alegreya.woff2'),
    faceRule('Alegreya Sans', '400', 'alegreya-sans-400.woff2'),
    faceRule('Alegreya Sans', '700', 'alegreya-sans-700.woff2'),
  ])
).join('');

/** Draws an SVG at a size in pixels. */
async function draw(browser: Browser, svg: string, width: number, height: number): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width, height } });
  await page.setContent(
    `<style>${faces}body{margin:0}svg{display:block;width:${width}px;height:${height}px}</style>${svg}`,
  );
  await page.evaluate(() => document.fonts.ready);
  const picture = await page.screenshot();
  await page.close();
  return sharp(picture).png({ palette: true, quality: 90, effort: 8 }).toBuffer();
}

/** An icon file with one picture in it, which may be a PNG since Windows Vista. */
function toIco(png: Buffer, size: number): Buffer {
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

async function keep(name: string, bytes: Buffer): Promise<void> {
  await writeFile(join(target, name), bytes);
  console.log(`${name}: ${bytes.length} bytes`);
}

await mkdir(join(target, 'og'), { recursive: true });
await using browser = await chromium.launch({ executablePath: findChromium(), args: browserArguments });
await keep('og/home.png', await draw(browser, await readFile(join(source, 'og-home.svg'), 'utf8'), 1200, 630));
const template = await readFile(join(source, 'og-technique.svg'), 'utf8');
for (const { id, number, name, what } of techniqueCatalog('').techniques) {
  const [title, more] = inTwoLines(name, 19);
  const [sentence, rest] = inTwoLines(what, 40);
  const values: Record<string, string> = {
    number: String(number),
    title_line_1: title,
    title_line_2: more,
    sentence_line_1: sentence,
    sentence_line_2: rest,
  };
  const svg = template.replace(/\{\{(\w+)\}\}/g, (_match, key: string) => {
    const pane = /^(pane|ink)_(\d+)$/.exec(key);
    const isOwn = Number(pane?.[2]) === number;
    return pane === null
      ? escapeMarkup(values[key] ?? '')
      : pane[1] === 'pane'
        ? isOwn
          ? '#f6c667'
          : '#232038'
        : isOwn
          ? '#2a1c05'
          : '#a49dbf';
  });
  await keep(`og/${id}.png`, await draw(browser, svg, 1200, 630));
}
const icon = await readFile(join(source, 'icon.svg'), 'utf8');
await keep('apple-touch-icon.png', await draw(browser, icon, 180, 180));
await keep('icon-192.png', await draw(browser, icon, 192, 192));
await keep('icon-512.png', await draw(browser, icon, 512, 512));
await keep('favicon.ico', toIco(await draw(browser, icon, 32, 32), 32));
