import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectDir } from './stamp.ts';

const run = promisify(execFile);

/** Longest answer of npm that is taken, in bytes. */
const maxBuffer = 16 * 1024 * 1024;

/**
 * The software bill of materials of what runs in production, as npm makes it from the lock file: CycloneDX 1.5 in JSON. Null, with
 * a warning, where there is no npm.
 */
export async function toSbom(environment: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  const npm = environment['npm_execpath'];
  const [command, before] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const args = [...before, 'sbom', '--package-lock-only', '--omit=dev', '--sbom-format=cyclonedx'];
  try {
    const { stdout } = await run(command, args, { cwd: projectDir, env: environment, maxBuffer });
    const sbom = JSON.parse(stdout) as { metadata: { component: { name: string } } };
    // npm names the project after its folder.
    const { name } = JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')) as { name: string };
    sbom.metadata.component.name = name;
    return JSON.stringify(sbom);
  } catch (error) {
    console.warn(`No sbom.json: npm sbom failed (${error instanceof Error ? error.message.split('\n')[0] : error}).`);
    return null;
  }
}
