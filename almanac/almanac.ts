import { type Answer, createAnswerer } from './ask/index.ts';
import { datasets } from './datasets/index.ts';
import { noPages, type PageContent } from './pages.ts';
import { createSearch, type SearchMatch, type SearchOptions } from './search.ts';

/** What the almanac answers. */
export interface Almanac {
  search(query: string, options?: SearchOptions): SearchMatch[];
  ask(question: string): Answer;
}

/** Builds the indexes over all datasets and the pages of the site; they are made at the first use and kept. */
export function createAlmanac(content: PageContent = noPages): Almanac {
  let search: ReturnType<typeof createSearch> | undefined;
  let answerer: ReturnType<typeof createAnswerer> | undefined;
  return {
    search: (query, options) => {
      search ??= createSearch(datasets);
      return search(query, options);
    },
    ask: (question) => {
      answerer ??= createAnswerer(datasets, content);
      return answerer.ask(question);
    },
  };
}
