import { datasets } from '#almanac/datasets/index.ts';

/** What is asked of each record of a dataset; X stands for its name. */
const phrasings: Record<string, string[]> = {
  crawlers: ['who operates X', 'how to block X', 'does X follow robots.txt', 'how to verify X'],
  protocols: ['what is X', 'licence of X', 'compare X and MCP', 'alternatives to X', 'when was X launched'],
  models: ['context window of X', 'price of X', 'what replaces X', 'compare X and GPT-5'],
  glossary: ['what is X'],
};

/** The questions of each record, record by record. */
export const recordQuestions: Record<string, string[][]> = Object.fromEntries(
  datasets
    .filter(({ id }) => id in phrasings)
    .map(({ id, records }) => [
      id,
      records.map((record) => {
        const name = 'term' in record ? record.term : 'name' in record ? record.name : '';
        return (phrasings[id] ?? []).map((phrasing) => phrasing.replace('X', name));
      }),
    ]),
);
