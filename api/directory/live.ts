import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import type { StaticSite } from '../http/static-site.ts';
import { type LiveCache, openLiveCache } from '../live/cache.ts';
import type { ShowOnHome } from '../live/home.ts';
import type { RenderLive } from '../live/renderer.ts';
import { toDirectoryList, toShownList } from './responses.ts';
import type { Directory } from './store.ts';

/** The page that shows the directory; it changes with it. */
export const directoryPagePath = '/directory';

/** How many sites the home page shows. */
const newest = 3;

/** The last scores of the site whose home page is at an address, the oldest first. */
export type ScoresOf = (home: string) => readonly number[];

/** Keeps the list and the page of the directory ready, and the newest sites on the home page. */
export function openDirectoryCache(options: {
  directory: Directory;
  scoresOf: ScoresOf;
  config: Config;
  staticSite: StaticSite;
  render: RenderLive;
  showOnHome: ShowOnHome;
  log: Logger;
}): LiveCache {
  const { directory, scoresOf, config, staticSite, render, showOnHome, log } = options;
  return openLiveCache(directory, {
    async makePages() {
      const document = toDirectoryList(directory, config);
      const shown = toShownList(document);
      const directoryTrends = Object.fromEntries(shown.sites.map(({ id, url }) => [id, scoresOf(`${url}/`)]));
      await staticSite.replace(
        directoryPagePath,
        await render(directoryPagePath, { directory: shown, directoryTrends }),
      );
      await showOnHome({
        newestSites: document.sites.filter(({ below_since }) => below_since === null).slice(0, newest),
      });
    },
    toList: () => toReadyJson(JSON.stringify(toDirectoryList(directory, config))),
    ...{ pages: [directoryPagePath, '/'], staticSite, log, what: 'the page of the directory' },
  });
}
