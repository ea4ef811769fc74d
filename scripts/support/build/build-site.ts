import { mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build as astroBuild } from 'astro';
import { prepareAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { builtAnswererFile, builtPassagesFile } from '#api/almanac/passages.ts';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import { livePaths } from '#api/catalog/live-pages.ts';
import type { Config } from '#api/config.ts';
import { freeChapterFiles } from '#api/contract/playbook-files.ts';
import { compress } from '#api/http/compress.ts';
import { contentTime, readSiteFiles } from '#api/http/site-files.ts';
import { openLiveRenderer } from '#api/live/renderer.ts';
import { toPlaybookArchive } from '#api/playbook/archive.ts';
import { builtPlaybookFile } from '#api/playbook/built.ts';
import { freeChapter } from '#site/playbook.ts';
import { sitePages } from '#site/site-map.ts';
import { datasetNames } from '../almanac/check.ts';
import { checkEditions } from '../almanac/editions.ts';
import { toHeadersFile } from './headers-file.ts';
import { checkListedPages } from './listed-pages.ts';
import { toLlmsFull } from './llms-full.ts';
import { toNginxFiles } from './nginx/configuration.ts';
import { writePack } from './pack.ts';
import { toPassages } from './passages.ts';
import { checkPlace, leftoverName, moveIntoPlace, removeLeftovers } from './place.ts';
import { type BuiltChapters, readPlaybook } from './playbook.ts';
import { toSbom } from './sbom.ts';
import { buildStamp, projectDir } from './stamp.ts';
import { fillTokenCounts } from './token-counts.ts';
import { writePage, writeTwins } from './twins.ts';

/** Endings of files that compression makes smaller. */
const compressible = /\.(?:html|md|json|css|js|svg|txt|xml|atom|jsonl|csv)$|\/(?:api-catalog|server-card)$/;

/** Runs a job on every item, some at a time, so that both cores work and memory stays small. */
async function eachOf<Item>(items: readonly Item[], job: (item: Item) => Promise<void>, atOnce = 8): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await job(item);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
}

/** Prebuilds the live pages with what is known at build time: the snapshot that stands in when the sidecar is down. */
async function writeSnapshots(distDir: string): Promise<void> {
  const render = await openLiveRenderer(distDir);
  await eachOf(livePaths, async (path) => {
    await writePage(join(distDir, 'client', path === '/' ? 'index' : path), await render(path, {}));
  });
}

/** Writes the files of the chapter that is free. */
async function writeFreeChapter(clientDir: string, playbook: BuiltChapters): Promise<void> {
  const chapters = playbook.chapters.filter(({ id }) => id === freeChapter.id);
  await writeFile(join(clientDir, freeChapterFiles(freeChapter.id)), toPlaybookArchive(playbook, chapters));
}

/** Writes what is sold: the chapters, with the page of them all rendered in the frame of the site. */
async function writePlaybook({ distDir }: Config, playbook: BuiltChapters): Promise<void> {
  const render = await openLiveRenderer(distDir);
  const { html } = await render('/playbook/whole', { playbook });
  await writeFile(builtPlaybookFile(distDir), JSON.stringify({ ...playbook, html }));
}

/** Writes the text of all pages by sections, which questions and searches are answered from, and what reading it comes to. */
async function writePassages(distDir: string): Promise<void> {
  const { stale, ...content } = await toPassages(join(distDir, 'client'));
  await writeFile(builtPassagesFile(distDir), JSON.stringify(content));
  await writeFile(builtAnswererFile(distDir), gzipSync(prepareAnswerer(datasets, content)));
  for (const line of stale) {
    console.warn(`site/content/questions: no page says ${line}`);
  }
}

/** Writes the coded forms of every file, and gives each file the time that belongs to its content (see contentTime). */
async function finishFiles(clientDir: string): Promise<void> {
  const stamp = async (file: string, bytes: Buffer): Promise<void> => {
    const seconds = contentTime(bytes);
    await utimes(file, seconds, seconds);
  };
  await eachOf(await filesBelow(clientDir), async (name) => {
    const file = join(clientDir, name);
    const bytes = await readFile(file);
    await stamp(file, bytes);
    if (!compressible.test(`/${name}`)) {
      return;
    }
    const everyVisit = name === 'index.html' || name.startsWith('assets/');
    const coded = await compress(bytes, everyVisit ? 11 : 5);
    for (const [ending, body] of [
      ['.br', coded.br],
      ['.gz', coded.gzip],
    ] as const) {
      if (body) {
        await writeFile(`${file}${ending}`, body);
        await stamp(`${file}${ending}`, body);
      }
    }
  });
}

/** Builds the whole site into a folder; `servedFrom` is where the folder will be. */
async function buildInto(config: Config, servedFrom: string): Promise<void> {
  const { distDir } = config;
  const stamp = await buildStamp(config);
  // Astro's own configuration reads the environment.
  process.env['DIST_DIR'] = distDir;
  process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
  await astroBuild({ root: projectDir, logLevel: 'warn' });
  const clientDir = join(distDir, 'client');
  const prebuilt = sitePages.map(({ path }) => path).filter((path) => !livePaths.includes(path));
  checkListedPages(clientDir, prebuilt);
  const pages = (await filesBelow(clientDir)).filter((name) => name.endsWith('.html'));
  await writeTwins(clientDir, pages);
  await writeSnapshots(distDir);
  await writePassages(distDir);
  await writeFile(join(clientDir, 'llms-full.txt'), await toLlmsFull(clientDir, config));
  // The index of the whole site comes last: it counts the others.
  for (const index of ['techniques/llms.txt', 'problems/llms.txt', 'llms.txt']) {
    await fillTokenCounts(clientDir, index);
  }
  const playbook = await readPlaybook(config.baseUrl);
  await writeFreeChapter(clientDir, playbook);
  await finishFiles(clientDir);
  await writePlaybook(config, playbook);
  const site = readSiteFiles(clientDir, declaredTypes);
  await writePack(site, distDir);
  await writeFile(join(clientDir, '_headers'), toHeadersFile(site, config.baseUrl));
  for (const [name, text] of Object.entries(toNginxFiles(site, config, servedFrom))) {
    await writeFile(join(distDir, name), text);
  }
  const sbom = await toSbom();
  if (sbom !== null) {
    await writeFile(join(distDir, 'sbom.json'), sbom);
  }
  await writeFile(join(distDir, 'build.json'), JSON.stringify(stamp));
}

/**
 * Builds the whole site: pages, twins, machine-readable files, compressed forms, nginx configuration. It's built next to the
 * configured folder and moved there when it's complete, so that a build that is cut short leaves the old one as it is.
 */
export async function buildSite(config: Config): Promise<void> {
  const { distDir } = config;
  checkPlace(distDir, projectDir);
  checkEditions(join(projectDir, 'almanac'), datasetNames);
  await removeLeftovers(distDir);
  const unfinished = leftoverName(distDir, 'building');
  try {
    await mkdir(unfinished, { recursive: true });
    await buildInto({ ...config, distDir: unfinished }, distDir);
    await moveIntoPlace(unfinished, distDir);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}
