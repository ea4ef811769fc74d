import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { toPlaybookArchive } from '#api/playbook/archive.ts';
import { readPlaybook } from '../../scripts/support/build/playbook.ts';

/** The playbook of a site of the tests. */
export const playbook = await readPlaybook('https://porch.example');
/** The files of its archive, by path. */
export const files = new Map(
  Object.entries(unzipSync(toPlaybookArchive(playbook, playbook.chapters))).map(([path, bytes]) => [
    path,
    strFromU8(bytes),
  ]),
);
/** A folder that holds them; it is removed when the tests of the file are over. */
export const folder = mkdtempSync(join(tmpdir(), 'playbook-files-'));
after(() => rmSync(folder, { recursive: true }));
for (const [path, text] of files) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
