import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import type { SiteFront } from '../http/site-front.ts';
import { keepReady, type Ready } from '../live/keep-ready.ts';
import type { RenderLive } from '../live/renderer.ts';
import { toDirectoryList, toShownList } from './responses.ts';
import type { Directory } from './store.ts';

/** The page that shows the directory; it changes with it. */
export const directoryPagePath = '/directory';

/** Keeps the list and the page of the directory ready. Resolves when they are there. */
export function keepDirectoryReady(options: {
  directory: Directory;
  config: Config;
  front: SiteFront;
  render: RenderLive;
  log: Logger;
}): Promise<Ready> {
  const { directory, config, front, render, log } = options;
  const make = async () => {
    const document = toDirectoryList(directory, config);
    front.replace('/directory', await render('/directory', { directory: toShownList(document) }));
    return () => toReadyJson(JSON.stringify(document));
  };
  return keepReady(directory, make, { log, what: 'the page of the directory' });
}
