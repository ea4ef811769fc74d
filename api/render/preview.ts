import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { create, type Font } from 'fontkitten';

/** The pictures that other programs show of a page: 1200 by 630 pixels (Open Graph). */
export type PreviewName = 'listed' | 'report';

const nodeModules = createRequire(import.meta.url);

const openFont = async (file: string): Promise<Font> => {
  const font = create(await readFile(nodeModules.resolve(`@fontsource/${file}`)));
  if (font.isCollection) {
    throw new Error(`${file} holds several fonts`);
  }
  return font;
};

/** The faces of the templates, by what a text element says of itself. They are read when the first picture is drawn. */
const openFaces = async () => ({
  title: await openFont('alegreya/files/alegreya-latin-500-normal.woff'),
  text: await openFont('alegreya/files/alegreya-latin-400-normal.woff'),
  sans: await openFont('alegreya-sans/files/alegreya-sans-latin-400-normal.woff'),
  strong: await openFont('alegreya-sans/files/alegreya-sans-latin-700-normal.woff'),
});

type Faces = Awaited<ReturnType<typeof openFaces>>;

const escaped: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * A line of text as outlines, so that a picture is the same whatever fonts a machine has. Characters without a glyph
 * are left out.
 */
function toOutlines(attributes: string, content: string, faces: Faces): string {
  const of = (name: string): string | undefined => new RegExp(`(?:^|\\s)${name}="([^"]*)"`).exec(attributes)?.[1];
  const isBold = Number(of('font-weight') ?? 400) > 400;
  const isSans = of('font-family') !== undefined;
  const font = isSans ? (isBold ? faces.strong : faces.sans) : isBold ? faces.title : faces.text;
  const scale = Number(of('font-size')) / font.unitsPerEm;
  const spacing = Number(of('letter-spacing') ?? 0) / scale;
  const text = content.replace(/&(amp|lt|gt|quot);/g, (_match, name: string) => escaped[name] ?? '');
  let x = 0;
  const glyphs = [...text].flatMap((character) => {
    const codePoint = character.codePointAt(0) ?? 0;
    if (/\p{C}/u.test(character) || !font.hasGlyphForCodePoint(codePoint)) {
      return [];
    }
    const glyph = font.glyphForCodePoint(codePoint);
    const drawn = `<path transform="translate(${x} 0)" d="${glyph.path.toSVG()}"/>`;
    x += glyph.advanceWidth + spacing;
    return [drawn];
  });
  const start = Number(of('x')) - (of('text-anchor') === 'middle' ? (x * scale) / 2 : 0);
  return `<g fill="${of('fill')}" transform="translate(${start} ${of('y')}) scale(${scale} ${-scale})">${glyphs.join('')}</g>`;
}

const inText = (value: string): string =>
  value.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[sign] ?? '');

let faces: Promise<Faces> | undefined;
/** One picture at a time: drawing takes a processor for a tenth of a second. */
let last: Promise<unknown> = Promise.resolve();

async function drawNow(name: PreviewName, values: Readonly<Record<string, string>>): Promise<Buffer> {
  faces ??= openFaces();
  const [template, known] = await Promise.all([
    readFile(new URL(`./previews/${name}.svg`, import.meta.url), 'utf8'),
    faces,
  ]);
  const svg = template
    .replace(/\{\{(\w+)\}\}/g, (_match, key: string) => inText(values[key] ?? ''))
    .replace(/<text([^>]*)>([^<]*)<\/text>/g, (_match, attributes: string, content: string) =>
      toOutlines(attributes, content, known),
    );
  const { default: sharp } = await import('sharp');
  return sharp(Buffer.from(svg)).png({ palette: true, quality: 90, effort: 4 }).toBuffer();
}

/** Draws a picture from its template as a PNG. The values go in as text, whatever they hold. */
export function drawPreview(name: PreviewName, values: Readonly<Record<string, string>>): Promise<Buffer> {
  const drawn = last.then(() => drawNow(name, values));
  last = drawn.catch(() => undefined);
  return drawn;
}

/**
 * Text in two lines of a length at most, broken between words, or within one that is longer; what is left ends with an
 * ellipsis.
 */
export function inTwoLines(text: string, length: number): [string, string] {
  const lines = [''];
  for (const word of text.match(new RegExp(`\\S{1,${length}}(?:\\s+|$)?`, 'g')) ?? []) {
    const longer = `${lines.at(-1)}${word}`;
    if (longer.trimEnd().length <= length) {
      lines[lines.length - 1] = longer;
    } else {
      lines.push(word);
    }
  }
  const [first = '', second = ''] = lines.map((line) => line.trim());
  return [first, lines.length > 2 ? `${second.slice(0, length - 1).replace(/[,;:.]$/, '')}…` : second];
}
