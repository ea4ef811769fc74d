import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { readConfig } from '#api/config.ts';
import { longestScript, writeEdgeFolder } from '../../scripts/support/build/edge/folder.ts';
import { type HostName, hosts } from '../../scripts/support/build/edge/hosts.ts';
import { comparable } from '../http/compare-fronts.ts';
import { check, rows } from '../http/contract-table.ts';
import { startBuiltService } from '../support/built-service.ts';
import { exchange } from '../support/raw-http.ts';

/*
 * The functions for Netlify and Vercel, called as these hosts call them: the files beside the function at /_files/, the request
 * as a Request, the address of the client in the context or in a header. The hosts code what they send themselves, so nothing
 * is coded here.
 */

type EdgeFunction = (request: Request, context: { ip: string }) => Promise<Response>;

const secret = 'the-worker-and-the-service-share-it';
const client = '203.0.113.9';
const { origin } = await startBuiltService({ environment: { EDGE_SECRET: secret } });
const folder = await mkdtemp(join(tmpdir(), 'porchlight-functions-'));
after(() => rm(folder, { recursive: true, force: true }));
Object.assign(process.env, { EDGE_SECRET: secret, ORIGIN: origin });
Object.assign(globalThis, { Netlify: { env: { get: (name: string) => process.env[name] } } });

const toRequest = (request: IncomingMessage, at: string): Request => {
  const headers = Object.entries(request.headersDistinct).flatMap(([name, values]) =>
    (values ?? []).map((value): [string, string] => [name, value]),
  );
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  return new Request(`${at}${request.url}`, {
    ...{ method: request.method ?? 'GET', headers: [...headers, ['x-real-ip', client] as [string, string]] },
    ...(isRead ? {} : { body: Readable.toWeb(request) as globalThis.ReadableStream, duplex: 'half' }),
  } as RequestInit);
};

/** A host in small: its files, and the function for everything else. Resolves with its origin. */
async function startHost(name: HostName): Promise<string> {
  await writeEdgeFolder(name, { ...readConfig(), origin: null }, join(folder, name));
  const { script, files } = hosts[name];
  const loaded = (await import(pathToFileURL(join(folder, name, script)).href)) as { default: EdgeFunction };
  let at = '';
  const server = createServer(async (request, response) => {
    const path = new URL(String(request.url), at).pathname;
    if (path.startsWith('/_files/')) {
      const file = join(folder, name, files, decodeURIComponent(path.slice('/_files/'.length)));
      response.writeHead(existsSync(file) ? 200 : 404);
      response.end(existsSync(file) ? readFileSync(file) : '');
      return;
    }
    const answer = await loaded.default(toRequest(request, at), { ip: client });
    response.writeHead(answer.status, [...answer.headers].flat());
    if (answer.body === null) {
      response.end();
    } else {
      Readable.fromWeb(answer.body as ReadableStream).pipe(response);
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  at = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return at;
}

// What needs no coding, no condition, and no parser of its own: the worker's own test has these.
const plainRows = rows.filter(
  ({ request, expected, ifMatch, ifNoneMatch }) =>
    request.bytes === undefined &&
    !expected.coding &&
    !ifMatch &&
    !ifNoneMatch &&
    expected.status !== 431 &&
    !/^(?:CONNECT|TRACE|GREET)$/.test(request.method ?? '') &&
    request.target !== '*' &&
    String(request.target).length < 10_000,
);

const edges = { netlify: await startHost('netlify'), vercel: await startHost('vercel') };

for (const [name, edge] of Object.entries(edges) as [keyof typeof edges, string][]) {
  describe(name, () => {
    it('has a script that is short enough', () => {
      assert.ok(gzipSync(readFileSync(join(folder, name, hosts[name].script))).length < longestScript);
    });

    it(`sends what the service sends: ${plainRows.length} rows of the contract`, async () => {
      assert.ok(plainRows.length > 150);
      const failures: string[] = [];
      for (const row of plainRows) {
        const plain = (row.request.headers ?? []).filter(([header]) => header !== 'Accept-Encoding');
        const request = { ...row.request, headers: plain };
        try {
          const response = await exchange(edge, request);
          check(response, row.differs?.edge ?? row.expected, request.method);
          if (row.differs?.edge === undefined && row.expected.file !== undefined) {
            const direct = await exchange(origin, request);
            assert.deepEqual(comparable(response), comparable(direct));
            assert.ok(response.body.equals(direct.body));
          }
        } catch (error) {
          failures.push(`${row.name}: ${error instanceof Error ? error.message : error}`);
        }
      }
      assert.deepEqual(failures, []);
    });

    it('names the client to the service', async () => {
      let named: string | string[] | undefined;
      const server = createServer((request, response) => {
        named = request.headers['x-edge-client'];
        response.end('{}');
      }).listen(0, '127.0.0.1');
      await once(server, 'listening');
      process.env['ORIGIN'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const headers: [string, string][] = [['X-Edge-Client', 'guessed 192.0.2.1']];
      const response = await exchange(edge, { target: '/api/techniques', headers });
      process.env['ORIGIN'] = origin;
      server.close();
      assert.deepEqual([response.status, named], [200, `${secret} ${client}`]);
    });
  });
}
