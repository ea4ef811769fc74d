import { type Answer, type Answerer, createAnswerer } from './ask/index.ts';
import { forgetStems } from './ask/lexicon.ts';
import { datasets } from './datasets/index.ts';
import { noPages, type PageContent } from './pages.ts';
import { createSearch, type Search } from './search.ts';

/** What the almanac answers. */
export interface Almanac {
  readonly search: Search;
  ask(question: string): Answer;
  /** Drops the indexes when nobody has used them for this long; the next use makes them again. False when there were none. */
  release(unusedMs: number): boolean;
}

/**
 * Builds the indexes over all datasets and the pages of the site; they're made when they're first used. `readPrepared` reads
 * what `prepareAnswerer` gave for them.
 */
export function createAlmanac(content: PageContent = noPages, readPrepared?: () => Buffer): Almanac {
  let search: Search | undefined;
  let answerer: Answerer | undefined;
  let usedAt = 0;
  return {
    get search() {
      usedAt = performance.now();
      search ??= createSearch(datasets, content);
      return search;
    },
    ask: (question) => {
      usedAt = performance.now();
      answerer ??= createAnswerer(datasets, content, readPrepared?.());
      return answerer.ask(question);
    },
    release(unusedMs) {
      const isHeld = search !== undefined || answerer !== undefined;
      if (!isHeld || performance.now() - usedAt < unusedMs) {
        return false;
      }
      search = undefined;
      answerer = undefined;
      forgetStems();
      return true;
    },
  };
}
