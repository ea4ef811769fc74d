import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { projectDir } from '../build/stamp.ts';

const Project = z.object({ version: z.string(), license: z.string() });

/** What the project's package.json says of every package that is made from it. */
export const projectManifest = async (): Promise<z.infer<typeof Project>> =>
  Project.parse(JSON.parse(await readFile(join(projectDir, 'package.json'), 'utf8')));

/** Empties a folder, makes it if needed, and puts in what every package has: its manifest, its README and the license. */
export async function startPackage(folder: string, readme: string, manifest: Record<string, unknown>): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(readme, join(folder, 'README.md'));
  await cp(join(projectDir, 'LICENSE'), join(folder, 'LICENSE'));
  await writeFile(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
