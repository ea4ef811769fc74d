import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createReplayCache } from '#api/identity/signatures/replay-cache.ts';
import { createSignatureVerifier } from '#api/identity/signatures/signature-verifier.ts';

/** A server on a free port of loopback that answers each request with the report on its signature, as JSON. */
export async function startSignedServer() {
  let baseUrl = '';
  let verifier: ReturnType<typeof createSignatureVerifier>;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const report = await verifier.verifyRequest({
        method: String(request.method),
        targetUri: String(request.url),
        rawHeaders: request.rawHeaders,
        body: Buffer.concat(chunks),
      });
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(report));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  verifier = createSignatureVerifier({
    now: () => new Date(),
    baseUrl,
    trustedKeys: () => [],
    replay: createReplayCache(),
  });
  return {
    baseUrl,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
