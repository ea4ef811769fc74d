import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import type { EdgeManifest } from '#api/edge/manifest.ts';
import { readSiteFiles } from '#api/http/site-files.ts';
import { projectDir } from '../stamp.ts';
import { type Host, type HostName, hosts } from './hosts.ts';
import { toEdgeManifest } from './manifest.ts';

/** Most bytes of the script in gzip, its manifest included. */
export const longestScript = 200 * 1024;

/** The worker as one script that needs nothing else: the front, what the host wants around it, and the manifest. */
async function bundle({ code }: Host, manifest: EdgeManifest): Promise<string> {
  // Loaded only now: a build for no edge doesn't need it.
  const { build } = await import('esbuild');
  const text = JSON.stringify(JSON.stringify(manifest));
  const { outputFiles } = await build({
    stdin: { contents: `const manifest = JSON.parse(${text});\n${code}\n`, resolveDir: projectDir, loader: 'js' },
    bundle: true,
    write: false,
    format: 'esm',
    // What runs in a server alone doesn't resolve.
    platform: 'browser',
    target: 'es2022',
    minify: true,
    legalComments: 'none',
  });
  return outputFiles[0]?.text ?? '';
}

/** Throws an Error that names what of the host's limits a deployment breaks. */
function checkLimits(name: HostName, files: readonly { path: string; bytes: number }[], script: string): void {
  const { limits } = hosts[name];
  const tooLong = files.find(({ bytes }) => bytes > limits.fileBytes);
  if (files.length > limits.files) {
    throw new Error(`${name} takes ${limits.files} files, and the site has ${files.length}.`);
  }
  if (tooLong !== undefined) {
    throw new Error(`${name} takes files of ${limits.fileBytes} bytes, and ${tooLong.path} has ${tooLong.bytes}.`);
  }
  const scriptBytes = gzipSync(script).length;
  if (scriptBytes > longestScript) {
    throw new Error(`The script has ${scriptBytes} bytes in gzip, and the limit is ${longestScript}.`);
  }
}

/** What a folder for an edge is made from. */
export interface EdgeSource {
  /** The folder of the build. */
  distDir: string;
  /** Origin that the site is served at. */
  baseUrl: string;
  /** Origin of the service behind the edge; null leaves it to the host's settings. */
  origin: string | null;
}

/** Writes a folder that is deployed as it is. What was in it is removed. Throws an Error where the host wouldn't take it. */
export async function writeEdgeFolder(name: HostName, source: EdgeSource, folder: string): Promise<void> {
  const host: Host = hosts[name];
  const clientDir = join(source.distDir, 'client');
  const site = readSiteFiles(clientDir, declaredTypes);
  const bodies = [...site.files.values(), ...[...site.pages.values()].flatMap((page) => Object.values(page))];
  const files = bodies.flatMap(({ file, forms }) => [
    { path: file, bytes: forms.identity.length },
    ...(host.sendsCoded && forms.br ? [{ path: `${file}.br`, bytes: forms.br.length }] : []),
    ...(host.sendsCoded && forms.gzip ? [{ path: `${file}.gz`, bytes: forms.gzip.length }] : []),
  ]);
  const script = await bundle(host, toEdgeManifest(site, source));
  checkLimits(name, files, script);
  await rm(folder, { recursive: true, force: true });
  const folders = new Set(files.map(({ path }) => dirname(join(folder, host.files, path))));
  for (const each of folders) {
    await mkdir(each, { recursive: true });
  }
  for (const { path } of files) {
    await copyFile(join(clientDir, path), join(folder, host.files, path));
  }
  for (const [path, text] of Object.entries({ [host.script]: script, ...host.configuration(source) })) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
}
