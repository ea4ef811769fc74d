import { type ChartSize, stepOf } from './large-chart.ts';
import { round } from './round.ts';
import { toMonth, toShortValue } from './sparkline.ts';
import type { Series } from './state-series.ts';

/** A bar with its figure above it. */
interface Bar {
  x: number;
  y: number;
  width: number;
  height: number;
  text: string;
}

/** Figures of some series of one unit next to each other at each date; the value axis begins at zero. */
export interface BarChart {
  width: number;
  height: number;
  left: number;
  right: number;
  grid: { y: number; text: string }[];
  /** The dates, each in the middle below its bars. */
  dates: { x: number; y: number; text: string }[];
  /** The bars of each series; a date without a figure has none. */
  bars: Bar[][];
  /** A value that the reader compares with. */
  mark: { y: number; words: string } | null;
}

/** Draws series as bars. Throws when there is no figure. */
export function layoutBarChart(
  named: readonly { series: Series }[],
  { width, height }: Pick<ChartSize, 'width' | 'height'>,
  mark: { value: number; words: string } | null,
): BarChart {
  const points = named.flatMap(({ series }) => series.points);
  const unit = named[0]?.series.unit;
  if (unit === undefined || points.length === 0) {
    throw new Error('A chart needs a series with figures.');
  }
  const dates = [...new Set(points.map(({ at }) => at))].sort();
  const most = Math.max(mark?.value ?? 0, ...points.map(({ value }) => value));
  const step = stepOf(most);
  const steps = Math.ceil(most / step);
  const [left, right, top, bottom] = [58, width, 24, height - 34];
  const toY = (value: number): number => round(bottom - (value / (steps * step)) * (bottom - top));
  const slot = (right - left) / dates.length;
  const barWidth = round((slot * 0.6) / named.length);
  const toX = (date: number, index: number): number =>
    round(left + slot * (date + 0.5) + (index - named.length / 2) * barWidth + 2);
  return {
    ...{ width, height, left, right },
    grid: Array.from({ length: steps + 1 }, (_, index) => ({
      y: toY(index * step),
      text: toShortValue(index * step, unit),
    })),
    dates: dates.map((at, index) => ({ x: round(left + slot * (index + 0.5)), y: height - 10, text: toMonth(at) })),
    bars: named.map(({ series }, index) =>
      series.points.map(({ at, value }) => ({
        ...{ x: toX(dates.indexOf(at), index), y: toY(value) },
        ...{ width: barWidth - 4, height: round(bottom - toY(value)), text: toShortValue(value, unit) },
      })),
    ),
    mark: mark === null ? null : { y: toY(mark.value), words: mark.words },
  };
}
