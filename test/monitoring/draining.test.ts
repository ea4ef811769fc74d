import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signAt } from '../support/guestbook-client.ts';
import { startWatched } from './watched.ts';

test('it is ready while it can write, and says so before it stops', async () => {
  const { service, look } = await startWatched({ DRAIN_SECONDS: '1' });
  assert.deepEqual(await look('/readyz'), { status: 200, type: 'text/plain; charset=utf-8', text: 'ready\n' });
  const stopped = service.stop();
  const draining = await look('/readyz');
  assert.equal(draining.status, 503);
  assert.match(draining.text, /the service is stopping/);
  assert.equal((await signAt(service.origin, { name: 'Ada', message: 'Just in time.' })).status, 201);
  await stopped;
  await assert.rejects(look('/readyz'));
});
