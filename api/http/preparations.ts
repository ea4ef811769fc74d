import type { RequestHandler } from 'express';
import { decodedPath } from './address.ts';

/** Brings a page up to date before it's read; undefined when it is. */
export type Prepare = () => Promise<void> | undefined;

/** What is done before pages are read. */
export interface Preparations {
  /** Calls back when one of these pages is about to be read, which waits for the promise that it gives. */
  whenRead(paths: readonly string[], prepare: Prepare): void;
  /** Undefined when a page can be read as it is. */
  prepare(path: string): Promise<unknown> | undefined;
  /** Serves the page that `pageOf` finds for the decoded path of a request once it's up to date. */
  before(serve: RequestHandler, pageOf: (path: string) => string): RequestHandler;
}

/** Builds a list of preparations, with nothing to do yet. */
export function createPreparations(): Preparations {
  const known = new Map<string, Prepare[]>();
  const prepare: Preparations['prepare'] = (path) => {
    const pending = known.get(path)?.flatMap((each) => each() ?? []) ?? [];
    return pending.length === 0 ? undefined : Promise.all(pending);
  };
  return {
    whenRead(paths, each) {
      for (const path of paths) {
        known.set(path, [...(known.get(path) ?? []), each]);
      }
    },
    prepare,
    before: (serve, pageOf) => (request, response, next) => {
      const pending = prepare(pageOf(decodedPath(request.path)));
      if (pending === undefined) {
        return serve(request, response, next);
      }
      return pending.then(() => serve(request, response, next)).catch(next);
    },
  };
}
