import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createKeyDirectories } from '#api/identity/signatures/key-directory.ts';
import { newClient } from './hand-signed.ts';

const client = newClient();
const other = newClient();
const toJwk = ({ x }: { x: string }) => ({ kty: 'OKP', crv: 'Ed25519', x });
const now = 1_795_222_800;
const origin = 'https://agent.example';

/** Directories whose answers are given one after the other; the last one stays. */
function scripted(answers: (() => Promise<unknown>)[], options: { maxDirectories?: number } = {}) {
  const asked: string[] = [];
  const directories = createKeyDirectories({
    ...options,
    fetchDirectory: (url) => {
      asked.push(url.href);
      const answer = answers[Math.min(asked.length, answers.length) - 1];
      assert.ok(answer);
      return answer();
    },
  });
  return { asked, directories };
}

const holding =
  (...clients: { x: string }[]) =>
  () =>
    Promise.resolve({ keys: clients.map(toJwk) });
const down = () => Promise.reject(new Error('connect ECONNREFUSED'));

test('a directory is asked once an hour', async () => {
  const { asked, directories } = scripted([holding(client)]);
  for (const seconds of [0, 1, 3600]) {
    const key = await directories.find(origin, client.thumbprint, now + seconds);
    assert.ok(key.equals(client.publicKey));
  }
  assert.deepEqual(asked, ['https://agent.example/.well-known/http-message-signatures-directory']);
  await directories.find(origin, client.thumbprint, now + 3601);
  assert.equal(asked.length, 2);
});

test('a new key is found at once after a minute, and a missing key does not make more fetches', async () => {
  const { asked, directories } = scripted([holding(other), holding(other, client)]);
  await directories.find(origin, other.thumbprint, now);
  await assert.rejects(directories.find(origin, client.thumbprint, now + 59), { reason: 'key-not-in-directory' });
  assert.equal(asked.length, 1);
  await directories.find(origin, client.thumbprint, now + 60);
  assert.equal(asked.length, 2);
});

test('a key that a later answer leaves out has been withdrawn', async () => {
  const { directories } = scripted([holding(client), holding(other)]);
  await directories.find(origin, client.thumbprint, now);
  await assert.rejects(directories.find(origin, client.thumbprint, now + 3601), { reason: 'key-not-in-directory' });
});

test('a directory that stops answering keeps its keys for a day', async () => {
  const { directories } = scripted([holding(client), down]);
  for (const seconds of [0, 4000, 50_000, 86_400]) {
    await directories.find(origin, client.thumbprint, now + seconds);
  }
  await assert.rejects(directories.find(origin, client.thumbprint, now + 86_500), { reason: 'directory-unavailable' });
});

test('a directory that is down is asked again after a minute', async () => {
  const { asked, directories } = scripted([down, holding(client)]);
  for (const seconds of [0, 30, 59]) {
    await assert.rejects(directories.find(origin, client.thumbprint, now + seconds), {
      reason: 'directory-unavailable',
      message: /ECONNREFUSED/,
    });
  }
  assert.equal(asked.length, 1);
  await directories.find(origin, client.thumbprint, now + 60);
});

test('a key of one directory does not speak for another', async () => {
  const { directories } = scripted([holding(client), holding(other)]);
  await directories.find(origin, client.thumbprint, now);
  await assert.rejects(directories.find('https://other.example', client.thumbprint, now), {
    reason: 'key-not-in-directory',
  });
});

test('callers at the same time share one fetch', async () => {
  const { asked, directories } = scripted([holding(client)]);
  await Promise.all(Array.from({ length: 20 }, () => directories.find(origin, client.thumbprint, now)));
  assert.equal(asked.length, 1);
});

test('a fifth directory at once is not fetched', async () => {
  const held = Promise.withResolvers<unknown>();
  const { directories } = scripted([() => held.promise]);
  const under = [1, 2, 3, 4].map((number) => directories.find(`https://${number}.example`, client.thumbprint, now));
  await assert.rejects(directories.find('https://5.example', client.thumbprint, now), { reason: 'directory-busy' });
  held.resolve({ keys: [toJwk(client)] });
  await Promise.all(under);
  await directories.find('https://5.example', client.thumbprint, now);
});

test('the cache of directories is bounded', async () => {
  const { asked, directories } = scripted([holding(client)], { maxDirectories: 2 });
  for (const name of ['a', 'b', 'c', 'a']) {
    await directories.find(`https://${name}.example`, client.thumbprint, now);
  }
  assert.equal(asked.length, 4);
});
