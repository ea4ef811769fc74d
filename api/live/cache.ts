import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { Problem } from '../contract/problem.ts';
import { codeLike, type ReadyBody, type StaticSite, send } from '../http/static-site.ts';
import { createRefresher } from './refresher.ts';

/** Of a reader for the page. Only a machine with far too much to do comes near it. */
const longestWaitMilliseconds = 8000;

/** What is read most of a store, held as the bytes that are sent. */
export interface LiveCache {
  /** The list of the API, as it is without a query; undefined where none is kept. */
  list(): ReadyBody | undefined;
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
  /** How long after a change that nobody waits for the pages are made anew all the same. */
  lateMilliseconds?: number;
  /** How long a writer waits for the pages at most. When they take longer, their readers wait. */
  patienceMilliseconds?: number;
}

const notMadeYet = (what: string): Problem =>
  new Problem(
    'unavailable',
    `The service has just started, and ${what} couldn't be made yet. Ask again in 5 seconds.`,
    {
      headers: { 'Retry-After': '5' },
    },
  );

/** Whether something ends in that time; waits for it no longer. */
const isOverWithin = (milliseconds: number, ending: Promise<void>): Promise<boolean> =>
  Promise.race([ending.then(() => true), wait(milliseconds, false, { ref: false })]);

/**
 * Keeps what shows a store ready. While somebody reads the pages they're made anew as soon as something is written,
 * once for all changes since the last time began: a writer waits for that, and a reader never waits for a writer, unless it
 * takes long, as when the thread that renders has to begin: then the writer goes, and readers wait for the rest of it. When
 * nobody has read them for a second, they are made a second later or for the next reader, who waits for it, and a
 * writer waits for nothing. Either way, whoever reads after a write was acknowledged reads it.
 *
 * The pages are made for the first time at once. Readers who come before that wait, and get a Problem with status 503 if
 * they can't be made: the built pages show an empty store, which isn't what was asked for.
 */
export function openLiveCache(
  store: { onChange(listener: () => void): () => void },
  {
    makePages,
    toList,
    pages,
    staticSite,
    log,
    what,
    watchedMilliseconds = 1000,
    lateMilliseconds = 1000,
    patienceMilliseconds = 200,
  }: LiveCacheOptions,
): LiveCache {
  let list: ReadyBody | null = null;
  let changedAt: number | null = null;
  let readAt = Number.NEGATIVE_INFINITY;
  let isMade = false;
  let isStopped = false;
  /** Something was written that the next reader has to see. */
  let isOwed = false;
  /** How many changes no writer waited for. */
  let unawaited = 0;
  let late: NodeJS.Timeout | undefined;
  let making: Promise<void> | undefined;

  /** The list in place of the one that somebody has read; null when nobody has. */
  const toNextList = async (): Promise<ReadyBody | null> => {
    if (!list?.read?.size) {
      return null;
    }
    const before = unawaited;
    const next = toList();
    await codeLike(next, list);
    // What was acknowledged meanwhile is in the store and not in this list, whether or not a reader has come for it since.
    return unawaited === before ? next : null;
  };
  const run = async (): Promise<void> => {
    if (isStopped) {
      return;
    }
    const before = changedAt;
    changedAt = null;
    try {
      await makePages();
      isMade = true;
      list = await toNextList();
    } catch (error) {
      changedAt = before ?? changedAt;
      throw error;
    }
  };
  const refresher = createRefresher(run, {
    onError: (error) => {
      if (!isStopped) {
        log.error({ err: error }, `${what} could not be made anew`);
      }
    },
  });
  const makeAnew = (): void => {
    clearTimeout(late);
    late = undefined;
    isOwed = false;
    changedAt ??= performance.now();
    refresher.touch();
  };
  const settled = (): Promise<void> =>
    Promise.race([refresher.settled(), wait(longestWaitMilliseconds, undefined, { ref: false })]);

  /** Readers wait from now on until everything that is stored is shown. */
  const letReadersWait = (): void => {
    // Readers who come before the first time wait as long as it takes: there's nothing else to answer with.
    const made = (isMade ? settled() : refresher.settled()).finally(() => {
      making = making === made ? undefined : making;
    });
    making = made;
  };
  /** Makes the pages for whoever reads them meanwhile. */
  const makeForReaders = (): void => {
    makeAnew();
    letReadersWait();
  };
  /** The list is made anew for the next reader: no writer has waited for the one that is there, or is being made. */
  const forgetList = (): void => {
    unawaited += 1;
    list = null;
  };
  const waitUntilVisible = async (): Promise<void> => {
    if (isOwed) {
      return;
    }
    if (!(await isOverWithin(patienceMilliseconds, refresher.settled()))) {
      forgetList();
      letReadersWait();
    }
  };
  const ignoreChanges = store.onChange(() => {
    if (performance.now() - readAt < watchedMilliseconds) {
      makeAnew();
    } else {
      isOwed = true;
      forgetList();
      // No writer waits for it, so its readers do.
      late ??= setTimeout(makeForReaders, lateMilliseconds).unref();
    }
  });
  staticSite.whenRead(pages, () => {
    readAt = performance.now();
    if (isOwed || (!isMade && making === undefined)) {
      makeForReaders();
    }
    return isMade
      ? making
      : making?.then(() => {
          if (!isMade) {
            throw notMadeYet(what);
          }
        });
  });
  makeForReaders();
  const readList = (): ReadyBody => {
    list ??= toList();
    return list;
  };
  return {
    list: readList,
    serveList(request, response, next) {
      if (request.originalUrl.includes('?')) {
        next();
        return;
      }
      send(request, response, readList())?.catch(next);
    },
    waitUntilVisible,
    behindSeconds: () => (changedAt === null ? 0 : (performance.now() - changedAt) / 1000),
    stop() {
      isStopped = true;
      clearTimeout(late);
      ignoreChanges();
    },
  };
}
