import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { test } from 'node:test';
import { signAt } from '../support/guestbook-client.ts';
import { headers, startWatched } from './watched.ts';

test('metrics name routes, never who asked for what; the public port has none of it', async () => {
  const { service, look } = await startWatched();
  const { body } = await signAt(service.origin, { name: 'Ada', message: 'Counted.' });
  await fetch(`${service.origin}/api/guestbook/${body.id}`, {
    headers: { ...headers, 'user-agent': 'secret-agent/1.0' },
  });
  await fetch(`${service.origin}/api/nothing/secret-path`, { headers });
  const { status, type, text } = await look('/metrics');
  assert.equal(status, 200);
  assert.match(String(type), /^text\/plain/);
  const sampleOf = (name: string, ...labels: string[]): string | undefined =>
    text
      .split('\n')
      .find((line) => line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
      ?.split('} ')[1];
  const requests = 'porchlight_http_request_duration_seconds_count';
  assert.equal(sampleOf(requests, 'route="/api/guestbook/:id"', 'method="GET"', 'status="200"'), '1');
  assert.equal(sampleOf(requests, 'route="none"', 'status="404"'), '1');
  assert.equal(sampleOf('porchlight_store_entries', 'store="guestbook"'), '1');
  assert.match(text, /nodejs_eventloop_lag_seconds/);
  for (const secret of [body.id, 'secret', '127.0.0.1:', 'Ada']) {
    assert.ok(!text.replace(/base_url="[^"]*"/, '').includes(secret), secret);
  }
  for (const path of ['/metrics', '/livez', '/readyz']) {
    assert.equal((await fetch(`${service.origin}${path}`, { headers })).status, 404, path);
  }
  assert.deepEqual([(await look('/livez')).status, (await look('/elsewhere')).status], [200, 404]);
});

test('it is not ready when nothing can be written', async () => {
  const { service, look } = await startWatched();
  const { dataDir } = service.config;
  await rename(dataDir, `${dataDir}-away`);
  try {
    const refused = await look('/readyz');
    assert.equal(refused.status, 503);
    assert.match(refused.text, /nothing can be written to the data folder \(ENOENT\)/);
  } finally {
    await rename(`${dataDir}-away`, dataDir);
  }
});
