import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import type { SiteFront } from '../http/site-front.ts';
import { keepReady, type Ready } from '../live/keep-ready.ts';
import type { RenderLive } from '../live/renderer.ts';
import { type GuestbookList, toGuestbookList } from './responses.ts';
import type { Guestbook } from './store.ts';

/** The pages that show the guestbook; they change with it. */
export const guestbookPagePaths = ['/', '/guestbook'] as const;

/** How many entries the home page shows. */
const newest = 5;

/** What the home page shows of the guestbook: the newest entries that the owner has cleared, and how many wait. */
export interface GuestbookExcerpt {
  entries: GuestbookList['entries'];
  totals: GuestbookList['totals'];
}

const toExcerpt = ({ entries, totals }: GuestbookList): GuestbookExcerpt => ({
  entries: entries.filter(({ review }) => review.state === 'cleared').slice(0, newest),
  totals,
});

/**
 * Keeps the list, the page of the guestbook and the home page ready, rendered in a thread of their own. Resolves when
 * all three are there.
 */
export function keepGuestbookReady(options: {
  guestbook: Guestbook;
  config: Config;
  front: SiteFront;
  render: RenderLive;
  log: Logger;
}): Promise<Ready> {
  const { guestbook, config, front, render, log } = options;
  const make = async () => {
    const document = toGuestbookList(guestbook, config, {});
    const list = await toReadyJson(document);
    await front.replace('/guestbook', await render('/guestbook', { guestbook: document }));
    await front.replace('/', await render('/', { guestbookExcerpt: toExcerpt(document) }));
    return list;
  };
  return keepReady(guestbook, make, { log, what: 'the pages of the guestbook' });
}
