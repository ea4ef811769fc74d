import assert from 'node:assert/strict';
import { test } from 'node:test';
import { comparable } from '../http/compare-fronts.ts';
import { check, type Row, rows } from '../http/contract-table.ts';
import { startBuiltService } from '../support/built-service.ts';
import { startWorker, writeWorkerFolder } from '../support/edge-worker.ts';
import { exchange, type RawResponse } from '../support/raw-http.ts';

/*
 * The table that every front keeps, on the worker for Cloudflare in workerd, with a service behind it.
 */

const secret = 'the-worker-and-the-service-share-it';
const origin = (await startBuiltService({ environment: { EDGE_SECRET: secret } })).origin;
const edge = await startWorker(await writeWorkerFolder(), { origin, secret });

/** Requests that the host itself reads and refuses, or makes longer lines of than others: a worker never sees them. */
const beforeTheWorker = new Set([
  'CONNECT is no method of a site',
  'an unknown method',
  'a URL of 100 KB',
  'a header of 100 KB',
  'headers of 100 KB in all',
  '9,000 headers',
  'the target *',
]);

const isForWorker = ({ name, request }: Row): boolean => request.bytes === undefined && !beforeTheWorker.has(name);

const withHeader = ({ request }: Row, ...header: [string, string]): Row['request'] => ({
  ...request,
  headers: [...(request.headers ?? []), header],
});

/** Each row is a client of its own. */
async function send(row: Row, at: string): Promise<RawResponse> {
  const client = `2001:db8:0:${rows.indexOf(row).toString(16)}::1`;
  const request = withHeader(row, 'CF-Connecting-IP', client);
  const condition = row.ifNoneMatch ?? row.ifMatch;
  if (condition === undefined) {
    return exchange(at, request);
  }
  const etag = (await exchange(at, request)).header('etag') ?? '"none"';
  return exchange(at, withHeader({ ...row, request }, row.ifNoneMatch ? 'If-None-Match' : 'If-Match', condition(etag)));
}

/** A body without the id of its request, which errors repeat. */
const bodyOf = (response: RawResponse): string =>
  response.body.toString('latin1').replaceAll(response.header('x-request-id') ?? '-', 'ID');

test('nearly every row is for the worker', () => {
  assert.deepEqual(
    [...beforeTheWorker].filter((name) => !rows.some((row) => row.name === name)),
    [],
  );
  assert.ok(rows.filter(isForWorker).length >= 240);
});

for (const row of rows.filter(isForWorker)) {
  test(row.name, async () => {
    const response = await send(row, edge);
    check(response, row.differs?.edge ?? row.expected, row.request.method);
    // What a runtime doesn't send on is refused in the worker, without a look at what the address allows.
    if (row.differs?.edge === undefined && row.request.method !== 'TRACE') {
      const direct = await send(row, origin);
      assert.deepEqual(comparable(response), comparable(direct), 'the same headers as from the service');
      assert.equal(bodyOf(response), bodyOf(direct), 'the same body');
    }
  });
}
