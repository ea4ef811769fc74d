import { describe, test } from 'node:test';
import { assertHoldsWithBody, contentTypes, hostileBodies } from './hostile-evidence.ts';

// The limit ends what reads a body again and again.
describe('hostile bodies of 2 MiB: no check throws, and the report holds its form', { timeout: 600_000 }, () => {
  for (const [what, body] of Object.entries(hostileBodies(2 * 1024 * 1024))) {
    for (const type of body.length > 100_000 ? contentTypes.slice(0, 3) : contentTypes) {
      test(`${what} as ${type || 'nothing'}`, () => assertHoldsWithBody(body, type));
    }
  }
});
