import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Fixes } from '#api/audit/fixes/fixes.ts';
import type { SiteBrief } from '#api/audit/fixes/site-brief.ts';
import { type Front, runTwinScript, type Served } from './servers.ts';

/** Puts every file of the fixes where it says. */
export async function pasteFiles(served: Served, { files }: Fixes): Promise<void> {
  for (const { path, place, text } of files) {
    const file = join(place === 'site' ? served.site : served.folder, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }
}

/**
 * What an owner does with the lines for the template: into the head and the footer of each page, with its own address. Then
 * runs the script that makes the markdown as its own first lines say.
 */
export async function pasteIntoPages(
  served: Served,
  { head, footer }: Fixes,
  brief: SiteBrief,
  { hasNoEndings = false }: Pick<Front, 'hasNoEndings'> = {},
): Promise<void> {
  const { site } = served;
  for (const file of await readdir(site, { recursive: true })) {
    if (file.endsWith('.html') && file !== '404.html') {
      const address = `/${file.replace(/index\.html$/, '')}`;
      const twin = address.endsWith('/') ? `${address}index.md` : address.replace(/\.html$/, '.md');
      const lines = (head ?? '')
        .replaceAll(`href="${brief.origin}/index.md"`, `href="${brief.origin}${twin}"`)
        .replaceAll(`href="${brief.home}"`, `href="${brief.origin}${address}"`);
      const html = await readFile(join(site, file), 'utf8');
      await writeFile(
        join(site, file),
        html.replace('</head>', () => `${lines}\n</head>`).replace('</footer>', () => `${footer ?? ''}</footer>`),
      );
    }
  }
  if (!hasNoEndings) {
    await runTwinScript(served, [site, brief.origin]);
  }
}
