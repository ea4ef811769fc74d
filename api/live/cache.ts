import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type ReadyBody, type StaticSite, send } from '../http/static-site.ts';
import { createRefresher } from './refresher.ts';

/** Of a write, for the pages that show it, and of a reader for the page. Only a machine with far too much to do comes near it. */
const longestWaitMilliseconds = 8000;

/** What is read most of a store, held as the bytes that are sent. */
export interface LiveCache {
  /** Answers the list of the API without a query; anything else is passed on. */
  serveList: RequestHandler;
  /** See GuestbookContext. */
  waitUntilVisible(): Promise<void>;
  /** How long something has been stored that isn't shown, in seconds; 0 when everything is, or will be to the next reader. */
  behindSeconds(): number;
  /** Ends the listening to the store. */
  stop(): void;
}

/** What a cache keeps ready, and for whom. */
export interface LiveCacheOptions {
  /** Puts the pages in place. */
  makePages(): Promise<void>;
  /** Writes the list of the API down. */
  toList(): ReadyBody;
  /** Paths of the pages. */
  pages: readonly string[];
  staticSite: Pick<StaticSite, 'whenRead'>;
  log: Pick<Logger, 'error'>;
  /** What the pages are called in the log. */
  what: string;
  /** For how long after somebody has read a page they are made anew with each change. */
  watchedMilliseconds?: number;
}

/**
 * Keeps what shows a store ready. While somebody reads the pages they're made anew as soon as something is written, once for
 * all changes since the last time began: a writer waits for that, and a reader never waits for a writer. When nobody has read
 * them for a second, they are made for the next reader, who waits for it, and a writer waits for nothing. Either way, whoever
 * reads after a write was acknowledged reads it. Resolves when the pages are there.
 */
export async function openLiveCache(
  store: { onChange(listener: () => void): () => void },
  { makePages, toList, pages, staticSite, log, what, watchedMilliseconds = 1000 }: LiveCacheOptions,
): Promise<LiveCache> {
  let list: ReadyBody | null = null;
  let changedAt: number | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  /** Something was written that the next reader has to see. */
  let isOwed = false;
  let making: Promise<void> | undefined;

  const run = async (): Promise<void> => {
    const before = changedAt;
    changedAt = null;
    try {
      await makePages();
      list = null;
    } catch (error) {
      changedAt = before ?? changedAt;
      throw error;
    }
  };
  const refresher = createRefresher(run, {
    onError: (error) => log.error({ err: error }, `${what} could not be made anew`),
  });
  const makeAnew = (): void => {
    isOwed = false;
    changedAt ??= performance.now();
    refresher.touch();
  };
  const settled = (): Promise<void> =>
    Promise.race([refresher.settled(), wait(longestWaitMilliseconds, undefined, { ref: false })]);

  const stop = store.onChange(() => {
    if (performance.now() - readAt < watchedMilliseconds) {
      makeAnew();
    } else {
      isOwed = true;
      list = null;
    }
  });
  staticSite.whenRead(pages, () => {
    readAt = performance.now();
    if (isOwed) {
      makeAnew();
      const made = settled().finally(() => {
        making = making === made ? undefined : making;
      });
      making = made;
    }
    return making;
  });
  await run();
  return {
    serveList(request, response, next) {
      if (request.originalUrl.includes('?')) {
        next();
        return;
      }
      list ??= toList();
      send(request, response, list)?.catch(next);
    },
    waitUntilVisible: () => (isOwed ? Promise.resolve() : settled()),
    behindSeconds: () => (changedAt === null ? 0 : (performance.now() - changedAt) / 1000),
    stop,
  };
}
