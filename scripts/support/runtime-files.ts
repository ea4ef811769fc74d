import { cp, mkdir } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { projectDir } from './build/stamp.ts';

/** The programs of a built service: what is started, and what it starts itself. */
const programs = [
  'scripts/start.ts',
  'scripts/health.ts',
  'scripts/owner.ts',
  'api/audits/process-main.ts',
  'api/live/render-worker.ts',
];

/** Packages that are asked for where they are installed, and are not. */
const absentPackages = ['pg-native', 'next/server'];

/** The folders of the packages that the built service imports, by whatever way, below the project. */
async function importedPackages(distDir: string): Promise<string[]> {
  const { build } = await import('esbuild');
  const { metafile } = await build({
    absWorkingDir: projectDir,
    entryPoints: [...programs, relative(projectDir, join(distDir, 'server', 'entry.mjs'))],
    bundle: true,
    write: false,
    outdir: 'traced',
    format: 'esm',
    platform: 'node',
    metafile: true,
    logLevel: 'error',
    external: absentPackages,
  });
  const folders = Object.keys(metafile.inputs).map(
    (file) => /^.*node_modules\/(?:@[^/]+\/)?[^/.][^/]*(?=\/)/.exec(file)?.[0],
  );
  return [...new Set(folders.filter((folder) => folder !== undefined))].sort();
}

/** Compressed forms as nginx reads them. */
const coded = /\.(br|gz)$/;

/** What a package has for those who build with it: types and source maps. */
const ofBuild = /\.(map|d\.[cm]?ts)$/;

/**
 * Copies what the built service needs to run into a folder: its own code, the build, and the packages that it imports, without
 * their types and source maps, without those of the build and the tests, and without the compressed files, which are in the
 * pack for the service and beside the others for nginx alone.
 */
export async function copyRuntime(distDir: string, folder: string): Promise<void> {
  const copy = async (path: string, filter: (source: string) => boolean = () => true): Promise<void> => {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(projectDir, path), join(folder, path), { recursive: true, filter });
  };
  for (const path of ['package.json', 'LICENSE', 'api', 'almanac', 'scripts']) {
    await copy(path);
  }
  for (const path of await importedPackages(distDir)) {
    const nested = join(projectDir, path, 'node_modules');
    await copy(path, (source) => source !== nested && !ofBuild.test(source));
  }
  await cp(distDir, join(folder, 'dist'), { recursive: true, filter: (source) => !coded.test(source) });
}
