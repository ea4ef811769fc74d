import type { Statement } from '#almanac/datasets/state.ts';
import labels from '../content/labels.json' with { type: 'json' };
import { toFraction } from './time-scale.ts';

/** A figure of a series. `at` is its place in time: the year it covers if it says so, else its date. */
export interface Point {
  id: string;
  date: string;
  period: string | null;
  at: string;
  value: number;
}

/** Statements that measure the same thing at different dates, oldest first. */
export interface Series {
  id: string;
  title: string;
  topic: Statement['topic'];
  unit: string;
  /** Everyone whose figures are in it, without the place where they were seen. */
  publishers: string[];
  points: Point[];
}

/** What each series measures, in words. */
export const seriesTitles = (labels as { series: Readonly<Record<string, string>> }).series;

/** A figure that covers a whole year is published later; on the chart it's in the year that it covers. */
const coveredYear = (period: string | null): string | undefined =>
  /^(?:year|crawl of) (\d{4})$/.exec(period ?? '')?.[1];

/** The series of at least two points, in the order of `topics` and then by title. */
export function toSeries(topics: readonly Statement['topic'][], records: readonly Statement[]): Series[] {
  const bySeries = Map.groupBy(
    records.filter(({ series, value }) => series !== null && value !== null),
    ({ series }) => series ?? '',
  );
  return [...bySeries]
    .flatMap(([id, rows]): Series[] => {
      const points = rows
        .map(({ id: statement, date, period, value }): Point => {
          return { id: statement, date, period, at: coveredYear(period) ?? date, value: value ?? 0 };
        })
        .sort((a, b) => toFraction(a.at) - toFraction(b.at) || a.id.localeCompare(b.id, 'en'));
      const [row] = rows;
      if (row === undefined || points.length < 2) {
        return [];
      }
      const title = seriesTitles[id] ?? id.replaceAll('-', ' ');
      const publishers = [...new Set(rows.map(({ publisher }) => publisher.replace(/ \(.*$/, '')))];
      return [{ id, title, topic: row.topic, unit: row.unit ?? '', publishers, points }];
    })
    .sort((a, b) => topics.indexOf(a.topic) - topics.indexOf(b.topic) || a.title.localeCompare(b.title, 'en'));
}
