import { datasets } from '#almanac/datasets/index.ts';
import { endpoints } from '#api/catalog/endpoints.ts';
import { httpOnlyOperations } from '#api/catalog/operations.ts';
import type { toAgentsJson } from '#api/catalog/to-agents-json.ts';
import { tools } from '#api/catalog/tools.ts';
import { defaultLimits } from '#api/contract/limits.ts';
import { version } from '#api/version.ts';
import { site } from './site.ts';
import { sitePages, twinPaths } from './site-map.ts';

/** The newest day on which a page changed. */
export const siteUpdated: string =
  sitePages
    .map((page) => page.updated)
    .sort()
    .at(-1) ?? '';

/** What the manifest is made from. */
export const manifestSource = (): Parameters<typeof toAgentsJson>[0] => ({
  site: { ...site, version },
  updated: siteUpdated,
  pages: sitePages
    .filter(
      ({ isRecord, path }) =>
        isRecord !== true && !/^\/(?:problems|techniques|developers)\/.|^\/(?:compare|audit\/sample)$/.test(path),
    )
    .map(({ path, title }) => {
      const { markdown, json } = twinPaths(path);
      return { path, title, markdown, json };
    }),
  pageCount: sitePages.length,
  tools,
  httpOnlyOperations,
  endpoints,
  datasets: datasets.map(({ id, title, path, updated, records }) => ({
    id,
    title,
    count: records.length,
    path: `/api/${path}`,
    updated,
  })),
  limits: defaultLimits,
});
