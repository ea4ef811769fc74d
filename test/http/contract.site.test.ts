import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { exchange, type RawResponse } from '../support/raw-http.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';
import { comparable } from './compare-fronts.ts';
import { check, type Front, type Row, rows } from './contract-table.ts';

type ServedFront = Exclude<Front, 'edge'>;

const origins: Record<ServedFront, string> = { sidecar: siteUrl, nginx: nginxUrl };

/** Each row is a client of its own, so that the table does not use up one allowance. */
function asClient({ request }: Row, front: ServedFront): Row['request'] {
  const number = rows.findIndex((row) => row.request === request);
  if (front === 'nginx') {
    return { ...request, localAddress: `127.1.${Math.floor(number / 200)}.${(number % 200) + 1}` };
  }
  return request.method === 'POST'
    ? { ...request, headers: [...(request.headers ?? []), ['X-Forwarded-For', `2001:db8:0:${number.toString(16)}::1`]] }
    : request;
}

async function send(front: ServedFront, row: Row): Promise<RawResponse> {
  const condition = row.ifNoneMatch ?? row.ifMatch;
  if (condition === undefined) {
    return exchange(origins[front], asClient(row, front));
  }
  const etag = (await exchange(origins[front], row.request)).header('etag') ?? '"none"';
  const name = row.ifNoneMatch ? 'If-None-Match' : 'If-Match';
  return exchange(origins[front], {
    ...row.request,
    headers: [...(row.request.headers ?? []), [name, condition(etag)]],
  });
}

test('the table is worth its name', () => {
  assert.ok(rows.length >= 80, `${rows.length} rows`);
  assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length, 'each row has a name of its own');
});

for (const row of rows) {
  test(row.name, async () => {
    const responses: Partial<Record<ServedFront, RawResponse>> = {};
    for (const front of ['sidecar', 'nginx'] as const) {
      const response = await send(front, row);
      responses[front] = response;
      try {
        check(response, row.differs?.[front] ?? row.expected, row.request.method);
      } catch (error) {
        throw new Error(`${front}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
      }
    }
    const { sidecar, nginx } = responses;
    if (row.differs !== undefined || sidecar === undefined || nginx === undefined) {
      return;
    }
    // A request that Node's parser refuses is answered with few headers.
    const unparsed = sidecar.header('x-request-id') === undefined;
    const ownBody = row.expected.status >= 300 && row.expected.file === undefined && row.expected.status !== 304;
    if (!unparsed) {
      assert.deepEqual(comparable(nginx, ownBody), comparable(sidecar, ownBody), 'the fronts send the same headers');
    }
    if (!ownBody) {
      assert.ok(nginx.body.equals(sidecar.body), 'the fronts send the same body');
    }
  });
}

test('each representation in each coding has an ETag of its own', async () => {
  const tags = new Set<string>();
  for (const accept of ['text/html', 'text/markdown', 'application/json']) {
    for (const coding of ['identity', 'gzip', 'br']) {
      const headers: [string, string][] = [
        ['Accept', accept],
        ['Accept-Encoding', coding],
      ];
      tags.add(String((await exchange(siteUrl, { target: '/about', headers })).header('etag')));
    }
  }
  assert.equal(tags.size, 9);
});

/** Every header but those that each answer has for itself, and the body, unless it's a problem: that names its request. */
const toWhole = ({ status, lines, body }: RawResponse) => ({
  status,
  headers: lines
    .filter(([name]) => !/^(?:date|x-request-id|ratelimit)$/.test(name) && !(status >= 400 && name === 'etag'))
    .map((line) => line.join(': '))
    .sort(),
  body: status < 400 ? body.toString('base64') : null,
});

describe('the application gives a read the answer that it got before', () => {
  const reads = rows.filter(
    ({ request: { method = 'GET', bytes, body, headers } }) =>
      /^(?:GET|HEAD)$/.test(method) && !bytes && !body && !headers?.some(([name]) => name === 'Content-Length'),
  );
  for (const row of reads) {
    it(row.name, async () => {
      // A length is left to the application, and nothing is asked for by it.
      const headers = [...(row.request.headers ?? []), ['Content-Length', '0'] as const];
      const byApplication = await send('sidecar', { ...row, request: { ...row.request, headers } });
      assert.deepEqual(toWhole(await send('sidecar', row)), toWhole(byApplication));
    });
  }
});
