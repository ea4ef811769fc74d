import type { StaticSite } from '../http/static-site.ts';
import type { RenderLive } from './renderer.ts';

/**
 * Renders the home page anew with a part of what it shows, by the name that the page reads it under. Resolves when
 * readers get it.
 */
export type ShowOnHome = (part: object) => Promise<void>;

/** The home page shows parts of several stores: it's rendered with the last of each, one rendering after another. */
export function createHome({ staticSite, render }: { staticSite: StaticSite; render: RenderLive }): ShowOnHome {
  let parts: object = {};
  let last: Promise<void> = Promise.resolve();
  return (part) => {
    parts = { ...parts, ...part };
    const shown = last.then(async () => staticSite.replace('/', await render('/', parts)));
    last = shown.catch(() => undefined);
    return shown;
  };
}
