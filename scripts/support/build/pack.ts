import { open, writeFile } from 'node:fs/promises';
import type { Form, SiteFiles } from '#api/http/site-files.ts';
import { type PackedForm, type PackIndex, packFiles } from '#api/http/site-pack.ts';

/**
 * Writes the pack that the service reads the built site from: one file, which it holds open. What has a gzip form is held in
 * its coded forms alone.
 */
export async function writePack(site: SiteFiles, distDir: string): Promise<void> {
  const paths = packFiles(distDir);
  const index: PackIndex = {};
  await using file = await open(paths.bytes, 'w');
  let end = 0;
  const append = async (form: Form): Promise<PackedForm> => {
    const offset = end;
    await file.appendFile(await form.read());
    end += form.length;
    return [form.length, form.etag, offset];
  };
  for (const body of [...[...site.pages.values()].flatMap((page) => Object.values(page)), ...site.files.values()]) {
    const { identity, br, gzip } = body.forms;
    index[body.file] = {
      identity: gzip ? [identity.length, identity.etag, null] : await append(identity),
      ...(br ? { br: await append(br) } : {}),
      ...(gzip ? { gzip: await append(gzip) } : {}),
    };
  }
  await writeFile(paths.index, JSON.stringify(index));
}
