import type { Request, RequestHandler, Router } from 'express';
import type { Config } from '../config.ts';
import { Problem } from '../contract/problem.ts';
import { liveCacheControl } from '../http/headers.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import type { RenderLive } from '../live/renderer.ts';
import { findGuestbookPage, type PageFilter, pageFilters } from './page-data.ts';
import { type GuestbookReader, toGuestbookList, toGuestbookSingle } from './responses.ts';

/** What the address of an entry's own page begins with. */
export const guestbookEntryPrefix = '/guestbook/';

const entryId = /^[0-9a-f]{12}$/;

const gone = (id: string): Problem =>
  new Problem(
    'not-found',
    `The guestbook has no entry ${id}: it was withdrawn, or newer ones pushed it out. Begin at /guestbook.`,
  );

/** The entry after which a page begins; null when the query names none, which is the first page's business. */
function readBefore(request: Request): string | null {
  const given = queryOf(request).getAll('before');
  const [before] = given;
  if (before !== undefined && (given.length > 1 || !entryId.test(before))) {
    throw new Problem('invalid-query', 'Older entries are at /guestbook?before=ID.', {
      errors: [{ pointer: '?before', detail: 'is the id of one entry: 12 lowercase hexadecimal characters.' }],
    });
  }
  return before ?? null;
}

/** What the query narrows the entries down by. */
function readFilter(request: Request): PageFilter {
  const filter: PageFilter = {};
  for (const name of ['by', 'tier'] as const) {
    const given = queryOf(request).getAll(name);
    const values: readonly string[] = pageFilters[name].values;
    const [value] = given;
    if (value !== undefined && (given.length > 1 || !values.includes(value))) {
      throw new Problem(
        'invalid-query',
        `Entries are narrowed down by /guestbook?${name}=${values.join(` or ${name}=`)}.`,
        {
          errors: [{ pointer: `?${name}`, detail: `is one of ${values.join(', ')}.` }],
        },
      );
    }
    if (value !== undefined) {
      filter[name] = value;
    }
  }
  return filter;
}

/**
 * The older pages of the guestbook, `/guestbook?before=ID`, those of some entries, `/guestbook?by=agent&tier=A`, and
 * each entry's own page, `/guestbook/ID`, with their twins. They are rendered when they're asked for.
 */
export function guestbookPages(
  { config, guestbook }: { config: Config; guestbook: GuestbookReader },
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  countReads: RequestHandler,
): Router {
  const router = createRouter();

  router.get(pageAddresses('/guestbook'), countReads, async (request, response, next) => {
    const before = readBefore(request);
    const filter = readFilter(request);
    const isFiltered = Object.keys(filter).length > 0;
    if (before === null && !isFiltered) {
      next('router');
      return;
    }
    const page = findGuestbookPage(toGuestbookList(guestbook, config, {}), before, filter);
    if (page === null) {
      throw gone(before ?? '');
    }
    if (isFiltered) {
      // The same entries are in the whole book.
      response.setHeader('X-Robots-Tag', 'noindex');
    }
    await staticSite.sendPage(request, response, await render('/guestbook', { guestbook: page }), {
      path: '/guestbook',
      representation: representationOfEnding(request.path) ?? chosenRepresentation(request),
      cacheControl: liveCacheControl,
    });
  });

  router.get(/^\/guestbook\/([0-9a-f]{12})(?:\.(?:md|json))?$/, countReads, async (request, response) => {
    const [id = ''] = Object.values(request.params) as string[];
    const single = toGuestbookSingle(guestbook, config, id);
    if (single === null) {
      throw gone(id);
    }
    response.setHeader('X-Robots-Tag', 'noindex');
    await staticSite.sendPage(request, response, await render('/guestbook/entry', { guestbookEntry: single }), {
      path: `/guestbook/${id}`,
      representation: representationOfEnding(request.path) ?? chosenRepresentation(request),
      cacheControl: liveCacheControl,
    });
  });
  return router;
}
