import { createEdgeFront } from './front.ts';
import type { EdgeManifest } from './manifest.ts';

/** What Netlify gives an edge function besides the request. */
interface Context {
  /** Address of the client. */
  ip: string;
}

/** Netlify's own object in its edge runtime. */
interface NetlifyRuntime {
  env: { get(name: string): string | undefined };
}

/** Where the built files are: beside the edge function, which runs for every other address. */
export const netlifyFiles = '/_files/';

/** The edge function for Netlify. */
export function toNetlifyFunction(manifest: EdgeManifest) {
  const front = createEdgeFront(manifest);
  const { env } = (globalThis as unknown as { Netlify: NetlifyRuntime }).Netlify;
  return (request: Request, context: Context): Promise<Response> => {
    const origin = env.get('ORIGIN') || manifest.origin;
    return front(request, {
      readFile: (file) => fetch(new URL(`${netlifyFiles}${file}`, request.url)),
      acceptEncoding: null,
      origin: origin ? { url: origin, secret: env.get('EDGE_SECRET') || null, clientAddress: context.ip } : null,
    });
  };
}
