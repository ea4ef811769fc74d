import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Lock, refusedLicenses } from '../../scripts/support/licenses.ts';

const lock = JSON.parse(readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8')) as Lock;

const refused = (name: string, license?: string): string[] =>
  refusedLicenses({ packages: { '': {}, [`node_modules/${name}`]: license === undefined ? {} : { license } } });

test('every package that is installed has a licence that is accepted', () => {
  assert.ok(Object.keys(lock.packages).length > 500);
  assert.deepEqual(refusedLicenses(lock), []);
});

for (const license of ['MIT', 'MIT OR GPL-3.0-only', '(MIT OR CC0-1.0)', '(MIT AND Zlib)', 'Apache-2.0 AND MIT']) {
  test(`accepted: ${license}`, () => assert.deepEqual(refused('some-package', license), []));
}

for (const license of [
  'GPL-3.0-only',
  'AGPL-3.0-or-later',
  'MIT AND GPL-2.0',
  'UNLICENSED',
  'SEE LICENSE IN x',
  'MPL-2.0',
]) {
  test(`refused: ${license}`, () =>
    assert.deepEqual(refused('some-package', license), [`some-package has the licence ${license}.`]));
}

test('a licence with conditions is accepted for the packages that it was looked at for', () => {
  assert.deepEqual(refused('lightningcss', 'MPL-2.0'), []);
  assert.deepEqual(refused('@img/sharp-linux-x64', 'Apache-2.0 AND LGPL-3.0-or-later'), []);
  assert.equal(refused('@img/other', 'LGPL-3.0-or-later').length, 1);
});

test('a package of another platform has the licence of the one that asks for it; one without any is refused', () => {
  assert.deepEqual(refused('nobody-knows'), ['nobody-knows states no licence.']);
  const packages = {
    'node_modules/a': { license: 'MIT', optionalDependencies: { 'a-windows': '1' } },
    'node_modules/a-windows': {},
  };
  assert.deepEqual(refusedLicenses({ packages }), []);
});
