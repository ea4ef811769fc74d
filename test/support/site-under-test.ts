import { globSync } from 'node:fs';
import { join } from 'node:path';
import { type PageOfKind, pagesByKind } from '../../scripts/support/page-kinds.ts';

const setting = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(`${name} is not set: run this file with \`npm test -- <file>\`, which builds and starts the site`);
  }
  return value;
};

/** Origin of the running service, without a trailing slash. */
export const siteUrl: string = setting('TEST_SITE_URL');

/** Origin of the nginx before it, without a trailing slash. */
export const nginxUrl: string = setting('TEST_NGINX_URL');

/** The folder of the built files that the service serves. */
export const clientDir: string = join(setting('DIST_DIR'), 'client');

/** Every built HTML file, relative to the client folder, sorted. */
export const builtHtml = (): string[] => globSync('**/*.html', { cwd: clientDir }).sort();

/** A page that stands for all of its kind, with the status that it answers. */
export interface PageType extends PageOfKind {
  status: number;
}

/** One page of each kind of the site map, and an address that leads nowhere. */
export const pageTypes: readonly PageType[] = [
  ...pagesByKind(clientDir).map((page) => ({ ...page, status: 200 })),
  { kind: 'not-found', path: '/there/is/no/such-page', status: 404 },
];

/** The kinds that between them show every layout and every part: the site tests look at these, the slow tests at all the others. */
const kindsOften = new Set([
  ...['home', 'technique', 'dataset', 'crawlers-record', 'audit', 'ask', 'guestbook', 'directory'],
  ...['api-reference', 'not-found'],
]);

/** Pages that between them show every layout: what sweeps over kinds takes these in the site set. */
export const layoutPages: readonly PageType[] = pageTypes.filter(({ kind }) => kindsOften.has(kind));

/** The pages of all other kinds, for the same sweeps in the slow set. */
export const otherPages: readonly PageType[] = pageTypes.filter(({ kind }) => !kindsOften.has(kind));

/** The built HTML files of a page of each kind, relative to the client folder: what reads built pages takes these in the site set. */
export const htmlOfKinds: readonly string[] = pageTypes
  .filter(({ path }) => !path.includes('?'))
  .map(({ path, status }) => (status === 404 ? '404.html' : `${path === '/' ? 'index' : path.slice(1)}.html`));

/** All other built HTML files, for the same in the slow set. */
export const otherHtml = (): string[] => builtHtml().filter((file) => !htmlOfKinds.includes(file));
