import assert from 'node:assert/strict';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { after, test } from 'node:test';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import { livePaths } from '#api/catalog/live-pages.ts';
import { readSiteFiles, twinAddresses } from '#api/http/site-files.ts';
import { startBuiltService } from '../support/built-service.ts';
import { startWorker, writeWorkerFolder } from '../support/edge-worker.ts';
import { clientDir } from '../support/site-under-test.ts';

/*
 * Every address of the built site, in each type and each coding: the worker in workerd sends what the service sends, byte by
 * byte and header by header.
 */

const { origin } = await startBuiltService();
const edge = await startWorker(await writeWorkerFolder(), { origin });
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
after(() => agent.destroy());

const site = readSiteFiles(clientDir, declaredTypes);

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Headers of the connection and of one request. */
const ownHeaders = ['date', 'connection', 'keep-alive', 'transfer-encoding', 'x-request-id'];

const get = (url: string, headers: Record<string, string>): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const shown = { ...response.headers };
        for (const name of ownHeaders) {
          delete shown[name];
        }
        resolve({ status: response.statusCode ?? 0, headers: shown, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject);
    sent.end();
  });

/** Asks both fronts for each of the addresses, with each set of headers. Resolves with what was asked and differs. */
async function differences(
  addresses: readonly string[],
  headers: readonly Record<string, string>[],
): Promise<{ asked: number; differing: string[] }> {
  const queue = addresses.flatMap((address) => headers.map((each) => ({ address, headers: each })));
  const asked = queue.length;
  const differing: string[] = [];
  const work = async (): Promise<void> => {
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const { address, headers: sent } = next;
      const [ours, theirs] = await Promise.all([get(`${edge}${address}`, sent), get(`${origin}${address}`, sent)]);
      try {
        assert.equal(ours.status, 200);
        assert.deepEqual(ours.headers, theirs.headers);
        assert.ok(ours.body.equals(theirs.body), 'the bodies differ');
      } catch (error) {
        differing.push(`${address} ${JSON.stringify(sent)}: ${error instanceof Error ? error.message : error}`);
      }
    }
  };
  await Promise.all(Array.from({ length: 6 }, work));
  return { asked, differing: differing.slice(0, 5) };
}

const codings: Record<string, string>[] = [{}, { 'Accept-Encoding': 'gzip' }, { 'Accept-Encoding': 'br' }];
const types = ['text/html', 'text/markdown', 'application/json'];

test('every page in every type and coding', async () => {
  const pages = [...site.pages.keys()].filter((path) => path !== '/404');
  assert.ok(pages.length > 1000);
  const { asked, differing } = await differences(
    pages,
    types.flatMap((type) => codings.map((coding) => ({ Accept: type, ...coding }))),
  );
  assert.equal(asked, pages.length * 9);
  assert.deepEqual(differing, []);
});

test('every twin at its own address', async () => {
  const twins = [...twinAddresses(site)].filter(([, { page }]) => page !== '/404').map(([address]) => address);
  assert.deepEqual((await differences(twins, [{}])).differing, []);
});

test('every file in every coding', async () => {
  assert.deepEqual((await differences([...site.files.keys()], codings)).differing, []);
});

test('live pages come from the service', async () => {
  for (const path of livePaths) {
    // A page that stands in for one isn't kept.
    assert.notEqual((await get(`${edge}${path}`, {})).headers['cache-control'], 'no-store');
  }
});
