import content from '../content/labels.json' with { type: 'json' };

/**
 * How fields are called on pages, where the name of the field alone would not read well, and the values of closed fields in the
 * words of a reader. The API has them as they are.
 */
const { fields, values } = content as Record<'fields' | 'values', Readonly<Record<string, string>>>;

/** The name of a field as a heading: `robots_token` is "robots.txt token". */
export function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ');
  return fields[field] ?? `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** A value as a page says it: `user-action-fetcher` is "fetches for a user". */
export const wordOf = (value: string): string => values[value] ?? value;
