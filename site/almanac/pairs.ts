import { type AlmanacDataset, type AlmanacRecord, datasets } from '#almanac/datasets/index.ts';
import { recordTitle } from '#almanac/record-title.ts';

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
const chosen: Record<Pair['dataset'], [one: string, other: string][]> = {
  protocols: [
    ['mcp', 'a2a'],
    ['mcp', 'webmcp'],
    ['mcp', 'openapi'],
    ['mcp', 'utcp'],
    ['mcp', 'agent-skills'],
    ['a2a', 'anp'],
    ['a2a', 'agent-client-protocol'],
    ['ag-ui', 'a2ui'],
    ['ap2', 'acp'],
    ['acp', 'ucp'],
    ['ap2', 'ucp'],
    ['ap2', 'x402'],
    ['x402', 'mpp'],
    ['x402', 'l402'],
    ['llms-txt', 'robots-txt'],
    ['llms-txt', 'sitemaps'],
    ['llms-txt', 'agents-md'],
    ['agents-md', 'agent-skills'],
    ['ard', 'api-catalog'],
    ['content-signals', 'aipref'],
    ['content-signals', 'rsl'],
    ['web-bot-auth', 'visa-tap'],
  ],
  crawlers: [
    ['gptbot', 'oai-searchbot'],
    ['gptbot', 'chatgpt-user'],
    ['gptbot', 'claudebot'],
    ['claudebot', 'claude-user'],
    ['googlebot', 'google-extended'],
    ['applebot', 'applebot-extended'],
    ['perplexitybot', 'perplexity-user'],
  ],
  models: [
    ['gpt-6.2-sol', 'claude-opus-5-5'],
    ['gpt-6.2-sol', 'gemini-4-argon'],
    ['claude-opus-5-5', 'gemini-4-argon'],
    ['claude-sonnet-5-5', 'gpt-6.1-terra'],
  ],
};

function datasetAt(path: Pair['dataset']): AlmanacDataset {
  const dataset = datasets.find((each) => each.path === path);
  if (dataset === undefined) {
    throw new Error(`site/almanac/pairs.ts: there is no dataset ${path}`);
  }
  return dataset;
}

function recordOf(dataset: AlmanacDataset, id: string): AlmanacRecord {
  const records: readonly AlmanacRecord[] = dataset.records;
  const record = records.find((each) => each.id === id);
  if (record === undefined) {
    throw new Error(`site/almanac/pairs.ts: ${dataset.path} has no record ${id}`);
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
