import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { projectDir } from './support/build/stamp.ts';

/**
 * Makes the small cut of the text face that every page loads: ASCII and the punctuation of English. What else a page
 * holds comes from the whole Latin file, by `unicode-range`. The face is Alegreya, under the SIL Open Font License.
 */
const characters = [
  ...Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)),
  ...'\u00a0·–—‘’“”•…',
].join('');

const source = join(projectDir, 'node_modules/@fontsource-variable/alegreya/files/alegreya-latin-wght-normal.woff2');
const target = join(projectDir, 'site/fonts/alegreya-text.woff2');
const cut = await subsetFont(await readFile(source), characters, { targetFormat: 'woff2' });
await writeFile(target, cut);
console.log(`${target}: ${cut.length} bytes`);
