import { z } from 'zod';
import type { StoreDefinition } from '#api/stores/store.ts';

/** The smallest store: a list of words, to which words are added. */
export const words: StoreDefinition<string[], string> = {
  version: 1,
  state: z.array(z.string()),
  empty: () => [],
  apply: (state, word) => [...state, word],
};

/** A decision to add a word, whatever the state. */
export const add = (word: string) => () => ({ change: word, result: word });
