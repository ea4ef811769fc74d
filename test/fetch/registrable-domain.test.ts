import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { registrableDomain } from '#api/fetch/registrable-domain.ts';

describe('the registrable domain', () => {
  for (const [address, expected] of [
    ['https://www.example.co.uk/a?b', 'example.co.uk'],
    ['http://a.b.example.com/', 'example.com'],
    ['https://example.com/', 'example.com'],
    // Each is somebody else's, by the private section of the list.
    ['https://someone.github.io/', 'someone.github.io'],
    ['https://deep.someone.github.io/', 'someone.github.io'],
    ['https://github.io/', 'github.io'],
    ['https://xn--bcher-kva.example.de/', 'example.de'],
    ['http://192.0.2.7/', '192.0.2.7'],
    ['http://[2001:db8::1]/', '[2001:db8::1]'],
    ['http://localhost:8080/', 'localhost'],
  ] as const) {
    it(`of ${address} is ${expected}`, () => assert.equal(registrableDomain(new URL(address)), expected));
  }
});
