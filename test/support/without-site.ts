import type { RequestHandler } from 'express';
import { noPages } from '#almanac/pages.ts';
import { Problem } from '#api/contract/problem.ts';
import type { LiveCache } from '#api/live/cache.ts';
import type { Site } from '#api/site.ts';
import { testPlaybook } from './playbook.ts';

const passOn: RequestHandler = (_request, _response, next) => next();

const emptyCache: LiveCache = {
  list: () => undefined,
  serveList: passOn,
  waitUntilVisible: async () => undefined,
  behindSeconds: () => 0,
  stop: () => undefined,
};

/** A site without pages, for tests of the API. What a live page would show is its HTML, as JSON. */
export const withoutSite: Site = {
  files: { pages: new Map(), files: new Map() },
  staticSite: {
    pages: { read: async () => null, paths: () => [] },
    ready: () => undefined,
    serve: passOn,
    notFound: () => {
      throw new Problem('not-found', 'There is no page in this test.');
    },
    replace: async () => undefined,
    whenRead: () => undefined,
    sendPage: async (_request, response, page, { status = 200 }) => {
      response.status(status).type('html').send(page.html);
    },
  },
  render: async (path, locals) => {
    const json = JSON.stringify({ path, locals });
    return { html: json, markdown: json, json };
  },
  guestbook: emptyCache,
  directory: emptyCache,
  playbook: testPlaybook,
  passages: noPages,
  build: null,
  release: () => false,
  close: async () => undefined,
};
