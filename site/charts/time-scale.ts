/** A year as a column of a time line. */
export interface YearBand {
  year: number;
  /** How many dates lie in it. */
  count: number;
  x: number;
  width: number;
}

/** The years of a time line from left to right, and where a date lies among them. */
export interface TimeScale {
  years: YearBand[];
  /** The x of a date: the middle of the day, month or year that it names. */
  toX(date: string): number;
}

/** The middle of a partial date as a year with a fraction: `2025-06` is about 2025.46. */
export function toFraction(date: string): number {
  const [year = '', month, day] = date.split('-');
  const start = Date.UTC(
    Number(year),
    month === undefined ? 0 : Number(month) - 1,
    day === undefined ? 1 : Number(day),
  );
  const end =
    month === undefined
      ? Date.UTC(Number(year) + 1, 0, 1)
      : day === undefined
        ? Date.UTC(Number(year), Number(month), 1)
        : start + 86_400_000;
  const newYear = Date.UTC(Number(year), 0, 1);
  const fraction = ((start + end) / 2 - newYear) / (Date.UTC(Number(year) + 1, 0, 1) - newYear);
  if (Number.isNaN(fraction)) {
    throw new Error(`"${date}" is not a date: expected YYYY, YYYY-MM or YYYY-MM-DD.`);
  }
  return Number(year) + fraction;
}

/**
 * A scale from the first to the last year of some dates. A year is the wider the more dates it has, and within a year time
 * runs evenly; so decades with one date each leave room for the years in which things happen.
 */
export function createTimeScale(dates: readonly string[], from: number, to: number): TimeScale {
  const counts = new Map<number, number>();
  for (const date of dates) {
    const year = Math.floor(toFraction(date));
    counts.set(year, (counts.get(year) ?? 0) + 1);
  }
  const first = Math.min(...counts.keys());
  const last = Math.max(...counts.keys());
  const list = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  const weight = (year: number): number => 0.15 + (counts.get(year) ?? 0) ** 0.7;
  const unit = (to - from) / list.reduce((sum, year) => sum + weight(year), 0);
  let x = from;
  const years = list.map((year): YearBand => {
    const band = { year, count: counts.get(year) ?? 0, x, width: weight(year) * unit };
    x += band.width;
    return band;
  });
  return {
    years,
    toX(date) {
      const fraction = toFraction(date);
      const band = years[Math.floor(fraction) - first];
      if (band === undefined) {
        throw new Error(`${date} lies outside the time line: expected ${first} to ${last}.`);
      }
      return band.x + (fraction % 1) * band.width;
    },
  };
}
