import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'light-my-request';
import { createRememberingTree, type Representations, toRepresentations } from '../render/representations.ts';

/** The request handler that the site's server build exports (@astrojs/node in middleware mode). */
type AstroHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next: (error?: unknown) => void,
  locals: object,
) => void | Promise<void>;

/** Renders a live page from the data it shows. */
export type RenderLive = (path: string, locals: object) => Promise<Representations>;

/**
 * Opens the server build of the site. Pages are rendered by the same components as at build time, called in memory;
 * their twins are made by the same function.
 */
export async function openLiveRenderer(distDir: string): Promise<RenderLive> {
  const entry = pathToFileURL(join(distDir, 'server', 'entry.mjs')).href;
  const { handler } = (await import(entry)) as { handler: AstroHandler };
  const toTree = createRememberingTree();
  return async (path, locals) => {
    const response = await inject(
      (request, result) => {
        const missing = (error?: unknown): void => {
          result.statusCode = error === undefined ? 404 : 500;
          result.end();
        };
        void handler(request as unknown as IncomingMessage, result as unknown as ServerResponse, missing, locals);
      },
      { method: 'GET', url: path, headers: { host: 'localhost' } },
    );
    if (response.statusCode !== 200) {
      throw new Error(`the live page ${path} could not be rendered: status ${response.statusCode}`);
    }
    return toRepresentations(response.payload, toTree);
  };
}
