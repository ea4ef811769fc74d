import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { projectDir } from './support/build/stamp.ts';

const styles = await readFile(join(projectDir, 'site/styles/tokens.css'), 'utf8');

/** The characters that the style sheet loads a file of site/fonts for, by its `unicode-range`. */
function charactersOf(name: string): string {
  const face = styles.split('@font-face').find((each) => each.includes(`/${name}.woff2"`)) ?? '';
  const ranges = [...face.matchAll(/U\+([0-9A-F]+)(?:-([0-9A-F]+))?/g)].map(([, first = '', last = first]) =>
    [first, last].map((code) => Number.parseInt(code, 16)),
  );
  if (ranges.length === 0) {
    throw new Error(`tokens.css has no unicode-range for ${name}.woff2`);
  }
  return ranges
    .flatMap(([first = 0, last = 0]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((code) => String.fromCodePoint(code))
    .join('');
}

interface Cut {
  /** File of the package, below node_modules. */
  source: string;
  /** Name of the cut in site/fonts, without its extension. */
  target: string;
  /** OpenType features that the styles ask for; all others are dropped. */
  keepFeatures: string[];
  variationAxes?: Record<string, number | { min: number; max: number }>;
}

const sans = (weight: number): Cut => ({
  source: `@fontsource/alegreya-sans/files/alegreya-sans-latin-${weight}-normal.woff2`,
  target: `alegreya-sans-${weight}`,
  // Bold is set in single words, where the pairs of letters matter less than the bytes.
  keepFeatures: weight === 400 ? ['kern', 'lnum', 'tnum'] : ['lnum', 'tnum'],
});

const cuts: Cut[] = [
  {
    source: '@fontsource-variable/alegreya/files/alegreya-latin-wght-normal.woff2',
    target: 'alegreya',
    keepFeatures: ['kern', 'lnum'],
    variationAxes: { wght: { min: 400, max: 600 } },
  },
  sans(400),
  sans(700),
  {
    source: '@fontsource-variable/jetbrains-mono/files/jetbrains-mono-latin-wght-normal.woff2',
    target: 'jetbrains-mono',
    keepFeatures: [],
    variationAxes: { wght: 400 },
  },
];

/**
 * Makes two cuts of each of the faces that pages load: what every page holds (ASCII, the punctuation of English, and the letters
 * that names from other languages have most), and, under a name that ends in `-more`, what only some do. All are under the SIL
 * Open Font License.
 */
for (const { source, target, keepFeatures, variationAxes } of cuts) {
  const whole = await readFile(join(projectDir, 'node_modules', source));
  for (const name of [target, `${target}-more`]) {
    const cut = await subsetFont(whole, charactersOf(name), {
      targetFormat: 'woff2',
      keepFeatures,
      noHinting: true,
      ...(variationAxes === undefined ? {} : { variationAxes }),
    });
    const file = join(projectDir, 'site/fonts', `${name}.woff2`);
    await writeFile(file, cut);
    console.log(`${file}: ${cut.length} bytes`);
  }
}
