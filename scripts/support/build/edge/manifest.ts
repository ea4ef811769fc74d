import { endpoints } from '#api/catalog/endpoints.ts';
import { livePaths, livePrefixes, narrowedPaths } from '#api/catalog/live-pages.ts';
import type { EdgeManifest, EntityTags } from '#api/edge/manifest.ts';
import type { Representation } from '#api/http/negotiate.ts';
import type { SiteFiles, StoredBody } from '#api/http/site-files.ts';

/** The entity tags of a body: as it is, brotli, gzip. */
function toTags({ forms }: StoredBody): EntityTags {
  const tags = [forms.identity, forms.br, forms.gzip].map((form) => (form === undefined ? '' : form.etag.slice(1, -1)));
  return tags.join(',').replace(/,+$/, '');
}

const toPageTags = (page: Record<Representation, StoredBody>): Record<Representation, EntityTags> => ({
  html: toTags(page.html),
  markdown: toTags(page.markdown),
  json: toTags(page.json),
});

/** Everything that the worker at a CDN's edge has to know of a built site. */
export function toEdgeManifest(
  site: SiteFiles,
  { baseUrl, origin }: { baseUrl: string; origin: string | null },
): EdgeManifest {
  const missing = site.pages.get('/404');
  if (missing === undefined) {
    throw new Error('The built site has no page for 404.');
  }
  const served = endpoints.filter(({ servedBy }) => servedBy === 'server');
  const isPage = (path: string): boolean => site.pages.has(path);
  return {
    baseUrl,
    origin,
    pages: Object.fromEntries(
      [...site.pages].filter(([path]) => path !== '/404').map(([path, page]) => [path, toPageTags(page)]),
    ),
    missing: toPageTags(missing),
    files: Object.fromEntries([...site.files].map(([path, file]) => [path, [file.type, toTags(file)]])),
    livePages: livePaths,
    narrowedPages: narrowedPaths,
    formPages: served.filter(({ method, path }) => method === 'POST' && isPage(path)).map(({ path }) => path),
    originPaths: [
      '/api',
      '/api/',
      ...livePrefixes,
      ...new Set(
        served
          .filter(({ path }) => !path.startsWith('/api/') && !isPage(path))
          .map(({ path }) => path.replace(/\{.*$/, '')),
      ),
    ],
  };
}
