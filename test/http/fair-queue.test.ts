import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairQueue } from '#api/http/fair-queue.ts';

test('those who wait go on in the order in which they came, each in a turn of its own', async () => {
  const turn = createFairQueue();
  const log: string[] = [];
  let loops = 0;
  const countLoops = (): void => {
    loops += 1;
    if (log.length < 3) {
      setImmediate(countLoops);
    }
  };
  setImmediate(countLoops);
  await Promise.all(
    ['first', 'second', 'third'].map(async (name) => {
      await turn();
      log.push(`${name} in ${loops}`);
    }),
  );
  assert.deepEqual(log, ['first in 1', 'second in 2', 'third in 3']);
});

test('who comes when nobody waits any more goes on too', async () => {
  const turn = createFairQueue();
  await turn();
  await turn();
  await Promise.all([turn(), turn()]);
});
