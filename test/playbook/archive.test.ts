import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';
import { promisify } from 'node:util';
import { strFromU8, unzipSync } from 'fflate';
import { techniqueIds } from '#almanac/techniques.ts';
import { toPlaybookArchive } from '#api/playbook/archive.ts';
import { playbook as contents } from '#site/playbook.ts';
import { readPlaybook } from '../../scripts/support/build/playbook.ts';

const playbook = await readPlaybook('https://porch.example');
const files = new Map(
  Object.entries(unzipSync(toPlaybookArchive(playbook, playbook.chapters))).map(([path, bytes]) => [
    path,
    strFromU8(bytes),
  ]),
);
const folder = mkdtempSync(join(tmpdir(), 'playbook-files-'));
after(() => rmSync(folder, { recursive: true }));
for (const [path, text] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

test('every code block that stands for a file is in the archive, and each of the 96 recipes has its proof', () => {
  const named = playbook.chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^```\w+ file=\S+\n/gm)]);
  const unnamed = playbook.chapters.flatMap(({ markdown }) => [...markdown.matchAll(/^```(?!bash$|txt$)\w+$/gm)]);
  assert.deepEqual(unnamed, [], 'a block without file=');
  const proofs = [...files.keys()].filter((path) => path.endsWith('/prove.sh'));
  assert.equal(proofs.length, techniqueIds.length * 8);
  assert.equal(files.size, 3 + techniqueIds.length + named.length + 2 * proofs.length, 'no two have one name');
});

test('its own test passes in a folder with nothing else, and can fail', async () => {
  const run = (...only: string[]) =>
    promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', ...only, 'test.mjs'], {
      cwd: folder,
      env: { PATH: process.env['PATH'] },
    });
  const { stdout } = await run();
  assert.match(stdout, /^# fail 0$/m);
  assert.ok(Number(/^# pass (\d+)$/m.exec(stdout)?.[1]) > 150, stdout.slice(-300));
  const config = join(folder, '05-robots-welcome/nginx/nginx.conf');
  writeFileSync(config, 'server { listen nowhere at all }');
  await assert.rejects(run('--test-name-pattern=^05-'), ({ stdout: printed }) =>
    /^not ok .*05-robots-welcome\/nginx/m.test(printed),
  );
  writeFileSync(config, String(files.get('05-robots-welcome/nginx/nginx.conf')));
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
