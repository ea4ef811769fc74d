import type { RequestHandler, Router } from 'express';
import { type Tool, toAnswer } from '../contract/tool.ts';
import { liveCacheControl } from '../http/headers.ts';
import { jsonBody } from '../http/json-body.ts';
import { createRouter, toRoutePath } from '../http/router.ts';
import { send, toLiveBody } from '../http/static-site.ts';
import { readInput, toToolRequest } from '../http/tool-request.ts';
import type { SignatureVerifier } from '../identity/signatures/signature-verifier.ts';

/** Answers a call over HTTP: with JSON, or with another form of the answer if Accept prefers it. */
const answerCall =
  <Context extends { signatures: SignatureVerifier }>(tool: Tool<Context>, context: Context): RequestHandler =>
  async (request, response) => {
    const result = await tool.run(readInput(tool, request), context, toToolRequest(request, context));
    const { output, status, headers, forms, type: asked } = toAnswer(result);
    response.setHeader('Cache-Control', 'no-store');
    response.status(status).set(headers);
    const others = Object.keys(forms);
    if (others.length > 0) {
      response.vary('Accept');
    }
    const first = tool.firstType ?? 'application/json';
    const type = asked ?? (request.accepts(...new Set([first, 'application/json', ...others])) || first);
    const form = forms[type] ?? JSON.stringify(output);
    const content = typeof form === 'string' ? form : form();
    if (tool.hasEntityTag === 'always') {
      const headers = {
        'Content-Type': typeof content === 'string' ? `${type}; charset=utf-8` : type,
        'Cache-Control': liveCacheControl,
        Vary: [...(others.length > 0 ? ['Accept'] : []), 'Accept-Encoding'].join(', '),
      };
      await send(request, response, toLiveBody(content, headers));
    } else {
      response.type(type).send(typeof content === 'string' ? content : Buffer.from(content));
    }
  };

/** The HTTP twin of each tool, as one router. `limitWrites` counts what changes something, before the work is done. */
export function toolRoutes<Context extends { signatures: SignatureVerifier }>(
  tools: readonly Tool<Context>[],
  context: Context,
  limitWrites: RequestHandler,
): Router {
  const router = createRouter();
  for (const tool of tools.filter((candidate) => candidate.routeOf === undefined)) {
    const route = router.route(toRoutePath(tool.path));
    const handlers = [
      ...(tool.limit === 'read' ? [] : [limitWrites]),
      ...(tool.method === 'POST' ? jsonBody : []),
      answerCall(tool, context),
    ];
    if (tool.method === 'GET') {
      route.get(...handlers);
    } else if (tool.method === 'DELETE') {
      route.delete(...handlers);
    } else {
      route.post(...handlers);
    }
  }
  return router;
}
