import { round } from './round.ts';
import { toMonth, toShortValue } from './sparkline.ts';
import type { Series } from './state-series.ts';
import { toFraction } from './time-scale.ts';

/** A line of a large chart with what is written next to it. */
export interface ChartLine {
  label: string;
  path: string;
  dots: { x: number; y: number }[];
  first: { text: string; x: number; y: number };
  last: { text: string; x: number; y: number };
}

/** A chart of some series of one unit on one scale; the value axis begins at zero. */
export interface LargeChart {
  width: number;
  height: number;
  left: number;
  right: number;
  /** Lines of the grid with their values. */
  grid: { y: number; text: string }[];
  /** The first and the last date. */
  dates: { x: number; y: number; text: string; anchor: 'start' | 'end' }[];
  lines: ChartLine[];
}

/** What a drawing is given: its size, and the room at the right for the names of the lines. */
export interface ChartSize {
  width: number;
  height: number;
  names: number;
}

/** Height of a line of text in the drawing. */
const textHeight = 18;

/** A round number for about four steps up to the largest value. */
export function stepOf(largest: number): number {
  const rough = largest / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
}

/** Moves labels apart that would overlap, the upper one first. */
function spread(places: readonly number[]): number[] {
  const order = places.map((y, index) => ({ y, index })).sort((one, other) => one.y - other.y);
  let free = Number.NEGATIVE_INFINITY;
  const moved = new Map<number, number>();
  for (const { y, index } of order) {
    free = Math.max(y, free + textHeight);
    moved.set(index, round(free));
  }
  return places.map((y, index) => moved.get(index) ?? y);
}

/** Draws series on one scale. Throws when there is no figure. */
export function layoutLargeChart(
  named: readonly { label: string; series: Series }[],
  { width, height, names }: ChartSize,
): LargeChart {
  const points = named.flatMap(({ series }) => series.points);
  const unit = named[0]?.series.unit;
  if (unit === undefined || points.length === 0) {
    throw new Error('A chart needs a series with figures.');
  }
  const times = points.map(({ at }) => toFraction(at));
  const [from, to] = [Math.min(...times), Math.max(...times)];
  const step = stepOf(Math.max(...points.map(({ value }) => value)));
  const steps = Math.ceil(Math.max(...points.map(({ value }) => value)) / step);
  const [left, right, top, bottom] = [58, width - names, 24, height - 34];
  const toY = (value: number): number => round(bottom - (value / (steps * step)) * (bottom - top));
  const toX = (at: string): number =>
    round(left + 12 + ((toFraction(at) - from) / (to - from || 1)) * (right - left - 24));
  const inOrder = points.toSorted((one, other) => toFraction(one.at) - toFraction(other.at));
  const lines = named.map(({ label, series }): ChartLine => {
    const dots = series.points.map(({ at, value }) => ({ x: toX(at), y: toY(value) }));
    const place = (index: number) => ({
      text: toShortValue(series.points.at(index)?.value ?? 0, unit),
      x: dots.at(index)?.x ?? 0,
      y: dots.at(index)?.y ?? 0,
    });
    const [first, last] = [place(0), place(-1)];
    return { label, path: `M${dots.map(({ x, y }) => `${x} ${y}`).join('L')}`, dots, first, last };
  });
  /** The first figure is above its dot, or below where another line begins just above. */
  const firstY = lines.map(({ first }) =>
    lines.some((other) => other.first.y < first.y && first.y - other.first.y < 2 * textHeight)
      ? first.y + 24
      : first.y - 12,
  );
  const lastY = spread(lines.map(({ last }) => last.y + 5));
  return {
    width,
    height,
    left,
    right,
    grid: Array.from({ length: steps + 1 }, (_, index) => ({
      y: toY(index * step),
      text: toShortValue(index * step, unit),
    })),
    dates: [
      { x: left + 12, y: height - 10, text: toMonth(inOrder[0]?.at ?? ''), anchor: 'start' },
      { x: right - 12, y: height - 10, text: toMonth(inOrder.at(-1)?.at ?? ''), anchor: 'end' },
    ],
    lines: lines.map((line, index) => ({
      ...line,
      first: { ...line.first, y: firstY[index] ?? line.first.y },
      last: { ...line.last, y: lastY[index] ?? line.last.y },
    })),
  };
}
