import { describe, test } from 'node:test';
import { assertHoldsWithBody, hostileBodies } from './hostile-evidence.ts';

// The same bodies at their full size, as each type, are in hostile-evidence.slow.test.ts.
describe('hostile bodies of 8 KiB: no check throws, and the report holds its form', () => {
  for (const [what, body] of Object.entries(hostileBodies(8 * 1024))) {
    test(what, () => assertHoldsWithBody(body, 'text/html'));
  }
});
