import type { APIRoute } from 'astro';
import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';

export const getStaticPaths = () =>
  datasets.map((dataset) => ({ params: { dataset: dataset.path }, props: { dataset } }));

/** The dataset as JSON Lines: one record a line, UTF-8. */
export const GET: APIRoute<{ dataset: AlmanacDataset }> = ({ props }) =>
  new Response(props.dataset.records.map((record) => `${JSON.stringify(record)}\n`).join(''));
