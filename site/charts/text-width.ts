/** Advance widths of Alegreya (weight 500, lining figures) in hundredths of an em: a width and the characters that have it. */
const advances: readonly (readonly [number, string])[] = [
  [20, " '"],
  [26, 'jl:;'],
  [30, 'fi!(),.[]'],
  [34, 't/\\IJ"'],
  [38, '-1?`|r'],
  [43, 'cs357'],
  [47, 'aevyz24609x$_*'],
  [51, 'bgkoqL8F#+<=>~^'],
  [56, 'dhnpuPTZ0SY'],
  [62, 'ABCERKV'],
  [68, 'GOQUX%'],
  [73, 'DNwH&'],
  [85, 'MmW@'],
];

const hundredths = new Map(advances.flatMap(([width, characters]) => [...characters].map((one) => [one, width])));

/**
 * The width of a line of text in the site's face, in the unit of `size`. It is an estimate on the generous side, so that
 * labels keep clear of each other in a stand-in face as well. `spacing` is the letter-spacing in em.
 */
export function textWidth(text: string, size: number, spacing = 0): number {
  let total = 0;
  for (const character of text) {
    total += (hundredths.get(character) ?? 65) / 100 + spacing;
  }
  return total * size * 1.05;
}
