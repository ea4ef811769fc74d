import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { StorageUnavailable } from '#api/stores/storage-unavailable.ts';
import { type Backend, createStore } from '#api/stores/store.ts';
import { add, words } from './words.ts';

/** A backend whose appends end when the test says so. */
function createSlowMedium() {
  const batches: { changes: string[]; end(error?: Error): void }[] = [];
  const arrived: (() => void)[] = [];
  const backend: Backend<string[], string> = {
    append: (changes) =>
      new Promise((resolve, reject) => {
        batches.push({ changes, end: (error) => (error === undefined ? resolve() : reject(error)) });
        arrived.shift()?.();
      }),
    isFull: () => false,
    compact: async () => {},
    close: async () => {},
  };
  const batch = async (number: number) => {
    while (batches.length <= number) {
      await new Promise<void>((resolve) => arrived.push(resolve));
    }
    const found = batches[number];
    assert.ok(found);
    return found;
  };
  return { backend, batches, batch };
}

describe('createStore', () => {
  test('changes that come in during a flush share the next one, and are not answered by the one under way', async () => {
    const { backend, batch, batches } = createSlowMedium();
    const store = createStore(words, { backend });
    const answered: string[] = [];
    const write = (word: string) => store.update(add(word)).then((result) => answered.push(result));
    const first = write('a');
    const firstBatch = await batch(0);
    const rest = [write('b'), write('c'), write('d')];
    assert.deepEqual(firstBatch.changes, ['a']);
    firstBatch.end();
    await first;
    const secondBatch = await batch(1);
    assert.deepEqual(answered, ['a']);
    assert.deepEqual(secondBatch.changes, ['b', 'c', 'd']);
    secondBatch.end();
    await Promise.all(rest);
    assert.deepEqual(answered, ['a', 'b', 'c', 'd']);
    assert.equal(batches.length, 2);
  });

  test('reads show what is durable, decisions see what is on its way', async () => {
    const { backend, batch } = createSlowMedium();
    const store = createStore(words, { backend });
    const first = store.update(add('a'));
    const seen: string[][] = [];
    const second = store.update((state) => {
      seen.push(state);
      return { change: null, result: 'none' };
    });
    assert.deepEqual([store.state, seen], [[], [['a']]]);
    (await batch(0)).end();
    assert.equal(await second, 'none');
    await first;
    assert.deepEqual(store.state, ['a']);
  });

  test('a decision for no change waits for the changes it saw, and is refused with them', async () => {
    const { backend, batch } = createSlowMedium();
    const store = createStore(words, { backend });
    const first = assert.rejects(store.update(add('a')), StorageUnavailable);
    const second = assert.rejects(
      store.update(() => ({ change: null, result: null })),
      StorageUnavailable,
    );
    (await batch(0)).end(new Error('no space'));
    await Promise.all([first, second]);
  });

  test('a failed flush takes back its changes and those decided on top of them; later ones succeed', async () => {
    const { backend, batch } = createSlowMedium();
    const store = createStore(words, { backend });
    const announced: string[][] = [];
    store.onChange(() => announced.push(store.state));
    const first = store.update(add('a'));
    (await batch(0)).end();
    await first;
    const refused = [assert.rejects(store.update(add('b')), /could not be stored \(no space\)/)];
    const secondBatch = await batch(1);
    refused.push(assert.rejects(store.update(add('c')), StorageUnavailable));
    secondBatch.end(new Error('no space'));
    await Promise.all(refused);
    assert.deepEqual(store.state, ['a']);
    const last = store.update(add('d'));
    (await batch(2)).end();
    await last;
    assert.deepEqual(store.state, ['a', 'd']);
    assert.deepEqual(announced, [['a'], ['a', 'd']]);
  });

  test('a decision that throws changes nothing and rejects', async () => {
    const store = createStore(words);
    await assert.rejects(
      store.update(() => {
        throw new RangeError('no');
      }),
      RangeError,
    );
    assert.deepEqual(store.state, []);
  });

  test('a listener that throws is reported and harms nobody; one that has ended is not called', async () => {
    const notices: string[] = [];
    const store = createStore(words, { warn: (sentence) => notices.push(sentence) });
    store.onChange(() => {
      throw new Error('broken page');
    });
    store.onChange(() => notices.push('called'))();
    await store.update(add('a'));
    assert.deepEqual(notices, ['A listener of a store threw: broken page']);
  });

  test('close waits for what is under way and refuses what comes later', async () => {
    const { backend, batch } = createSlowMedium();
    const store = createStore(words, { backend });
    const first = store.update(add('a'));
    const closed = store.close();
    await assert.rejects(store.update(add('b')), StorageUnavailable);
    (await batch(0)).end();
    await Promise.all([first, closed, store.close()]);
    assert.deepEqual(store.state, ['a']);
  });
});
