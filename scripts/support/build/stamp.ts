import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';

export const projectDir: string = join(import.meta.dirname, '..', '..', '..');

/** The settings that are in the built pages, and their variables. */
export const pageSettings = {
  baseUrl: 'BASE_URL',
  siteName: 'SITE_NAME',
  ownerName: 'OWNER_NAME',
  contact: 'CONTACT',
  sourceUrl: 'SOURCE_URL',
} as const satisfies Partial<Record<keyof Config, string>>;

export type PageSettings = Pick<Config, keyof typeof pageSettings>;

/** What a build was made from. Two equal stamps mean that building again would change nothing. */
export interface BuildStamp {
  /** SHA-256 over the sources and the settings that the build reads. */
  id: string;
  settings: PageSettings;
  built: string;
}

/** Everything that a build reads. */
const sources = [
  'almanac',
  'api',
  'site',
  'scripts/build.ts',
  'scripts/support/build',
  'astro.config.mjs',
  'package-lock.json',
];

async function filesOf(path: string): Promise<string[]> {
  const entries = await readdir(join(projectDir, path), { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) {
    return [join(projectDir, path)];
  }
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** The stamp of a build that would be made now. */
export async function buildStamp(config: Config): Promise<BuildStamp> {
  const { baseUrl, siteName, ownerName, contact, sourceUrl, host, port, nginxListen } = config;
  const settings = { baseUrl, siteName, ownerName, contact, sourceUrl };
  const hash = createHash('sha256').update(JSON.stringify([settings, host, port, nginxListen]));
  for (const file of (await Promise.all(sources.map(filesOf))).flat().sort()) {
    hash.update(`\0${file.slice(projectDir.length)}\0`).update(await readFile(file));
  }
  return { id: hash.digest('hex'), settings, built: new Date().toISOString() };
}

/** The stamp of the build that is there, or null when there is none, it was cut short, or its stamp has another shape. */
export async function presentStamp(distDir: string): Promise<BuildStamp | null> {
  try {
    const stamp = JSON.parse(await readFile(join(distDir, 'build.json'), 'utf8')) as Partial<BuildStamp>;
    return stamp.settings ? (stamp as BuildStamp) : null;
  } catch {
    return null;
  }
}
