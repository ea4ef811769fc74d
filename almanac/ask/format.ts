export const monthNames = 'January February March April May June July August September October November December'.split(
  ' ',
);

/** "2025-09-08" as "8 September 2025", "2025-09" as "September 2025", "2025" as it is. */
export function formatDate(value: string): string {
  const match = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?$/.exec(value);
  if (match === null) {
    return value;
  }
  const month = monthNames[Number(match[2]) - 1];
  return [match[3] === undefined ? null : String(Number(match[3])), month, match[1]].filter(Boolean).join(' ');
}

/** "on 8 September 2025", but "in September 2025": the preposition follows the precision. */
export function formatWhen(value: string): string {
  return `${/^\d{4}-\d{2}-\d{2}$/.test(value) ? 'on' : 'in'} ${formatDate(value)}`;
}

const numbers = new Intl.NumberFormat('en-GB', { maximumFractionDigits: 10 });

/** 1048576 as "1,048,576". */
export const formatNumber = (value: number): string => numbers.format(value);

/** "A", "A and B", "A, B and C". */
export function formatList(items: readonly string[], conjunction = 'and'): string {
  return items.length < 2
    ? (items[0] ?? '')
    : `${items.slice(0, -1).join(', ')} ${conjunction} ${items[items.length - 1] ?? ''}`;
}
