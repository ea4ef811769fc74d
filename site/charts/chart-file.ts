import { toCsv } from '#api/text/csv.ts';
import { absolute } from '../site.ts';
import { layoutSparkline } from './sparkline.ts';
import type { Series } from './state-series.ts';

const toMarkup = (text: string): string =>
  text.replace(/[&<>"]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '&quot;');

/** Words in lines of this many characters at most. */
function wrap(text: string, most: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= most) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

const lineHeight = 16;
const ink = '#2a241c';
const soft = '#5c5346';
const accent = '#8c4306';

/**
 * The chart of a series as a file of its own, for other people's pages: title, unit, who published the figures and where
 * the drawing is from are part of it. Colours are attributes, because a style sheet inside would need leave from the
 * Content-Security-Policy.
 */
export function toSvgFile(series: Series): string {
  const line = layoutSparkline(series);
  const title = wrap(series.title, 34);
  const foot = [...wrap(`${series.unit}; ${series.publishers.join(', ')}`, 44), absolute('/state')];
  const top = 10 + title.length * lineHeight;
  const height = top + line.height + foot.length * 13 + 8;
  const described = `${series.title}: ${line.first.text} in ${line.firstDate.text}, ${line.last.text} in ${line.lastDate.text}`;
  const write = (x: number, y: number, words: string, size: number, look: string): string =>
    `<text x="${x}" y="${y}" font-size="${size}" ${look}>${toMarkup(words)}</text>`;
  const strong = `font-weight="bold" fill="${ink}"`;
  const quiet = `fill="${soft}"`;
  const atEnd = 'text-anchor="end"';
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${line.width} ${height}" width="${line.width * 2}" height="${height * 2}" role="img" aria-labelledby="t" font-family="sans-serif">`,
    `<title id="t">${toMarkup(described)}</title>`,
    `<rect width="${line.width}" height="${height}" fill="#fdfaf3"/>`,
    ...title.map((words, index) => write(4, 18 + index * lineHeight, words, 13, strong)),
    `<g transform="translate(0 ${top})">`,
    `<path d="M0 ${line.zero}H${line.width}" fill="none" stroke="#b9ad98"/>`,
    `<path d="${line.path}" fill="none" stroke="${accent}" stroke-width="2"/>`,
    ...line.dots.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="3" fill="${accent}"/>`),
    write(line.first.x, line.first.y, line.first.text, 15, strong),
    write(line.last.x - 4, line.last.y, line.last.text, 15, `${strong} ${atEnd}`),
    write(line.firstDate.x, line.firstDate.y, line.firstDate.text, 11, quiet),
    write(line.lastDate.x - 4, line.lastDate.y, line.lastDate.text, 11, `${quiet} ${atEnd}`),
    '</g>',
    ...foot.map((words, index) => write(4, top + line.height + 10 + index * 13, words, 9, quiet)),
    '</svg>',
    '',
  ].join('\n');
}

/** The figures of a series as CSV, oldest first, each with the address of its record, which names the source. */
export const toCsvFile = ({ title, unit, points }: Series): string =>
  toCsv([
    ['series', 'date', 'value', 'unit', 'period', 'record'],
    ...points.map(({ id, date, value, period }) => [title, date, value, unit, period, absolute(`/state/${id}`)]),
  ]);
