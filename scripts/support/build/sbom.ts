import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from './stamp.ts';

const run = promisify(execFile);

/** Longest answer of npm that is taken, in bytes. */
const maxBuffer = 16 * 1024 * 1024;

interface Lock {
  packages: Record<string, { dev?: boolean; devDependencies?: unknown }>;
}

/** Reads a file of the project as JSON. */
const readJson = async <Value>(name: string): Promise<Value> =>
  JSON.parse(await readFile(join(projectDir, name), 'utf8')) as Value;

/**
 * Writes package.json and package-lock.json into a folder, without what only development needs. `npm sbom --omit=dev` isn't used:
 * it leaves out every package that development needs as well.
 */
async function writeProductionLock(folder: string): Promise<void> {
  const manifest = await readJson<Record<string, unknown>>('package.json');
  const lock = await readJson<Lock>('package-lock.json');
  const packages = Object.entries(lock.packages).filter(([, { dev }]) => dev !== true);
  const files = {
    'package.json': { ...manifest, devDependencies: {} },
    'package-lock.json': {
      ...lock,
      packages: Object.fromEntries(
        packages.map(([path, entry]) => [path, path === '' ? { ...entry, devDependencies: {} } : entry]),
      ),
    },
  };
  for (const [name, value] of Object.entries(files)) {
    await writeFile(join(folder, name), JSON.stringify(value));
  }
}

/**
 * The software bill of materials of what runs in production, as npm makes it from the lock file: CycloneDX 1.5 in JSON. Null, with
 * a warning, where there is no npm.
 */
export async function toSbom(environment: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const npm = environment['npm_execpath'];
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-sbom-'));
  try {
    await writeProductionLock(folder);
    const args = [...before, 'sbom', '--package-lock-only', '--sbom-format=cyclonedx'];
    const { stdout } = await run(command, args, { cwd: folder, env: environment, maxBuffer });
    const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
    // npm names the project after its folder.
    const { name } = await readJson<{ name: string }>('package.json');
    sbom.metadata.component.name = name;
    return JSON.stringify(sbom);
  } catch (error) {
    console.warn(`No sbom.json: npm sbom failed (${error instanceof Error ? error.message.split('\n')[0] : error}).`);
    return null;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
