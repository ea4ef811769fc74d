import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from '../../scripts/support/build/build-when-needed.ts';
import { buildStamp } from '../../scripts/support/build/stamp.ts';

const folder = mkdtempSync(join(tmpdir(), 'build-when-needed-'));
after(() => rmSync(folder, { recursive: true }));

const environment = { DIST_DIR: join(folder, 'dist'), BUILD: 'never' };
mkdirSync(environment.DIST_DIR);
const writeStamp = (stamp: object): void =>
  writeFileSync(join(environment.DIST_DIR, 'build.json'), JSON.stringify(stamp));

for (const [name, value, built] of [
  ['BASE_URL', 'https://example.org', 'http://localhost:4321'],
  ['SITE_NAME', 'Lantern', 'Porchlight'],
  ['OWNER_NAME', 'Ada Lovelace', 'the owner of this Porchlight'],
  ['CONTACT', 'ada@example.org', 'owner@example.com'],
  ['SOURCE_URL', 'https://git.example/porchlight', ''],
] as const) {
  test(`BUILD=never refuses a build whose pages were made with another ${name}, and names both values`, async () => {
    writeStamp(await buildStamp(readConfig(environment)));
    await assert.rejects(buildWhenNeeded(readConfig({ ...environment, [name]: value })), ({ message }) => {
      assert.ok(message.includes(`a build with ${name}="${built}" in `), message);
      assert.ok(message.includes(`to make one with ${name}="${value}"`), message);
      return true;
    });
  });
}

test('BUILD=never takes a build that differs in what no page says: the address to listen on', async () => {
  writeStamp(await buildStamp(readConfig({ ...environment, BASE_URL: 'https://example.org' })));
  const config = readConfig({ ...environment, BASE_URL: 'https://example.org', HOST: '0.0.0.0', PORT: '8080' });
  assert.equal(await buildWhenNeeded(config), false);
});

test('a stamp without settings counts as no build', async () => {
  writeStamp({ id: '0', baseUrl: 'http://localhost:4321', built: '2026-01-01T00:00:00.000Z' });
  await assert.rejects(buildWhenNeeded(readConfig(environment)), /There is no build in /);
});
