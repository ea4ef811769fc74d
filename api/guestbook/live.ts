import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import type { StaticSite } from '../http/static-site.ts';
import { type LiveCache, openLiveCache } from '../live/cache.ts';
import type { ShowOnHome } from '../live/home.ts';
import type { RenderLive } from '../live/renderer.ts';
import { toGuestbookPage } from './page-data.ts';
import { type GuestbookList, toGuestbookList, toListJson } from './responses.ts';
import type { Guestbook } from './store.ts';

/** The pages that show the guestbook; they change with it. */
export const guestbookPagePaths = ['/', '/guestbook'] as const;

/** How many entries the home page shows. */
const newest = 5;

/** The count on the home page is behind by this much at most while many write. */
const homeEveryMs = 5000;

/** What the home page shows of the guestbook: the newest entries that the owner has cleared, and how many wait. */
export interface GuestbookExcerpt {
  entries: GuestbookList['entries'];
  totals: GuestbookList['totals'];
}

const toExcerpt = ({ entries, totals }: GuestbookList): GuestbookExcerpt => ({
  entries: entries.filter(({ review }) => review.state === 'cleared').slice(0, newest),
  totals,
});

/** Keeps the home page ready: at once when it shows other entries, and with the counts when the last time is a while ago. */
function keepHomeReady(show: (excerpt: GuestbookExcerpt) => Promise<void>, onFault: (error: unknown) => void) {
  let shown: GuestbookExcerpt | null = null;
  let shownAt = 0;
  let timer: NodeJS.Timeout | undefined;
  const showNow = async (excerpt: GuestbookExcerpt): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    shownAt = performance.now();
    await show(excerpt);
    shown = excerpt;
  };
  return {
    async update(excerpt: GuestbookExcerpt): Promise<void> {
      const isSame =
        shown !== null &&
        shown.entries.length === excerpt.entries.length &&
        shown.entries.every((entry, index) => entry === excerpt.entries[index]);
      const sinceMs = performance.now() - shownAt;
      if (!isSame || sinceMs >= homeEveryMs) {
        await showNow(excerpt);
        return;
      }
      clearTimeout(timer);
      timer = setTimeout(() => void showNow(excerpt).catch(onFault), homeEveryMs - sinceMs).unref();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Keeps the list, the first page of the guestbook and the home page ready, rendered in a thread of their own. */
export function openGuestbookCache(options: {
  guestbook: Guestbook;
  config: Config;
  staticSite: StaticSite;
  render: RenderLive;
  showOnHome: ShowOnHome;
  log: Logger;
}): LiveCache {
  const { guestbook, config, staticSite, render, showOnHome, log } = options;
  const home = keepHomeReady(
    (guestbookExcerpt) => showOnHome({ guestbookExcerpt }),
    (error) => log.error({ err: error }, 'the home page could not be made anew'),
  );
  const ready = openLiveCache(guestbook, {
    async makePages() {
      const document = toGuestbookList(guestbook, config, {});
      await staticSite.replace(
        '/guestbook',
        await render('/guestbook', { guestbook: toGuestbookPage(document, null) }),
      );
      await home.update(toExcerpt(document));
    },
    toList: () => toReadyJson(toListJson(toGuestbookList(guestbook, config, {}))),
    ...{ pages: guestbookPagePaths, staticSite, log, what: 'the pages of the guestbook' },
  });
  return {
    ...ready,
    stop() {
      home.stop();
      ready.stop();
    },
  };
}
