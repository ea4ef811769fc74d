import { ResourceNotFoundError } from '@modelcontextprotocol/server';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import type { Pages } from '../contract/pages.ts';

const mimeType = 'text/markdown';

/** The address of a page's markdown, which is its name as a resource. */
const uriOf = (baseUrl: string, path: string): string => `${baseUrl}${path === '/' ? '/index' : path}.md`;

const templates: readonly { path: string; name: string; title: string; description: string; ids: readonly string[] }[] =
  [
    {
      path: '/techniques',
      name: 'technique',
      title: 'A technique',
      description: 'How a technique works and how to do it.',
      ids: techniqueIds,
    },
    ...datasets.map(({ path, title, records }) => ({
      path: `/${path}`,
      name: `${path}-record`,
      title: `${title}: a record`,
      description: `One record of ${title}.`,
      ids: records.map(({ id }) => id),
    })),
  ];

/** The main pages as resources; those of techniques and records are found by their templates. */
export async function listResources(pages: Pages, baseUrl: string) {
  const below = /^\/(?:problems|techniques|crawlers|protocols|models|glossary|state)\//;
  const paths = pages.paths().filter((path) => !below.test(path) && path !== '/404');
  const listed = await Promise.all(paths.map((path) => pages.read(path)));
  return {
    resources: listed
      .flatMap((page) => page ?? [])
      .map(({ path, title, description, markdown }) => ({
        uri: uriOf(baseUrl, path),
        name: path === '/' ? 'home' : path.slice(1),
        title,
        description,
        mimeType,
        size: Buffer.byteLength(markdown),
      })),
  };
}

export const listTemplates = (baseUrl: string) => ({
  resourceTemplates: templates.map(({ path, name, title, description }) => ({
    uriTemplate: `${baseUrl}${path}/{id}.md`,
    name,
    title,
    description,
    mimeType,
  })),
});

/** The markdown of a page by its address. Throws ResourceNotFoundError. */
export async function readResource(pages: Pages, baseUrl: string, uri: string) {
  const stem = uri.startsWith(`${baseUrl}/`) ? uri.slice(baseUrl.length).replace(/\.md$/, '') : null;
  const page = stem === null ? null : await pages.read(stem === '/index' ? '/' : stem);
  if (page === null) {
    throw new ResourceNotFoundError(uri.slice(0, 300));
  }
  return { contents: [{ uri, mimeType, text: page.markdown }] };
}

/** Ids that complete the variable of a template, at most 100. */
export function completeResource(baseUrl: string, uriTemplate: string, value: string): string[] {
  const template = templates.find(({ path }) => `${baseUrl}${path}/{id}.md` === uriTemplate);
  const wanted = value.toLowerCase();
  const ids = template?.ids ?? [];
  return [...ids.filter((id) => id.startsWith(wanted)), ...ids.filter((id) => id.indexOf(wanted) > 0)].slice(0, 100);
}
