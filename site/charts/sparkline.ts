import { round } from './round.ts';
import type { Series } from './state-series.ts';
import { textWidth } from './text-width.ts';
import { toFraction } from './time-scale.ts';

interface EndLabel {
  text: string;
  x: number;
  y: number;
  anchor: 'start' | 'end';
}

/** A small line chart: the value axis holds zero, so that a small change looks small. */
export interface Sparkline {
  width: number;
  height: number;
  /** y of zero, which is also the chart's base line. */
  zero: number;
  path: string;
  dots: { x: number; y: number }[];
  first: EndLabel;
  last: EndLabel;
  firstDate: EndLabel;
  lastDate: EndLabel;
}

const width = 240;
const height = 112;
const top = 28;
const bottom = 86;
const left = 8;
const right = width - 8;
const valueSize = 15;

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2025-06-09` as "Jun 2025"; a year stays a year. */
export function toMonth(date: string): string {
  const [year = '', month] = date.split('-');
  return month === undefined ? year : `${months[Number(month) - 1] ?? month} ${year}`;
}

/** A value with its unit as short as it can be said: "97 million", "12.4%", "−38%". The table has the exact figure. */
export function toShortValue(value: number, unit: string): string {
  const size = Math.abs(value);
  const scaled: [number, string] =
    size >= 1e9 ? [value / 1e9, ' billion'] : size >= 1e6 ? [value / 1e6, ' million'] : [value, ''];
  const digits = scaled[0].toLocaleString('en', { maximumFractionDigits: 2 }).replace('-', '−');
  return `${digits}${scaled[1]}${unit.startsWith('%') ? '%' : ''}`;
}

/** Draws a series. Throws when it has fewer than two points. */
export function layoutSparkline({ id, unit, points }: Series): Sparkline {
  const [start, end] = [points[0], points.at(-1)];
  if (start === undefined || end === undefined || points.length < 2) {
    throw new Error(`The series "${id}" has ${points.length} points: expected two or more.`);
  }
  const values = points.map(({ value }) => value);
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const toY = (value: number): number => round(bottom - ((value - least) / (most - least || 1)) * (bottom - top));
  const [from, to] = [toFraction(start.at), toFraction(end.at)];
  const toX = (at: string): number => round(left + ((toFraction(at) - from) / (to - from || 1)) * (right - left));
  const dots = points.map(({ at, value }) => ({ x: toX(at), y: toY(value) }));

  /** The highest the line gets between two x, so that a label above it stays clear. */
  const highest = (a: number, b: number): number => {
    const crossings = dots.slice(1).flatMap((dot, index) => {
      const before = dots[index] ?? dot;
      const at = (x: number): number => before.y + ((dot.y - before.y) * (x - before.x)) / (dot.x - before.x || 1);
      const [low, high] = [Math.max(a, before.x), Math.min(b, dot.x)];
      return low <= high ? [at(low), at(high)] : [];
    });
    return Math.min(...crossings);
  };
  const startText = toShortValue(start.value, unit);
  const endText = toShortValue(end.value, unit);
  const startSpan = left + textWidth(startText, valueSize);
  const endSpan = right - textWidth(endText, valueSize);
  return {
    width,
    height,
    zero: toY(0),
    path: `M${dots.map(({ x, y }) => `${x} ${y}`).join('L')}`,
    dots,
    first: { text: startText, x: left - 4, y: round(highest(left, startSpan) - 9), anchor: 'start' },
    last: { text: endText, x: right + 4, y: round(highest(endSpan, right) - 9), anchor: 'end' },
    firstDate: { text: toMonth(start.at), x: left - 4, y: height - 8, anchor: 'start' },
    lastDate: { text: toMonth(end.at), x: right + 4, y: height - 8, anchor: 'end' },
  };
}
