import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { projectDir } from './support/build/stamp.ts';

/**
 * Makes the small cuts of the three faces that pages load: ASCII, the punctuation of English, and the letters that names from
 * other languages have most. What else a page holds comes from the whole Latin files, by `unicode-range`. All three are under
 * the SIL Open Font License.
 */
const ascii = Array.from({ length: 0x7f - 0x20 }, (_, index) => String.fromCodePoint(0x20 + index)).join('');
const characters = `${ascii}\u00a0·×èéöü–—‘’“”•…−`;

interface Cut {
  /** File of the package, below node_modules. */
  source: string;
  /** Name of the cut in site/fonts. */
  target: string;
  /** OpenType features that the styles ask for; all others are dropped. */
  keepFeatures: string[];
  variationAxes?: Record<string, number | { min: number; max: number }>;
}

const sans = (weight: number): Cut => ({
  source: `@fontsource/alegreya-sans/files/alegreya-sans-latin-${weight}-normal.woff2`,
  target: `alegreya-sans-${weight}.woff2`,
  // Bold is set in single words, where the pairs of letters matter less than the bytes.
  keepFeatures: weight === 400 ? ['kern', 'lnum', 'tnum'] : ['lnum', 'tnum'],
});

const cuts: Cut[] = [
  {
    source: '@fontsource-variable/alegreya/files/alegreya-latin-wght-normal.woff2',
    target: 'alegreya.woff2',
    keepFeatures: ['kern', 'lnum'],
    variationAxes: { wght: { min: 400, max: 600 } },
  },
  sans(400),
  sans(700),
  {
    source: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    target: 'jetbrains-mono.woff2',
    keepFeatures: [],
    variationAxes: { wght: 400 },
  },
];

for (const { source, target, keepFeatures, variationAxes } of cuts) {
  const cut = await subsetFont(await readFile(join(projectDir, 'node_modules', source)), characters, {
    targetFormat: 'woff2',
    keepFeatures,
    noHinting: true,
    ...(variationAxes === undefined ? {} : { variationAxes }),
  });
  const file = join(projectDir, 'site/fonts', target);
  await writeFile(file, cut);
  console.log(`${file}: ${cut.length} bytes`);
}
