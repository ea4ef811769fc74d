import type { Router } from 'express';
import { echoedLine } from '../contract/echoed-line.ts';
import { type FormContext, type FormLimit, formPage } from '../http/form-page.ts';
import { liveCacheControl } from '../http/headers.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import type { StaticSite } from '../http/static-site.ts';
import type { RenderLive } from '../live/renderer.ts';
import { longestAddress, readAddress } from './complete-address.ts';
import { type LookContext, look } from './look.ts';
import type { AuditLookPageData } from './page-data.ts';

/** The page that shows what others see of a page. */
export const lookPagePath = '/audit/look';

/**
 * The form that looks at a page, which works without scripts. Its answer is a page that is kept nowhere. `GET
 * /audit/look?url=…` fills the form in and fetches nothing.
 */
export function lookPage(
  context: LookContext & FormContext,
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  limit: FormLimit,
): Router {
  const router = createRouter();
  const renderPage = (auditLook: AuditLookPageData) => render(lookPagePath, { auditLook });

  router.get(lookPagePath, limit.reads, async (request, response, next) => {
    const url = echoedLine(queryOf(request).get('url') ?? '');
    if (url === '' || url.length > longestAddress) {
      next();
      return;
    }
    const page = await renderPage({ url, sight: null, problem: null });
    response.setHeader('X-Robots-Tag', 'noindex');
    await staticSite.sendPage(request, response, page, { path: lookPagePath, cacheControl: liveCacheControl });
  });

  const form = formPage(
    {
      path: lookPagePath,
      jsonGoesTo: 'POST /api/audit/look',
      submit: async (field, request) => {
        const url = readAddress(field('url'));
        const sight = await look(url, context, request);
        const { html } = await renderPage({ url, sight, problem: null });
        // What strangers ask about other strangers' sites is no content of this one.
        return { status: 200, headers: { 'X-Robots-Tag': 'noindex' }, html };
      },
      toProblemPage: ({ slug, plain }, typed) =>
        renderPage({
          url: echoedLine(typed('url')).slice(0, longestAddress),
          sight: null,
          problem: { slug, detail: plain, due: null },
        }),
    },
    context,
    limit,
  );
  return router.use(form);
}
