import crawlers from './data/asked/crawlers.json' with { type: 'json' };
import glossary from './data/asked/glossary.json' with { type: 'json' };
import models from './data/asked/models.json' with { type: 'json' };
import protocols from './data/asked/protocols.json' with { type: 'json' };
import state from './data/asked/state.json' with { type: 'json' };
import type { Entry } from './entries.ts';

/**
 * Questions that a record answers, and the names of the fields that do, the most direct first. `from` are words of the sentence
 * of the first field that an answer begins with, where it isn't the first one.
 */
export interface AskedOfRecord {
  ask: string[];
  say: string[];
  from?: string;
}

/** By id. */
type AskedOfDataset = Readonly<Record<string, readonly AskedOfRecord[]>>;

/** What people ask who don't know the name of a record, or say its fields in other words: by dataset and id. */
const asked: Readonly<Record<string, AskedOfDataset>> = {
  crawlers: crawlers as AskedOfDataset,
  glossary: glossary as AskedOfDataset,
  models: models as AskedOfDataset,
  protocols: protocols as AskedOfDataset,
  'state-of-the-agentic-web': state as AskedOfDataset,
};

/** The questions that are kept with a record. */
export const askedOf = ({ dataset, id }: Entry): readonly AskedOfRecord[] => asked[dataset]?.[id] ?? [];

/** All of them. */
export const recordAsks: readonly string[] = Object.values(asked).flatMap((records) =>
  Object.values(records).flatMap((groups) => groups.flatMap(({ ask }) => ask)),
);
