import type { APIRoute } from 'astro';
import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';

export const getStaticPaths = () =>
  datasets.map((dataset) => ({ params: { dataset: dataset.path }, props: { dataset } }));

/**
 * A cell of RFC 4180. Text that a spreadsheet would read as a formula gets an apostrophe before it; null is empty; lists
 * and objects are JSON.
 */
function cell(value: unknown): string {
  if (value === null || value === undefined) {
    return '';
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export const GET: APIRoute<{ dataset: AlmanacDataset }> = ({ props: { dataset } }) => {
  const rows = dataset.records as unknown as Record<string, unknown>[];
  const lines = [
    dataset.fields.join(','),
    ...rows.map((row) => dataset.fields.map((field) => cell(row[field])).join(',')),
  ];
  return new Response(`${lines.join('\r\n')}\r\n`);
};
