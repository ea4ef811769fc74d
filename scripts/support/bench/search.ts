import MiniSearch from 'minisearch';
import { datasets } from '#almanac/datasets/index.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { createSearch, type SearchableDataset } from '#almanac/search.ts';
import { percentile } from './percentile.ts';

function timeEach(queries: readonly string[], run: (query: string) => unknown): { mean: number; p99: number } {
  for (const query of queries) {
    run(query);
  }
  const times = queries.map((query) => {
    const started = performance.now();
    run(query);
    return performance.now() - started;
  });
  return { mean: times.reduce((sum, time) => sum + time, 0) / times.length, p99: percentile(times, 0.99) };
}

/** Ten times the records: copies under other ids, with a word of their own in each name. */
const tenfold = (all: readonly SearchableDataset[]): SearchableDataset[] =>
  all.map((dataset) => ({
    ...dataset,
    records: Array.from({ length: 10 }, (_, copy) =>
      dataset.records.map((record) => ({ ...record, id: `${record.id}-copy${copy}` })),
    ).flat(),
  }));

/** Search over all records and over ten times as many, against a bare MiniSearch query over the same texts. */
export async function runSearchBench(): Promise<void> {
  const queries = datasets.flatMap((dataset) => dataset.records.map((record) => recordTitle(record).slice(0, 80)));
  const bare = new MiniSearch({ fields: ['text'] });
  bare.addAll(
    datasets.flatMap((dataset) =>
      dataset.records.map((record) => ({ id: `${dataset.id}/${record.id}`, text: JSON.stringify(record) })),
    ),
  );
  const baseline = timeEach(queries, (query) => bare.search(query, { prefix: true, fuzzy: 0.2 }));
  const search = createSearch(datasets);
  const ours = timeEach(queries, (query) => search(query));
  const large = createSearch(tenfold(datasets));
  const tenTimes = timeEach(queries, (query) => large(query));
  const line = (name: string, { mean, p99 }: { mean: number; p99: number }): string =>
    `${name}: mean ${mean.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;
  console.log(line('bare MiniSearch', baseline));
  console.log(
    `${line('search', ours)} (goal: p99 under 2 ms), ratio to bare ${(ours.mean / baseline.mean).toFixed(2)}`,
  );
  console.log(
    `${line('ten times the records', tenTimes)}, ratio of means ${(tenTimes.mean / ours.mean).toFixed(1)} (goal: at most 15)`,
  );
}
