import type { RequestHandler, Router } from 'express';
import { z } from 'zod';
import { type AlmanacDataset, datasets } from '#almanac/datasets/index.ts';
import type { Tool } from '../contract/tool.ts';
import { representationOfEnding } from '../http/negotiate.ts';
import { queryOf } from '../http/query.ts';
import { createRouter } from '../http/router.ts';
import { pageAddresses } from '../http/site-files.ts';
import { chosenRepresentation, type StaticSite } from '../http/static-site.ts';
import { readInput } from '../http/tool-request.ts';
import { keepLast } from '../live/keep-last.ts';
import type { RenderLive } from '../live/renderer.ts';
import type { Representations } from '../render/representations.ts';
import type { AlmanacContext } from './context.ts';
import { toListQuery } from './list-parameters.ts';
import { listAnswer, listOperation } from './operations.ts';
import type { NarrowedList } from './page-data.ts';

/** The component that renders the page of a dataset for a query; it has no address of its own. */
const componentPath = '/almanac/narrowed';

/** Parameters of the API that say how much of each record to answer, and where to go on: a page shows its columns and all rows. */
const notOfPages: ReadonlySet<string> = new Set(['view', 'fields', 'limit', 'cursor']);

/** How many pages are kept as they were rendered. */
const mostKept = 60;

/** The list of a dataset as its page takes it: the conditions and the order of the API. Anything else in a query is passed over. */
function pageOperation(dataset: AlmanacDataset): Tool<AlmanacContext> {
  const operation = listOperation(dataset);
  const shape = Object.entries(operation.input.shape).filter(([name]) => !notOfPages.has(name));
  return { ...operation, input: z.strictObject(Object.fromEntries(shape)) };
}

const pageOperations = datasets.map((dataset) => ({ dataset, operation: pageOperation(dataset) }));

/**
 * The pages of the datasets with a query that narrows their records down, `/crawlers?bot_type=training`, and their twins. The
 * parameters are those of the API. A query without any of them is left to the page itself.
 */
export function narrowedPages(
  context: AlmanacContext,
  { staticSite, render }: { staticSite: StaticSite; render: RenderLive },
  countReads: RequestHandler,
): Router {
  const router = createRouter();
  const keep = keepLast<Representations>(mostKept);
  for (const { dataset, operation } of pageOperations) {
    const path = `/${dataset.path}`;
    router.get(pageAddresses(path), countReads, async (request, response, next) => {
      const names = [...new Set(queryOf(request).keys())].filter((name) => Object.hasOwn(operation.input.shape, name));
      if (names.length === 0) {
        next('router');
        return;
      }
      // A choice out of a page that is indexed: its records are there, and combinations are without end.
      response.setHeader('X-Robots-Tag', 'noindex');
      const input = readInput(operation, request, 'page') as Record<string, string | undefined>;
      const given = names.flatMap((name) => (input[name] === undefined ? [] : [[name, input[name]] as const]));
      const page = await keep(`${path}?${new URLSearchParams(given.map(([...pair]) => pair))}`, () => {
        const query = toListQuery(dataset, input);
        const answer = listAnswer(dataset, input, context);
        return render(componentPath, {
          narrowedList: { path: dataset.path, given, query, answer } satisfies NarrowedList,
        });
      });
      await staticSite.sendPage(request, response, page, {
        path,
        representation: representationOfEnding(request.path) ?? chosenRepresentation(request),
        cacheControl: 'public, max-age=300',
      });
    });
  }
  return router;
}
