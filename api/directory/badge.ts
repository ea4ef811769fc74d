import { escapeMarkup } from '../text/escape-markup.ts';

/** What a badge shows. The label names the site, or what was measured. */
export type Badge =
  | { label: string; state?: undefined; score: number; grade: BadgeGrade }
  | { label: string; state: 'not-listed' }
  /** `score` is the one that was certified and no longer holds. */
  | { label: string; state: 'expired' | 'fell-back'; score: number };

/** Dark text on a light ground, at least 7:1. The ground is the badge's own, so it reads alike on light and dark pages. */
export const badgeColours = {
  label: { ground: '#fdf9ef', text: '#2a231b' },
  exemplary: { ground: '#cbe8cc', text: '#12391e' },
  'agent-ready (certifiable)': { ground: '#f6d58c', text: '#3a2400' },
  readable: { ground: '#dfe3c4', text: '#33371a' },
  'hard to use': { ground: '#eadfcb', text: '#40331f' },
  'closed to agents': { ground: '#efd3c9', text: '#4f1c0e' },
  none: { ground: '#e3e1dc', text: '#38352f' },
} as const;

/** How a badge looks: for light pages, for dark ones, and without rounding or outline in a row of other badges. */
export const badgeStyles = ['paper', 'night', 'flat'] as const;
export type BadgeStyle = (typeof badgeStyles)[number];

/**
 * The part with the label in each style: its ground and text, at least 7:1, the outline, and the radius of the corners
 * in pixels.
 */
export const labelLooks = {
  paper: { ...badgeColours.label, outline: '#7d6d55', radius: 4.5 },
  night: { ground: '#1b1a2b', text: '#f3e8d3', outline: '#8d87b3', radius: 4.5 },
  flat: { ...badgeColours.label, outline: 'none', radius: 0 },
} as const satisfies Record<BadgeStyle, { ground: string; text: string; outline: string; radius: number }>;

/** The grades that a badge has a colour for. */
export type BadgeGrade = Exclude<keyof typeof badgeColours, 'label' | 'none'>;

const height = 24;
const fontSize = 12;
/** How much wider semi-bold letters are. */
const boldness = 1.07;
const padding = 8;
const lampWidth = 12;
const maxLabelLength = 40;

/**
 * Draws a badge as an SVG document: a lamp, lit when the site is certifiable, the label, and score and grade in words, so
 * that nothing is said by colour alone. The text stays text in the reader's system font; its length is fixed, so that it
 * fits in any font. `style` is the look of the part with the label. Throws an Error when the score is no integer from 0 to 100.
 */
export function toBadgeSvg(badge: Badge, style: BadgeStyle = 'paper'): string {
  const look = labelLooks[style];
  const { radius: r } = look;
  const label = toLabel(badge.label);
  const { short, long, colour, isLit } = toStatement(badge);
  const labelWidth = toTextWidth(label);
  const valueWidth = Math.ceil(toTextWidth(short) * boldness);
  const labelX = padding + lampWidth + 5;
  const split = labelX + labelWidth + padding;
  const width = split + valueWidth + 2 * padding;
  const name = escapeMarkup(`${label}: ${long}`);
  const text = (x: number, length: number, fill: string, weight: number, content: string): string =>
    `<text x="${x}" y="16" textLength="${length}" lengthAdjust="spacingAndGlyphs" fill="${fill}" font-weight="${weight}">${escapeMarkup(content)}</text>`;
  return `${[
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${name}" font-family="system-ui,-apple-system,'Segoe UI',Roboto,'Liberation Sans',Arial,sans-serif" font-size="${fontSize}">`,
    `<title>${name}</title>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${r}" fill="${look.ground}"/>`,
    `<path d="M${split} .5H${width - 0.5 - r}a${r} ${r} 0 0 1 ${r} ${r}V${height - 0.5 - r}a${r} ${r} 0 0 1 -${r} ${r}H${split}z" fill="${colour.ground}"/>`,
    `<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="${r}" fill="none" stroke="${look.outline}"/>`,
    `<g transform="translate(${padding} 4)" fill="none" stroke="${look.text}" stroke-linejoin="round" stroke-linecap="round">`,
    '<path d="M6 .5V2M2 5 4 2H8L10 5M1.5 5H10.5M2.5 5 3.2 13.5H8.8L9.5 5M2.7 15.5H9.3"/>',
    `<path d="M6 6.7c1.4 1.7 1.9 2.4 1.9 3.5a1.9 1.9 0 0 1-3.8 0c0-1.1.5-1.8 1.9-3.5z" ${isLit ? 'fill="#f2a93b" stroke="#8c4306" stroke-width=".6"' : 'stroke="none"'}/>`,
    '</g>',
    text(labelX, labelWidth, look.text, 400, label),
    text(split + padding, valueWidth, colour.text, 600, short),
    '</svg>',
  ].join('')}\n`;
}

interface Statement {
  short: string;
  long: string;
  colour: { ground: string; text: string };
  isLit: boolean;
}

function toStatement(badge: Badge): Statement {
  if (badge.state === 'not-listed') {
    return { short: 'not listed', long: 'not listed', colour: badgeColours.none, isLit: false };
  }
  const { score } = badge;
  if (!Number.isInteger(score) || score < 0 || score > 100) {
    throw new Error(`The score ${score} is not an integer from 0 to 100.`);
  }
  switch (badge.state) {
    case 'expired':
      return {
        short: `expired, was ${score}`,
        long: `certification expired, the score was ${score} of 100`,
        colour: badgeColours.none,
        isLit: false,
      };
    case 'fell-back':
      return {
        short: `fell back from ${score}`,
        long: `no longer certifiable, the certified score was ${score} of 100`,
        colour: badgeColours['closed to agents'],
        isLit: false,
      };
    default:
      return {
        // The long form has the whole grade; in the short one the number says what is in brackets.
        short: `${score} ${badge.grade.replace(/ \(.*\)$/, '')}`,
        long: `${score} of 100, ${badge.grade}`,
        colour: badgeColours[badge.grade],
        isLit: badge.grade === 'exemplary' || badge.grade === 'agent-ready (certifiable)',
      };
  }
}

/** One line without what XML forbids or what is invisible (controls, bidirectional overrides), and not too long. */
function toLabel(given: string): string {
  const clean = given
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .replace(/[\p{Cf}\p{Co}\p{Cn}]/gu, '')
    .trim();
  const characters = Array.from(new Intl.Segmenter('en').segment(clean), ({ segment }) => segment);
  return characters.length > maxLabelLength ? `${characters.slice(0, maxLabelLength - 1).join('')}…` : clean;
}

/** Widths of letters in a usual sans-serif, in ems, by class: the first that fits counts, and what fits none is one em. */
const letterWidths: [RegExp, number][] = [
  [/[ijlI.,:;'|!]/, 0.27],
  [/[ frt()[\]\-/]/, 0.33],
  [/[mwMW@%…]/, 0.87],
  [/\p{Lo}/u, 1],
  [/\p{Lu}/u, 0.69],
  [/[\p{L}\p{Nd}]/u, 0.57],
  [/\p{M}/u, 0],
];

function toTextWidth(text: string): number {
  const ems = Array.from(text).reduce(
    (sum, character) => sum + (letterWidths.find(([letters]) => letters.test(character))?.[1] ?? 1),
    0,
  );
  return Math.ceil(ems * fontSize);
}
