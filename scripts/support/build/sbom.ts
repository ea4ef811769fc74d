import { execFile } from 'node:child_process';
import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { projectDir } from './stamp.ts';

const run = promisify(execFile);

/** Longest answer of npm that is taken, in bytes. */
const maxBuffer = 16 * 1024 * 1024;

const manifest = z.looseObject({ name: z.string() });
const lockFile = z.looseObject({ packages: z.record(z.string(), z.looseObject({ dev: z.boolean().optional() })) });

/** A file of the project as JSON. */
const readJson = async (name: string): Promise<unknown> => JSON.parse(await readFile(join(projectDir, name), 'utf8'));

/**
 * Writes package.json and the lock file of what runs in production into a folder. npm's own `--omit=dev` also leaves out
 * what both halves need.
 */
async function writeProduction(folder: string): Promise<string> {
  const { devDependencies: _dev, ...own } = manifest.parse(await readJson('package.json'));
  const { packages, ...lock } = lockFile.parse(await readJson('package-lock.json'));
  const kept = Object.entries(packages).filter(([path, { dev }]) => path !== '' && dev !== true);
  const { devDependencies: _devOfLock, ...root } = packages[''] ?? {};
  await writeFile(join(folder, 'package.json'), JSON.stringify(own));
  await writeFile(
    join(folder, 'package-lock.json'),
    JSON.stringify({ ...lock, packages: { '': root, ...Object.fromEntries(kept) } }),
  );
  return own.name;
}

/**
 * The software bill of materials of what runs in production, as npm makes it from the lock file: CycloneDX 1.5 in JSON. Null, with
 * a warning, where there is no npm.
 */
export async function toSbom(environment: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const npm = environment['npm_execpath'];
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  await using folder = await mkdtempDisposable(join(tmpdir(), 'porchlight-sbom-'));
  try {
    const name = await writeProduction(folder.path);
    const args = [...before, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
    const { stdout } = await run(command, args, { cwd: folder.path, env: environment, maxBuffer });
    const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
    // npm names the project after its folder.
    sbom.metadata.component.name = name;
    return JSON.stringify(sbom);
  } catch (error) {
    console.warn(`No sbom.json: npm sbom failed (${error instanceof Error ? error.message.split('\n')[0] : error}).`);
    return null;
  }
}
