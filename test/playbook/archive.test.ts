import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { techniqueIds } from '#almanac/techniques.ts';
import { playbook as contents } from '#site/playbook.ts';
import { files, folder, playbook } from './archive-files.ts';

test('every code block that stands for a file is in the archive, and each of the 96 recipes has its proof', () => {
  const named = playbook.chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^```\w+ file=\S+\n/gm)]);
  const unnamed = playbook.chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^```(?!bash$|txt$)\w+$/gm)]);
  assert.deepEqual(unnamed, [], 'a block without file=');
  const proofs = [...files.keys()].filter((path) => path.endsWith('/prove.sh'));
  assert.equal(proofs.length, techniqueIds.length * 8);
  assert.equal(files.size, 3 + techniqueIds.length + named.length + 2 * proofs.length, 'no two have one name');
});

test('it names the versions of the programs that are here', () => {
  const commands: Record<string, [string, string]> = {
    'Node.js': [process.execPath, '--version'],
    nginx: ['nginx', '-v'],
    Apache: ['apache2', '-v'],
    Caddy: ['caddy', 'version'],
    PHP: ['php', '--version'],
  };
  assert.deepEqual(
    playbook.tested_with.map(({ name }) => name),
    Object.keys(commands),
  );
  for (const { name, version } of playbook.tested_with) {
    assert.ok(files.get('README.md')?.includes(`- ${name} ${version}\n`), name);
    const [program = '', flag = ''] = commands[name] ?? [];
    const { error, stdout, stderr } = spawnSync(program, [flag], { encoding: 'utf8' });
    const found = error === undefined ? /\d+(?:\.\d+)+/.exec(`${stdout}${stderr}`)?.[0] : undefined;
    assert.ok(found === undefined || found.startsWith(version), `${name} ${found} is here, ${version} is stated`);
  }
});

test('the order has every chapter once', () => {
  assert.deepEqual(contents.firstWeek.flatMap(({ chapters }) => chapters).toSorted(), [...techniqueIds].toSorted());
});

test('the program that proves says how it is called, and runs the commands of a recipe against a site', async () => {
  const prove = (...args: string[]) =>
    spawnSync(process.execPath, ['prove.mjs', ...args], { cwd: folder, encoding: 'utf8' });
  assert.equal(prove('01-llms-txt/nginx').status, 2);
  const { status, stdout } = prove('01-llms-txt/nginx', 'http://127.0.0.1:9');
  assert.equal(status, 0);
  assert.match(stdout, /Your site says:[\s\S]*It should look like this[\s\S]*ETag: "6b1f0c2a-5d1"/);
});
