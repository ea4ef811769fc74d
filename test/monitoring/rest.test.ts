import assert from 'node:assert/strict';
import { test } from 'node:test';
import { releaseAtRest } from '#api/monitoring/rest.ts';

test('what is held goes, and garbage is collected, a minute after the last work and once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const service = { share: 0.5, held: true, asked: [] as number[], collected: 0 };
  const { close } = releaseAtRest({
    held: [
      {
        release(unusedMs) {
          service.asked.push(unusedMs);
          const was = service.held;
          service.held = false;
          return was;
        },
      },
    ],
    collect: () => {
      service.collected += 1;
    },
    share: () => service.share,
  });
  const pass = (seconds: number): void => t.mock.timers.tick(seconds * 1000);

  pass(300);
  assert.equal(service.asked.length, 0, 'at work nothing goes');
  service.share = 0.01;
  pass(50);
  service.share = 0.5;
  pass(5);
  service.share = 0.01;
  pass(55);
  assert.deepEqual([service.asked.length, service.collected], [0, 0], 'work in between begins the minute again');
  pass(5);
  assert.deepEqual([service.asked, service.held, service.collected], [[60_000], false, 1]);
  pass(300);
  assert.equal(service.collected, 1, 'nothing was left to collect');

  service.held = true;
  pass(5);
  assert.equal(service.collected, 2, 'what little work has made goes as well');

  service.share = 0.5;
  pass(5);
  service.share = 0.01;
  pass(60);
  assert.equal(service.collected, 3, 'after work there is garbage, whatever is held');
  await close();
  service.held = true;
  pass(300);
  assert.equal(service.held, true, 'a service that was closed does nothing more');
});

test('to collect is no work: what was used a little later goes five seconds later', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let busy = 0;
  let releases = 0;
  const { close } = releaseAtRest({
    held: [
      {
        release() {
          releases += 1;
          return true;
        },
      },
    ],
    collect: async () => {
      busy = 0.1;
    },
    share: () => {
      const was = busy;
      busy = 0;
      return was;
    },
  });
  t.mock.timers.tick(60_000);
  assert.equal(releases, 1);
  await new Promise(setImmediate);
  t.mock.timers.tick(5000);
  assert.equal(releases, 2);
  await close();
});
