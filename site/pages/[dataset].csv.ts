import type { APIRoute } from 'astro';
import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';
import { toCsv } from '#api/text/csv.ts';

export const getStaticPaths = () =>
  datasets.map((dataset) => ({ params: { dataset: dataset.path }, props: { dataset } }));

export const GET: APIRoute<{ dataset: AlmanacDataset }> = ({ props: { dataset } }) => {
  const rows = dataset.records as unknown as Record<string, unknown>[];
  return new Response(toCsv([dataset.fields, ...rows.map((row) => dataset.fields.map((field) => row[field]))]));
};
