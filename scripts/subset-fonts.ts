import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';
import { projectDir } from './support/build/stamp.ts';

/** The first and the last character of each range of a set, as `unicode-range` in site/styles/tokens.css has them. */
type Ranges = readonly (readonly [first: number, last: number])[];

/** ASCII, the punctuation of English, and the letters that names from other languages have most. */
const common: Ranges = [
  ...([
    [0x20, 0x7e],
    [0xa0, 0xa0],
    [0xb7, 0xb7],
    [0xd7, 0xd7],
    [0xe8, 0xe9],
    [0xf6, 0xf6],
    [0xfc, 0xfc],
  ] as const),
  ...([
    [0x2013, 0x2014],
    [0x2018, 0x2019],
    [0x201c, 0x201d],
    [0x2022, 0x2022],
    [0x2026, 0x2026],
  ] as const),
  [0x2212, 0x2212],
];

/** What else the Latin files have. */
const others: Ranges = [
  ...([
    [0xa1, 0xb6],
    [0xb8, 0xd6],
    [0xd8, 0xe7],
    [0xea, 0xf5],
    [0xf7, 0xfb],
    [0xfd, 0xff],
    [0x131, 0x131],
  ] as const),
  ...([
    [0x152, 0x153],
    [0x2c6, 0x2c6],
    [0x2da, 0x2da],
    [0x2dc, 0x2dc],
    [0x201a, 0x201a],
    [0x201e, 0x201e],
  ] as const),
  ...([
    [0x2020, 0x2021],
    [0x2039, 0x203a],
    [0x20ac, 0x20ac],
    [0x2122, 0x2122],
  ] as const),
];

const charactersOf = (ranges: Ranges): string =>
  ranges
    .flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, index) => first + index))
    .map((code) => String.fromCodePoint(code))
    .join('');

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
 * Makes two cuts of each of the faces that pages load: what every page holds, and, under a name that ends in `-more`, what only
 * some do, by `unicode-range`. All are under the SIL Open Font License.
 */
for (const { source, target, keepFeatures, variationAxes } of cuts) {
  const whole = await readFile(join(projectDir, 'node_modules', source));
  for (const [name, ranges] of [
    [target, common],
    [`${target}-more`, others],
  ] as const) {
    const cut = await subsetFont(whole, charactersOf(ranges), {
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
