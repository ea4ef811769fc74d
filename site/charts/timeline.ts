import { round } from './round.ts';
import { textWidth } from './text-width.ts';
import { createTimeScale, type YearBand } from './time-scale.ts';

/** Something that happened: `date` is YYYY, YYYY-MM or YYYY-MM-DD, `lane` the row it is drawn in. */
export interface TimelineEvent {
  date: string;
  label: string;
  href: string;
  lane: string;
  /** What the table says in the lane's column when the lane gathers several, e.g. the maker in "Other makers". */
  group?: string;
}

/** An entry with its dot at x and y and its label next to it. */
export interface PlacedEvent extends TimelineEvent {
  x: number;
  y: number;
  /** On which side of its dot the label is, where it begins (right) or ends (left), and how wide it is at most. */
  side: 'left' | 'right';
  textX: number;
  textWidth: number;
  /** Only the year is known. */
  open: boolean;
}

/** The whole picture in the units of its view box. */
export interface Timeline {
  width: number;
  height: number;
  /** Where the lanes begin and end. */
  top: number;
  bottom: number;
  left: number;
  lanes: { label: string; y: number; height: number; textY: number }[];
  events: PlacedEvent[];
  years: { year: number; x: number; label: boolean }[];
  quarters: { label: string; x: number; textX: number }[];
}

const width = 760;
const fontSize = 13;
const laneFontSize = 12;
const rowPitch = 26;
const lanePadding = 8;
const axisHeight = 42;
const dotRadius = 4;
const labelGap = 4;
const clearance = 9;

interface Span {
  from: number;
  to: number;
}

const isFree = (row: readonly Span[], span: Span): boolean =>
  row.every(({ from, to }) => span.to + clearance <= from || span.from >= to + clearance);

/** The years whose number is written: busy ones first, then older ones, as long as numbers keep clear of each other. */
function toLabelled(years: readonly YearBand[]): Set<number> {
  const taken: Span[] = [];
  const labelled = new Set<number>();
  const need = textWidth('2000', laneFontSize) + 4;
  for (const { year, x } of years
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count || a.year - b.year)) {
    const span = { from: x, to: x + need };
    if (span.to <= width && taken.every(({ from, to }) => span.to <= from || span.from >= to)) {
      taken.push(span);
      labelled.add(year);
    }
  }
  return labelled;
}

/** Lays events out in lanes along time, so that neither dots nor labels meet; a crowded lane gets more rows. */
export function layoutTimeline(lanes: readonly string[], events: readonly TimelineEvent[]): Timeline {
  const stray = events.find(({ lane }) => !lanes.includes(lane));
  if (stray !== undefined) {
    throw new Error(`"${stray.label}" is in the lane "${stray.lane}": expected one of ${lanes.join(', ')}.`);
  }
  const left = Math.ceil(Math.max(0, ...lanes.map((lane) => textWidth(lane.toUpperCase(), laneFontSize, 0.06)))) + 12;
  const scale = createTimeScale(
    events.map(({ date }) => date),
    left + dotRadius + 2,
    width - dotRadius - 2,
  );
  const placed: PlacedEvent[] = [];
  let y = axisHeight;
  const drawn = lanes.map((label) => {
    const rows: Span[][] = [];
    const own = events
      .filter(({ lane }) => lane === label)
      .map((event) => ({ event, x: round(scale.toX(event.date)) }))
      .sort((a, b) => a.x - b.x || a.event.label.localeCompare(b.event.label, 'en'));
    for (const { event, x } of own) {
      const labelWidth = Math.ceil(textWidth(event.label, fontSize));
      const right = { from: x - dotRadius, to: x + dotRadius + labelGap + labelWidth };
      const turned = { from: x - dotRadius - labelGap - labelWidth, to: x + dotRadius };
      const options = [
        ...(right.to <= width ? [{ side: 'right' as const, span: right }] : []),
        ...(turned.from >= left ? [{ side: 'left' as const, span: turned }] : []),
      ];
      const spots = options.flatMap(({ side, span }) =>
        [...rows, []].flatMap((row, index) => (isFree(row, span) ? [{ side, span, index }] : [])),
      );
      const spot = spots.reduce(
        (best, one) => (one.index < best.index ? one : best),
        spots[0] ?? {
          side: 'right' as const,
          span: right,
          index: rows.length,
        },
      );
      rows[spot.index] = [...(rows[spot.index] ?? []), spot.span];
      placed.push({
        ...event,
        x,
        y: y + lanePadding + (spot.index + 0.5) * rowPitch,
        side: spot.side,
        textX: round(x + (dotRadius + labelGap) * (spot.side === 'right' ? 1 : -1)),
        textWidth: labelWidth,
        open: event.date.length === 4,
      });
    }
    const height = Math.max(1, rows.length) * rowPitch + 2 * lanePadding;
    const lane = { label, y, height, textY: y + lanePadding + rowPitch / 2 + 4 };
    y += height;
    return lane;
  });
  const labelled = toLabelled(scale.years);
  const quarterWidth = textWidth('Q4', 12) + 5;
  return {
    width,
    height: y + axisHeight,
    top: axisHeight,
    bottom: y,
    left,
    lanes: drawn,
    events: placed,
    years: scale.years.map(({ year, x }) => ({ year, x: round(x), label: labelled.has(year) })),
    quarters: scale.years
      .filter((band) => band.width / 4 >= quarterWidth)
      .flatMap(({ x, width: yearWidth }) =>
        [0, 1, 2, 3].map((index) => ({
          label: `Q${index + 1}`,
          x: round(x + (index * yearWidth) / 4),
          textX: round(x + ((index + 0.5) * yearWidth) / 4),
        })),
      ),
  };
}
