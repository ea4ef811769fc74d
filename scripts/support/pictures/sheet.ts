import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp from 'sharp';
import { nameOf, type PictureChange } from './compare.ts';
import type { Picture } from './take.ts';

const percent = (share: number): string => `${(share * 100).toFixed(2)} %`;

/** One image of all pictures, small and in rows, for a glance at the whole site. */
async function toOverview(pictures: readonly Picture[], perRow: number): Promise<Buffer> {
  const cell = { width: 240, height: 320, gap: 8 };
  const tiles = await Promise.all(
    pictures.map(async ({ png }, index) => ({
      input: await sharp(png)
        .resize({ width: cell.width })
        .extract({ left: 0, top: 0, width: cell.width, height: Math.min(cell.height, await heightAt(png, cell.width)) })
        .png()
        .toBuffer(),
      left: cell.gap + (index % perRow) * (cell.width + cell.gap),
      top: cell.gap + Math.floor(index / perRow) * (cell.height + cell.gap),
    })),
  );
  const rows = Math.ceil(pictures.length / perRow);
  return sharp({
    create: {
      width: perRow * (cell.width + cell.gap) + cell.gap,
      height: rows * (cell.height + cell.gap) + cell.gap,
      channels: 3,
      background: '#808080',
    },
  })
    .composite(tiles)
    .png()
    .toBuffer();
}

async function heightAt(png: Buffer, width: number): Promise<number> {
  const size = await sharp(png).metadata();
  return Math.floor((size.height * width) / size.width);
}

/**
 * Writes a folder for a person to look at: `index.html` with each change as before, after and what differs, `overview.png`
 * with the whole site, and every picture by its name.
 */
export async function writeSheet(folder: string, pictures: readonly Picture[], changes: readonly PictureChange[]) {
  await mkdir(folder, { recursive: true });
  for (const picture of pictures) {
    await writeFile(join(folder, `${nameOf(picture)}.png`), picture.png);
  }
  for (const { name, before, marked } of changes) {
    await writeFile(join(folder, `${name}.before.png`), before);
    await writeFile(join(folder, `${name}.marked.png`), marked);
  }
  await writeFile(join(folder, 'overview.png'), await toOverview(pictures, 16));
  const figure = (file: string, caption: string): string =>
    `<figure><figcaption>${caption}</figcaption><a href="${file}"><img src="${file}" alt="" loading="lazy"></a></figure>`;
  const sections = changes.map(
    ({ name, share }) =>
      `<h2>${name}: ${percent(share)}</h2><div>${figure(`${name}.before.png`, 'Before')}${figure(`${name}.png`, 'After')}${figure(`${name}.marked.png`, 'What differs')}</div>`,
  );
  await writeFile(
    join(folder, 'index.html'),
    `<!doctype html><meta charset="utf-8"><title>Pictures</title>
<style>body{font:16px/1.4 sans-serif;margin:2rem;background:#eee}div{display:grid;grid-template-columns:repeat(3,1fr);gap:1rem}figure{margin:0}img{width:100%}</style>
<h1>${changes.length} of ${pictures.length} pictures changed</h1>
${sections.join('\n')}
<h2>The whole site</h2><p><img src="overview.png" alt=""></p>
`,
  );
}
