import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildSite } from '../build/build-site.ts';
import { projectDir } from '../build/stamp.ts';
import { buildStarlight } from './starlight.ts';

/** Times a whole build: all pages, their twins and compressed forms; then Starlight's of the same content. */
export async function runBuildBench(): Promise<void> {
  const config = { ...readConfig(), distDir: join(projectDir, 'node_modules', '.cache', 'porchlight-bench') };
  process.env['DIST_DIR'] = config.distDir;
  const started = performance.now();
  await buildSite(config);
  const milliseconds = performance.now() - started;
  const clientDir = join(config.distDir, 'client');
  const files = await readdir(clientDir, { recursive: true });
  const pages = files.filter((name) => name.endsWith('.html')).length;
  const perPage = milliseconds / pages;
  console.log(`${pages} pages, each in three representations and compressed: ${perPage.toFixed(1)} ms a page`);
  const peer = await buildStarlight(clientDir);
  console.log(`Starlight with starlight-llms-txt, ${peer.pages} pages as HTML: ${peer.perPage.toFixed(1)} ms a page`);
  console.log(`ratio: ${(perPage / peer.perPage).toFixed(2)} (goal: at most 0.7)`);
  await rm(config.distDir, { recursive: true, force: true });
}
