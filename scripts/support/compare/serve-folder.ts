import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { host } from '../../../test/audit/served-sites.ts';
import type { Answer } from '../../../test/audit/sites.ts';
import { typeOf } from '../recordings/trim.ts';

/** Serves the files of a folder as a static host does. Where they name `origin`, they name the address that they are served at. */
export async function serveFolder(folder: string, origin: string): Promise<Answer> {
  const files: Record<string, { type: string; body: string }> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, file).split(sep).join('/')}`;
    if (entry.isFile()) {
      const type = typeOf(path) ?? (path.endsWith('.css') ? 'text/css' : 'application/json');
      files[path] = { type, body: (await readFile(file, 'utf8')).replaceAll(origin, 'ORIGIN') };
    }
  }
  return host(files);
}
