import { type AlmanacDataset, type AlmanacRecord, datasets } from '#almanac/datasets/index.ts';
import { recordTitle } from '#almanac/record-title.ts';
import content from '../content/pairs.json' with { type: 'json' };

/** Two records of one dataset that people ask to have compared. */
export interface Pair {
  /** The dataset's name in paths, such as "protocols". */
  dataset: 'protocols' | 'crawlers' | 'models';
  almanac: AlmanacDataset;
  one: AlmanacRecord;
  other: AlmanacRecord;
  path: string;
  title: string;
}

/** What is compared: only the choice is made by hand, everything on the pages follows from the records. */
const chosen = content as Record<Pair['dataset'], [one: string, other: string][]>;

function datasetAt(path: Pair['dataset']): AlmanacDataset {
  const dataset = datasets.find((each) => each.path === path);
  if (dataset === undefined) {
    throw new Error(`site/content/pairs.json: there is no dataset ${path}`);
  }
  return dataset;
}

function recordOf(dataset: AlmanacDataset, id: string): AlmanacRecord {
  const records: readonly AlmanacRecord[] = dataset.records;
  const record = records.find((each) => each.id === id);
  if (record === undefined) {
    throw new Error(`site/content/pairs.json: ${dataset.path} has no record ${id}`);
  }
  return record;
}

/** The pairs that have a page, dataset by dataset. */
export const pairs: readonly Pair[] = (Object.keys(chosen) as Pair['dataset'][]).flatMap((dataset) =>
  chosen[dataset].map(([first, second]): Pair => {
    const almanac = datasetAt(dataset);
    const [one, other] = [recordOf(almanac, first), recordOf(almanac, second)];
    return {
      dataset,
      almanac,
      one,
      other,
      path: `/compare/${first}-vs-${second}`,
      title: `${recordTitle(one)} vs ${recordTitle(other)}`,
    };
  }),
);

/** The pairs that a record is part of. */
export const pairsWith = (dataset: string, id: string): Pair[] =>
  pairs.filter((pair) => pair.dataset === dataset && (pair.one.id === id || pair.other.id === id));
