import { UsageError } from '../command-line.ts';

/** A day from the command line, or the current one in UTC. Throws UsageError. */
export function readDay(value: string | undefined): string {
  const day = value ?? new Date().toISOString().slice(0, 10);
  if (!/^\d{4}-\d{2}-\d{2}$/.test(day) || Number.isNaN(Date.parse(day))) {
    throw new UsageError(`--today ${day}: expected a day as YYYY-MM-DD.`);
  }
  return day;
}
