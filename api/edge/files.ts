import { meantAddress } from '../http/address.ts';
import { cacheControl, fileLinks, pageHeaders, pageTypes, pageVary } from '../http/headers.ts';
import { negotiateMissing, negotiateRepresentation, type Representation } from '../http/negotiate.ts';
import { methodNotAllowed, notAcceptable, nothingThere } from '../http/site-problems.ts';
import { type Exchange, header, isRead, lengthOf, type StoredBody, sendBody, tagsOf } from './answers.ts';
import type { EdgeManifest } from './manifest.ts';

const endings: Record<Representation, string> = { html: 'html', markdown: 'md', json: 'json' };

const stemOf = (path: string): string => (path === '/' ? 'index' : path.slice(1));

/** The built files, as the worker serves them. */
export interface EdgeFiles {
  /** The page that an address is of: its own, or that of a twin; undefined where there is none. */
  pageOf(path: string): string | undefined;
  /** The representation of a page that a request gets; undefined for what is no page. */
  representationFor(exchange: Exchange): Representation | 'none' | undefined;
  /** Answers from the files. `cache` is how long a page may be kept. Throws a Problem. */
  serve(exchange: Exchange, cache?: string): Promise<Response>;
}

export function openEdgeFiles(manifest: EdgeManifest): EdgeFiles {
  const { baseUrl, pages, files } = manifest;
  const links = fileLinks(baseUrl);
  const twins = new Map<string, { page: string; representation: Representation }>();
  for (const page of Object.keys(pages)) {
    for (const representation of ['markdown', 'json'] as const) {
      twins.set(`/${stemOf(page)}.${endings[representation]}`, { page, representation });
    }
  }
  const pageAt = (path: string) => (Object.hasOwn(pages, path) ? pages[path] : undefined);
  const pageOf = (path: string) => (pageAt(path) === undefined ? twins.get(path)?.page : path);
  const representationFor = (exchange: Exchange) =>
    pageOf(exchange.path) === undefined
      ? undefined
      : (twins.get(exchange.path)?.representation ?? negotiateRepresentation(header(exchange, 'accept')));

  const toPage = (page: string, representation: Representation, cache = cacheControl(page)): StoredBody => {
    const tags = pageAt(page) ?? manifest.missing;
    const lengths = { html: lengthOf(tagsOf(tags.html).identity), markdown: lengthOf(tagsOf(tags.markdown).identity) };
    return {
      file: `${stemOf(page)}.${endings[representation]}`,
      tags: tags[representation],
      headers: {
        'Content-Type': pageTypes[representation],
        ...pageHeaders(baseUrl, page, representation, lengths),
        Vary: pageVary,
        'Cache-Control': cache,
      },
    };
  };

  const toMissing = (exchange: Exchange): Promise<Response> => {
    const representation = negotiateMissing(exchange.path, header(exchange, 'accept'));
    if (representation === 'json') {
      throw nothingThere();
    }
    const { headers, ...body } = toPage('/404', representation, 'no-store');
    delete headers['Link'];
    return sendBody(exchange, { ...body, headers, status: 404 });
  };

  const toFile = (path: string): StoredBody | null => {
    const [type, tags] = (Object.hasOwn(files, path) ? files[path] : undefined) ?? [];
    if (type === undefined || tags === undefined) {
      return null;
    }
    const link = links[path];
    return {
      file: path.slice(1),
      tags,
      headers: {
        'Content-Type': type,
        ...(/,./.test(tags) ? { Vary: 'Accept-Encoding' } : {}),
        ...(link === undefined ? {} : { Link: link }),
        'Cache-Control': cacheControl(path),
      },
    };
  };

  const serve = async (exchange: Exchange, cache?: string): Promise<Response> => {
    const { request, path, url } = exchange;
    const file = toFile(path);
    const page = pageOf(path);
    if (page === undefined && file === null) {
      const meant = meantAddress(path, {
        isPage: (bare) => pageAt(bare) !== undefined,
        isThere: (lower) => pageOf(lower) !== undefined || toFile(lower) !== null,
      });
      if (meant === null) {
        return toMissing(exchange);
      }
      const headers = { ...exchange.common, 'Cache-Control': cacheControl(meant), Location: `${meant}${url.search}` };
      return new Response(null, { status: 308, headers });
    }
    if (!isRead(request)) {
      throw methodNotAllowed(url.pathname);
    }
    if (page === undefined) {
      return sendBody(exchange, file ?? toPage('/404', 'html'));
    }
    const representation = representationFor(exchange);
    if (representation === undefined || representation === 'none') {
      throw notAcceptable();
    }
    return sendBody(exchange, toPage(page, representation, cache));
  };

  return { pageOf, representationFor, serve };
}
