const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const month = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' });
const moment = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'long', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit' },
  timeZone: 'UTC',
});

/** A date for people: `2026-11-21` is "21 November 2026". */
export const longDate = (date: string): string => day.format(new Date(date));

/** A date as exact as it is known: `2026-11-21` is "21 November 2026", `2026-11` "November 2026", `2026` stays. */
export const knownDate = (date: string): string =>
  /^\d{4}-\d{2}-\d{2}$/.test(date) ? longDate(date) : /^\d{4}-\d{2}$/.test(date) ? month.format(new Date(date)) : date;

/** A moment for people, in UTC: "21 November 2026 at 12:00 UTC". */
export const longTime = (timestamp: string): string => `${moment.format(new Date(timestamp))} UTC`;
