import type { APIRoute } from 'astro';
import { state } from '#almanac/datasets/index.ts';
import { Topic } from '#almanac/datasets/state.ts';
import { toCsvFile } from '../../charts/chart-file.ts';
import { type Series, toSeries } from '../../charts/state-series.ts';

export const getStaticPaths = () =>
  toSeries(Topic.options, state.records).map((series) => ({ params: { series: series.id }, props: { series } }));

export const GET: APIRoute<{ series: Series }> = ({ props: { series } }) => new Response(toCsvFile(series));
