import { createEdgeFront } from './front.ts';
import type { EdgeManifest } from './manifest.ts';

/** What wrangler.jsonc binds to the worker. */
interface Bindings {
  ASSETS: { fetch(request: Request): Promise<Response> };
  ORIGIN?: string;
  EDGE_SECRET?: string;
}

/** What Cloudflare knows of a request: the Accept-Encoding that the client sent, before it was changed. */
type CloudflareRequest = Request & { cf?: { clientAcceptEncoding?: string } };

/** The worker for Cloudflare Workers with static assets. */
export function toCloudflareWorker(manifest: EdgeManifest) {
  const front = createEdgeFront(manifest);
  return {
    fetch(request: CloudflareRequest, bindings: Bindings): Promise<Response> {
      const origin = bindings.ORIGIN || manifest.origin;
      return front(request, {
        readFile: (file) => bindings.ASSETS.fetch(new Request(`https://assets.invalid/${file}`)),
        acceptEncoding: request.cf?.clientAcceptEncoding ?? request.headers.get('accept-encoding') ?? '',
        origin: origin
          ? {
              url: origin,
              secret: bindings.EDGE_SECRET || null,
              clientAddress: request.headers.get('cf-connecting-ip'),
            }
          : null,
      });
    },
  };
}
