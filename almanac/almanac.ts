import { type Answer, type Answerer, createAnswerer } from './ask/index.ts';
import { datasets } from './datasets/index.ts';
import { noPages, type PageContent } from './pages.ts';
import { createSearch, type Search } from './search.ts';

/** What the almanac answers. */
export interface Almanac {
  readonly search: Search;
  ask(question: string): Answer;
}

/** Builds the indexes over all datasets and the pages of the site; they are made at the first use and kept. */
export function createAlmanac(content: PageContent = noPages): Almanac {
  let search: Search | undefined;
  let answerer: Answerer | undefined;
  return {
    get search() {
      search ??= createSearch(datasets, content);
      return search;
    },
    ask: (question) => {
      answerer ??= createAnswerer(datasets, content);
      return answerer.ask(question);
    },
  };
}
