import type { Router } from 'express';
import { longestAddress, readAddress } from '../audits/complete-address.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { type FormContext, type FormLimit, formPage } from '../http/form-page.ts';
import { liveCacheControl } from '../http/headers.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import type { StaticSite } from '../http/static-site.ts';
import type { RenderLive } from '../live/renderer.ts';
import type { DirectoryContext } from './context.ts';
import { joinDirectory } from './join.ts';
import { directoryPagePath as path } from './live.ts';
import { toDirectoryJoined, toDirectoryRefusal } from './page-data.ts';
import { toDirectoryList, toShownList } from './responses.ts';

/**
 * The form that joins the directory, which works without scripts. It is answered with a page: the entry, or why there is
 * none, with the form filled in again. `GET /directory?url=…` shows the page with the form filled in.
 */
export function directoryForm(
  context: DirectoryContext & FormContext,
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  limit: FormLimit,
): Router {
  const { config, directory } = context;
  const router = createRouter();

  router.get(path, limit.reads, async (request, response, next) => {
    const url = echoedLine(queryOf(request).get('url') ?? '');
    if (url === '' || url.length > longestAddress) {
      next();
      return;
    }
    const list = toShownList(toDirectoryList(directory, config));
    const page = await render(path, { directory: list, directoryForm: { url } });
    await staticSite.sendPage(request, response, page, { path, cacheControl: liveCacheControl });
  });

  const form = formPage(
    {
      path,
      jsonGoesTo: 'POST /api/directory',
      submit: async (field, request) => {
        const { isNew, answer } = await joinDirectory(readAddress(field('url')), context, request);
        const { html } = await render('/directory/joined', { directoryJoined: toDirectoryJoined(answer, isNew) });
        const location = `${config.baseUrl}${path}#site-${answer.entry.id}`;
        return { status: isNew ? 201 : 200, headers: { Location: location }, html };
      },
      toProblemPage: (problem, typed) =>
        render('/directory/not-listed', {
          directoryRefusal: toDirectoryRefusal(problem, typed('url').slice(0, longestAddress)),
        }),
    },
    context,
    limit,
  );
  return router.use(form);
}
