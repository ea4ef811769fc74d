import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { type ReadyBody, send } from '../http/static-site.ts';
import { createRefresher } from './refresher.ts';

/** Of a write, for the pages that show it. Only a machine with far too much to do comes near it. */
const longestWaitMilliseconds = 8000;

/** What is read most of a store, held as the bytes that are sent. */
export interface LiveCache {
  /** Answers the list of the API without a query; anything else is passed on. */
  serveList: RequestHandler;
  /** See GuestbookContext. */
  waitUntilVisible(): Promise<void>;
  /** How long something has been stored that isn't shown, in seconds; 0 when everything is. */
  behindSeconds(): number;
  /** Ends the listening to the store. */
  stop(): void;
}

/**
 * Keeps what shows a store ready: `make` puts the pages in place and gives what writes the list down when it's first read. It
 * runs once for all changes since it began, so that reading is a look-up and never waits for a writer or the disk. Resolves
 * when it has run for the first time.
 */
export async function openLiveCache(
  store: { onChange(listener: () => void): () => void },
  make: () => Promise<() => ReadyBody>,
  { log, what }: { log: Logger; what: string },
): Promise<LiveCache> {
  let list: ReadyBody | null = null;
  let writeList = (): ReadyBody | null => null;
  let changedAt: number | null = null;
  const run = async (): Promise<void> => {
    const before = changedAt;
    changedAt = null;
    try {
      writeList = await make();
      list = null;
    } catch (error) {
      changedAt = before ?? changedAt;
      throw error;
    }
  };
  const refresher = createRefresher(run, {
    onError: (error) => log.error({ err: error }, `${what} could not be made anew`),
  });
  const stop = store.onChange(() => {
    changedAt ??= performance.now();
    refresher.touch();
  });
  await run();
  return {
    serveList(request, response, next) {
      if (!request.originalUrl.includes('?')) {
        list ??= writeList();
      }
      if (list === null || request.originalUrl.includes('?')) {
        next();
        return;
      }
      send(request, response, list)?.catch(next);
    },
    waitUntilVisible: () =>
      Promise.race([refresher.settled(), wait(longestWaitMilliseconds, undefined, { ref: false })]),
    behindSeconds: () => (changedAt === null ? 0 : (performance.now() - changedAt) / 1000),
    stop,
  };
}
