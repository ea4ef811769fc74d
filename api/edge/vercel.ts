import { createEdgeFront } from './front.ts';
import type { EdgeManifest } from './manifest.ts';

/** Where the built files are: beside the function, which runs for every other address. */
export const vercelFiles = '/_files/';

/** The edge function for Vercel. */
export function toVercelFunction(manifest: EdgeManifest, env: Record<string, string | undefined>) {
  const front = createEdgeFront(manifest);
  return (request: Request): Promise<Response> => {
    const origin = env['ORIGIN'] || manifest.origin;
    return front(request, {
      readFile: (file) => fetch(new URL(`${vercelFiles}${file}`, request.url)),
      acceptEncoding: null,
      // Vercel overwrites this header.
      origin: origin
        ? { url: origin, secret: env['EDGE_SECRET'] || null, clientAddress: request.headers.get('x-real-ip') }
        : null,
    });
  };
}
