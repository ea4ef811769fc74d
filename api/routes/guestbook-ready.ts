import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import { type ReadyBody, type SiteFront, send } from '../http/site-front.ts';
import type { RenderLive } from '../pages/live-renderer.ts';
import { createRefresher } from '../pages/refresher.ts';
import { type GuestbookList, toGuestbookList } from '../registry/guestbook-documents.ts';
import type { Guestbook } from '../stores/guestbook.ts';

/** How many entries the home page shows. */
const newest = 5;

const longestWaitMilliseconds = 2000;

/** What the home page shows of the guestbook: the newest entries that the owner has cleared, and how many wait. */
export interface GuestbookExcerpt {
  entries: GuestbookList['entries'];
  totals: GuestbookList['totals'];
}

/** What is read most of the guestbook, held as the bytes that are sent. */
export interface GuestbookReady {
  /** Answers GET /api/guestbook without a query; anything else is passed on. */
  serveList: RequestHandler;
  /** See ToolContext. */
  published(): Promise<void>;
  /** Ends the listening to the guestbook. */
  stop(): void;
}

const toExcerpt = ({ entries, totals }: GuestbookList): GuestbookExcerpt => ({
  entries: entries.filter(({ review }) => review.state === 'cleared').slice(0, newest),
  totals,
});

/**
 * Keeps the list, the page of the guestbook and the home page ready: they are made once per change, in a thread of their
 * own, so that reading them is a look-up and never waits for a writer or the disk. Resolves when all three are there.
 */
export async function keepGuestbookReady(options: {
  guestbook: Guestbook;
  config: Config;
  front: SiteFront;
  render: RenderLive;
  log: Logger;
}): Promise<GuestbookReady> {
  const { guestbook, config, front, render, log } = options;
  let list: ReadyBody | null = null;

  const make = async (): Promise<void> => {
    const document = toGuestbookList(guestbook, config, {});
    list = await toReadyJson(document);
    await front.replace('/guestbook', await render('/guestbook', { guestbook: document }));
    await front.replace('/', await render('/', { guestbookExcerpt: toExcerpt(document) }));
  };

  const refresher = createRefresher(make, {
    onFault: (error) => log.error({ err: error }, 'the pages of the guestbook could not be made anew'),
  });
  const stop = guestbook.onChange(refresher.touch);
  await make();

  return {
    serveList(request, response, next) {
      if (list === null || request.originalUrl.includes('?')) {
        next();
        return;
      }
      send(request, response, list);
    },
    published: () => Promise.race([refresher.settled(), wait(longestWaitMilliseconds, undefined, { ref: false })]),
    stop,
  };
}
