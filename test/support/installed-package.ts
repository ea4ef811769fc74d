import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '../../scripts/support/build/stamp.ts';

/** How a program ended. */
interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** A package of ours, installed in a folder that has nothing else. */
interface InstalledPackage {
  folder: string;
  /** `node_modules` of the folder. */
  installed: string;
  /** Names in `node_modules`. */
  names: string[];
  /** Bytes of all installed files. */
  bytes: number;
  /** Runs the machine's own Node in the folder. */
  run(...args: string[]): Promise<Ended>;
  remove(): Promise<void>;
}

/** The machine's own Node, which may be older than that of this project; this one where there is no other. */
const oldNode =
  (process.env['PATH'] ?? '')
    .split(':')
    .filter((path) => !path.includes('node_modules'))
    .map((path) => join(path, 'node'))
    .find((path) => spawnSync(path, ['--version']).status === 0) ?? process.execPath;

async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const sizes = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async (entry) => (await stat(join(entry.parentPath, entry.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Builds a package, packs it, and installs it in an empty folder without a network. */
export async function installPackage(build: (folder: string) => Promise<string>): Promise<InstalledPackage> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-package-'));
  const work = await mkdtemp(join(tmpdir(), 'porchlight-packed-'));
  const built = await build(join(work, 'built'));
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--json', '--pack-destination', work], { cwd: built, encoding: 'utf8' }),
  ) as { filename: string }[];
  const archive = join(work, packed?.filename ?? '');
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--prefix', folder, archive]);
  await rm(work, { recursive: true });
  const installed = join(folder, 'node_modules');
  return {
    folder,
    installed,
    names: (await readdir(installed)).filter((name) => !name.startsWith('.')),
    bytes: await bytesBelow(installed),
    // Not in this process's own turn: the test may serve the site that the program asks.
    run: (...args) =>
      new Promise((resolve) => {
        execFile(oldNode, args, { cwd: folder, maxBuffer: 16_000_000 }, (error, stdout, stderr) =>
          resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
        );
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** Type checks a module with the strictest settings that a user may have, as a program that runs in Node and in browsers. */
export const typeCheck = (file: string): string[] => [
  join(projectDir, 'node_modules/typescript/bin/tsc'),
  ...['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'],
  ...['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'],
  file,
];
