import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { projectDir } from '../build/stamp.ts';

/** Installed once and kept: it's no dependency of the project. */
const folder = join(projectDir, 'node_modules', '.cache', 'starlight-bench');

const packages = { '@astrojs/starlight': '0.42.4', 'starlight-llms-txt': '0.12.0', astro: '7.3.5', sharp: '0.35.5' };

const configuration = `import starlight from '@astrojs/starlight';
import { defineConfig } from 'astro/config';
import starlightLlmsTxt from 'starlight-llms-txt';

export default defineConfig({
  site: 'https://example.com',
  integrations: [
    starlight({
      title: 'Porchlight',
      // By itself it lists every page on every page, which no site of this size wants.
      sidebar: [{ label: 'Start', link: '/' }],
      plugins: [starlightLlmsTxt()],
    }),
  ],
});
`;

const collections = `import { docsLoader } from '@astrojs/starlight/loaders';
import { docsSchema } from '@astrojs/starlight/schema';
import { defineCollection } from 'astro:content';

export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
`;

async function install(): Promise<void> {
  const manifest = JSON.stringify({ private: true, type: 'module', dependencies: packages });
  const file = join(folder, 'package.json');
  if (
    existsSync(join(folder, 'node_modules', 'astro')) &&
    (await readFile(file, 'utf8').catch(() => '')) === manifest
  ) {
    return;
  }
  console.log('Installing Starlight for the comparison …');
  await mkdir(folder, { recursive: true });
  await writeFile(file, manifest);
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder, stdio: 'inherit' });
}

/** Makes a page of Starlight of each markdown twin. Returns how many there are. */
async function writeContent(twinsDir: string): Promise<number> {
  const docs = join(folder, 'src', 'content', 'docs');
  await rm(docs, { recursive: true, force: true });
  let pages = 0;
  for (const name of await readdir(twinsDir, { recursive: true })) {
    const [, head, body] =
      name.endsWith('.md') && !name.startsWith('.well-known')
        ? (/^---\n(.*?)\n---\n(.*)$/s.exec(await readFile(join(twinsDir, name), 'utf8')) ?? [])
        : [];
    if (head !== undefined && body !== undefined) {
      const { title, description } = parse(head);
      const file = join(docs, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, `---\n${JSON.stringify({ title, description })}\n---\n${body}`);
      pages += 1;
    }
  }
  return pages;
}

/**
 * Builds a site of Starlight with starlight-llms-txt from markdown twins: the same content, as HTML, a search index and
 * llms.txt, without twins and coded forms. Returns the milliseconds that a page took.
 */
export async function buildStarlight(twinsDir: string): Promise<{ pages: number; perPage: number }> {
  await install();
  const pages = await writeContent(twinsDir);
  await writeFile(join(folder, 'astro.config.mjs'), configuration);
  await writeFile(join(folder, 'src', 'content.config.ts'), collections);
  for (const left of ['dist', '.astro', join('node_modules', '.astro')]) {
    await rm(join(folder, left), { recursive: true, force: true });
  }
  const started = performance.now();
  execFileSync(process.execPath, [join('node_modules', 'astro', 'bin', 'astro.mjs'), 'build', '--silent'], {
    cwd: folder,
    env: { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return { pages, perPage: (performance.now() - started) / pages };
}
