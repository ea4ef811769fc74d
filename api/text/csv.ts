import { stringify } from 'csv-stringify/sync';

/**
 * Rows as a CSV file (RFC 4180). Null is an empty field, and lists and objects are JSON. Text that a spreadsheet would
 * read as a formula gets an apostrophe in front, because it may be somebody else's.
 */
export const toCsv = (rows: readonly (readonly unknown[])[]): string =>
  stringify([...rows], {
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { boolean: String },
  });
