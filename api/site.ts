import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { PageContent } from '#almanac/pages.ts';
import { openBuiltAnswerer, readBuiltPassages } from './almanac/passages.ts';
import { declaredTypes } from './catalog/endpoints.ts';
import type { Config } from './config.ts';
import { openDirectoryCache, type ScoresOf } from './directory/live.ts';
import type { Directory } from './directory/store.ts';
import { openGuestbookCache } from './guestbook/live.ts';
import type { Guestbook } from './guestbook/store.ts';
import { forgetHeads } from './http/heads.ts';
import type { SiteFiles } from './http/site-files.ts';
import { openSitePack } from './http/site-pack.ts';
import { createStaticSite, type StaticSite } from './http/static-site.ts';
import type { LiveCache } from './live/cache.ts';
import { createHome } from './live/home.ts';
import { openRenderThread } from './live/render-thread.ts';
import type { RenderLive } from './live/renderer.ts';
import { readBuiltPlaybook } from './playbook/built.ts';
import type { Playbook } from './playbook/playbook.ts';

/** The site that the service serves, with what renders its live pages. */
export interface Site {
  files: SiteFiles;
  staticSite: StaticSite;
  render: RenderLive;
  guestbook: LiveCache;
  directory: LiveCache;
  /** The chapters that are sold. */
  playbook: Playbook;
  /** The text of all pages by sections. */
  passages: PageContent;
  /** What reading them for questions came to, from the disk. */
  readPrepared?(): Buffer;
  /** Id of the build; null for a site that isn't built. */
  build: string | null;
  /** Lets go of what's only held to be quick and wasn't used for this long; false when there was nothing. */
  release(unusedMs: number): boolean;
  close(): Promise<void>;
}

/** What live pages show. */
export interface SiteSource {
  config: Config;
  log: Logger;
  guestbook: Guestbook;
  directory: Directory;
  scoresOf: ScoresOf;
}

/** Opens the built site: its files, its server build for the live pages, and these with what is stored, which are made from now on. */
export async function openBuiltSite(source: SiteSource): Promise<Site> {
  const { distDir, baseUrl } = source.config;
  const stamp = JSON.parse(await readFile(join(distDir, 'build.json'), 'utf8')) as { id: string };
  const playbook = await readBuiltPlaybook(distDir);
  const passages = await readBuiltPassages(distDir);
  const answerer = openBuiltAnswerer(distDir);
  const pack = await openSitePack(distDir, declaredTypes);
  const staticSite = createStaticSite(pack.site, baseUrl);
  const thread = openRenderThread(distDir);
  const { render } = thread;
  const showOnHome = createHome({ staticSite, render });
  const guestbook = openGuestbookCache({ ...source, staticSite, render, showOnHome });
  const directory = openDirectoryCache({ ...source, staticSite, render, showOnHome });
  return {
    files: pack.site,
    staticSite,
    render,
    guestbook,
    directory,
    playbook,
    passages,
    readPrepared: answerer.read,
    build: stamp.id.slice(0, 12),
    release(unusedMs) {
      const released = [pack.release(), forgetHeads(unusedMs)];
      return released.includes(true);
    },
    async close() {
      guestbook.stop();
      directory.stop();
      await thread.close();
      await pack.close();
      answerer.close();
    },
  };
}
