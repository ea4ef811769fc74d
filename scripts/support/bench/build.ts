import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildSite } from '../../build.ts';
import { projectDir } from '../build/stamp.ts';

/** What Starlight with starlight-llms-txt took for 400 pages of HTML alone on two cores: 27 s, so 67.5 ms a page. */
const starlightMillisecondsPerPage = 27_000 / 400;

/** Times a whole build: all pages, their twins and compressed forms. */
export async function runBuildBench(): Promise<void> {
  const config = { ...readConfig(), distDir: join(projectDir, 'node_modules', '.cache', 'porchlight-bench') };
  process.env['DIST_DIR'] = config.distDir;
  const started = performance.now();
  await buildSite(config);
  const milliseconds = performance.now() - started;
  const files = await readdir(join(config.distDir, 'client'), { recursive: true });
  const pages = files.filter((name) => name.endsWith('.html')).length;
  const perPage = milliseconds / pages;
  console.log(
    `${pages} pages in ${(milliseconds / 1000).toFixed(1)} s: ${perPage.toFixed(1)} ms a page in three representations, compressed`,
  );
  console.log(
    `ratio to Starlight's ${starlightMillisecondsPerPage} ms a page (HTML alone): ${(perPage / starlightMillisecondsPerPage).toFixed(2)} (goal: at most 0.33)`,
  );
  await rm(config.distDir, { recursive: true, force: true });
}
