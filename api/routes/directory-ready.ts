import { setTimeout as wait } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import { toReadyJson } from '../http/ready-json.ts';
import { type ReadyBody, type SiteFront, send } from '../http/site-front.ts';
import type { RenderLive } from '../pages/live-renderer.ts';
import { createRefresher } from '../pages/refresher.ts';
import { toDirectoryList, toShownList } from '../registry/directory-documents.ts';
import type { Directory } from '../stores/directory.ts';

const longestWaitMilliseconds = 2000;

/** The directory as it is read, held as the bytes that are sent. */
export interface DirectoryReady {
  /** Answers GET /api/directory without a query; anything else is passed on. */
  serveList: RequestHandler;
  /** See ToolContext. */
  published(): Promise<void>;
  /** Ends the listening to the directory. */
  stop(): void;
}

/** Keeps the list and the page of the directory ready: both are made once per change. Resolves when they are there. */
export async function keepDirectoryReady(options: {
  directory: Directory;
  config: Config;
  front: SiteFront;
  render: RenderLive;
  log: Logger;
}): Promise<DirectoryReady> {
  const { directory, config, front, render, log } = options;
  let list: ReadyBody | null = null;

  const make = async (): Promise<void> => {
    const document = toDirectoryList(directory, config);
    list = await toReadyJson(document);
    await front.replace('/directory', await render('/directory', { directory: toShownList(document) }));
  };

  const refresher = createRefresher(make, {
    onFault: (error) => log.error({ err: error }, 'the page of the directory could not be made anew'),
  });
  const stop = directory.onChange(refresher.touch);
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
