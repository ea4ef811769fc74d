import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Playbook } from './playbook.ts';

/** The file of the build that holds the playbook. It's outside the folder that is served. */
export const builtPlaybookFile = (distDir: string): string => join(distDir, 'playbook.json');

/** Reads the playbook that the build wrote. Throws an Error when it is not there or not one. */
export async function readBuiltPlaybook(distDir: string): Promise<Playbook> {
  const file = builtPlaybookFile(distDir);
  try {
    return Playbook.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new Error(`The playbook ${file} cannot be read. Build the site anew.`, { cause });
  }
}
