import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { Problem } from '#api/contract/problem.ts';
import { createPreparations } from '#api/http/preparations.ts';
import { toReadyJson } from '#api/http/ready-json.ts';
import { openLiveCache } from '#api/live/cache.ts';
import { createListeners } from '#api/stores/listeners.ts';

/** A store of one number, with a cache of one page that shows it. */
async function openNumber(options: {
  watchedMilliseconds: number;
  lateMilliseconds?: number;
  patienceMilliseconds?: number;
  isBroken?: boolean;
}) {
  const { isBroken = false, ...times } = options;
  const listeners = createListeners(() => undefined);
  const faults: string[] = [];
  const page = {
    shown: -1,
    made: 0,
    isBroken,
    onMaking: () => {},
    pause: (): Promise<unknown> => new Promise(setImmediate),
    /** Before the list is compressed. */
    pauseOfList: async (): Promise<unknown> => undefined,
  };
  const store = { number: 0, onChange: listeners.add };
  const preparations = createPreparations();
  const cache = openLiveCache(store, {
    async makePages() {
      const { number } = store;
      page.made += 1;
      page.onMaking();
      await page.pause();
      if (page.isBroken) {
        throw new Error('no page');
      }
      page.shown = number;
    },
    toList: () => {
      const body = toReadyJson(JSON.stringify({ number: store.number, entries: 'an entry '.repeat(200) }));
      const { code } = body;
      return {
        ...body,
        async code(coding) {
          await page.pauseOfList();
          await code?.(coding);
        },
      };
    },
    ...{ pages: ['/number'], staticSite: preparations, what: 'the number', ...times },
    log: { error: ((_facts: object, sentence: string) => faults.push(sentence)) as never },
  });
  return {
    ...{ page, faults, cache },
    /** Resolves when the page shows the number. */
    async shows(number: number): Promise<void> {
      while (page.shown !== number) {
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    },
    /** Writes as a request does: it's acknowledged when the change is visible. */
    async write(number: number): Promise<void> {
      store.number = number;
      listeners.call();
      await cache.waitUntilVisible();
    },
    async read(): Promise<number> {
      await preparations.prepare('/number');
      return page.shown;
    },
    /** The number in the API's list. */
    async readList(): Promise<number> {
      const response = await request(express().get('/list', cache.serveList))
        .get('/list')
        .set('Accept-Encoding', 'gzip');
      assert.equal(response.headers['content-encoding'], 'gzip');
      return z.object({ number: z.number() }).parse(response.body).number;
    },
  };
}

/** A pause that says when it has begun and ends when it's told to. */
function createGate() {
  const begun = Promise.withResolvers<void>();
  const open = Promise.withResolvers<void>();
  return {
    begun: begun.promise,
    open: () => open.resolve(),
    pause(): Promise<void> {
      begun.resolve();
      return open.promise;
    },
  };
}

const nobodyWatches = { watchedMilliseconds: 0 };
const somebodyWatches = { watchedMilliseconds: Number.POSITIVE_INFINITY };

describe('pages of a store', () => {
  it('are not made for writers when nobody reads them, and the next reader sees every write', async () => {
    const { page, cache, write, read } = await openNumber(nobodyWatches);
    assert.equal(await read(), 0);
    assert.equal(page.made, 1);
    for (let number = 1; number <= 50; number += 1) {
      await write(number);
    }
    assert.equal(page.made, 1);
    assert.equal(cache.behindSeconds(), 0);
    assert.equal(await read(), 50);
    assert.equal(page.made, 2);
    assert.equal(await read(), 50);
    assert.equal(page.made, 2, 'what is up to date is not made again');
    cache.stop();
  });

  it('are made once for readers who wait together', async () => {
    const { page, cache, write, read } = await openNumber(nobodyWatches);
    await read();
    await write(7);
    assert.deepEqual(await Promise.all([read(), read(), read()]), [7, 7, 7]);
    assert.equal(page.made, 2);
    cache.stop();
  });

  it('show what is written while they are made for a reader, to the next one', async () => {
    const { cache, write, read } = await openNumber(nobodyWatches);
    await write(1);
    const first = read();
    await write(2);
    await first;
    assert.equal(await read(), 2);
    cache.stop();
  });

  it('are there when a write is acknowledged while somebody reads them', async () => {
    const { page, cache, write, read } = await openNumber(somebodyWatches);
    await read();
    await write(3);
    assert.equal(page.shown, 3);
    await Promise.all([write(4), write(5)]);
    assert.equal(page.shown, 5);
    cache.stop();
  });

  it('keep a writer no longer than its patience: then readers wait for what it wrote, and the list has it', async () => {
    const gate = createGate();
    const { page, cache, write, read, readList } = await openNumber({ ...somebodyWatches, patienceMilliseconds: 5 });
    await read();
    assert.equal(await readList(), 0);
    page.pause = gate.pause;
    await write(1);
    assert.equal(page.shown, 0, 'it is still being made');
    assert.equal(await readList(), 1);
    const reading = read();
    gate.open();
    assert.equal(await reading, 1);
    cache.stop();
  });

  it('stay as they were when they cannot be made, which is logged and tried again', async () => {
    const { page, faults, cache, write, read, shows } = await openNumber(nobodyWatches);
    await read();
    await write(8);
    page.isBroken = true;
    assert.equal(await read(), 0);
    assert.deepEqual(faults, ['the number could not be made anew']);
    assert.ok(cache.behindSeconds() > 0);
    page.isBroken = false;
    await shows(8);
    cache.stop();
  });

  it("are made a while after a write that nobody reads, so that the next reader needn't wait", async () => {
    const { page, cache, read, write, shows } = await openNumber({ ...nobodyWatches, lateMilliseconds: 5 });
    await read();
    await Promise.all([write(1), write(2)]);
    await shows(2);
    assert.equal(page.made, 2);
    cache.stop();
  });

  it('are waited for by who reads them while they are made a while after a write', async () => {
    const { page, cache, read, write } = await openNumber({ ...nobodyWatches, lateMilliseconds: 5 });
    await read();
    const reading = new Promise<number>((resolve, reject) => {
      page.onMaking = () => setImmediate(() => read().then(resolve, reject));
    });
    page.pause = () => new Promise((resolve) => setTimeout(resolve, 20));
    await write(1);
    assert.equal(await reading, 1);
    assert.equal(page.made, 2);
    cache.stop();
  });

  it('are waited for by who reads them first, who gets 503 and no built page when they cannot be made', async () => {
    const { page, faults, cache, read } = await openNumber({ ...nobodyWatches, isBroken: true });
    const isUnavailable = (error: unknown): boolean =>
      error instanceof Problem && error.status === 503 && error.headers['Retry-After'] === '5';
    await assert.rejects(read(), isUnavailable);
    await assert.rejects(read(), isUnavailable);
    assert.ok(faults.length > 0);
    page.isBroken = false;
    assert.equal(await read(), 0);
    cache.stop();
  });

  it('come with a list of the API that has every acknowledged write, also one from while the list was compressed', async () => {
    const { page, cache, read, readList, write } = await openNumber(nobodyWatches);
    await read();
    assert.equal(await readList(), 0);
    await write(1);
    assert.equal(await readList(), 1);
    const compressing = createGate();
    page.pauseOfList = compressing.pause;
    const first = read();
    await compressing.begun;
    await write(2);
    const makingAgain = createGate();
    page.pause = makingAgain.pause;
    const second = read();
    page.pauseOfList = async () => undefined;
    compressing.open();
    await makingAgain.begun;
    assert.equal(await readList(), 2);
    makingAgain.open();
    assert.deepEqual(await Promise.all([first, second]), [1, 2]);
    cache.stop();
  });

  it('are made no more and log nothing once the cache is stopped', async () => {
    const { page, faults, cache, write } = await openNumber({ ...nobodyWatches, lateMilliseconds: 1, isBroken: true });
    cache.stop();
    await write(1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    assert.deepEqual([page.made, faults], [1, []]);
  });
});
