import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { removeLeftovers } from './place.ts';
import { buildStamp, type PageSettings, pageSettings, presentStamp, projectDir } from './stamp.ts';

/** Builds in a process of its own, whose memory is free again when it ends. It ends with this one at SIGTERM and SIGINT. */
async function buildInProcess(environment: NodeJS.ProcessEnv): Promise<void> {
  const builder = spawn(process.execPath, [join(projectDir, 'scripts', 'build.ts')], {
    env: environment,
    // By the channel the builder notices the end of this process, in whatever way it ends.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  const end = (signal: NodeJS.Signals): void => {
    builder.kill(signal);
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', end);
  try {
    const [code, signal] = (await once(builder, 'exit')) as [number | null, NodeJS.Signals | null];
    if (code !== 0) {
      throw new Error(signal === null ? 'The build failed.' : `The build was ended by ${signal}.`);
    }
  } finally {
    process.off('SIGTERM', end);
    process.off('SIGINT', end);
  }
}

type SettingName = keyof PageSettings;

/** Settings of pages as variables. */
const written = (settings: PageSettings, names: readonly SettingName[]): string =>
  names.map((name) => `${pageSettings[name]}=${JSON.stringify(settings[name] ?? '')}`).join(', ');

/**
 * Builds when the build is missing, stale or made for other settings. With BUILD=never it throws an Error instead where there is
 * no build, or its pages say something else than the settings do. Gives whether it has built.
 */
export async function buildWhenNeeded(config: Config, environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  await removeLeftovers(config.distDir);
  const present = await presentStamp(config.distDir);
  const names = Object.keys(pageSettings) as SettingName[];
  const other = names.filter((name) => present !== null && present.settings[name] !== config[name]);
  const made = present === null || other.length === 0 ? null : written(present.settings, other);
  if (config.build === 'never') {
    if (present === null || made !== null) {
      const what = made === null ? 'no build' : `a build with ${made}`;
      const wanted = written(config, present === null ? ['baseUrl'] : other);
      throw new Error(
        `There is ${what} in ${config.distDir}, and BUILD=never forbids to make one with ${wanted}. Run \`npm run build\` with the settings of the service first, or leave BUILD out.`,
      );
    }
    return false;
  }
  const wanted = await buildStamp(config);
  if (present?.id === wanted.id) {
    return false;
  }
  const reason =
    present === null
      ? 'there is none'
      : made !== null
        ? `it was made with ${made}`
        : 'its settings or sources have changed';
  console.log(`Building the site for ${config.baseUrl} (${reason}) …`);
  await buildInProcess(environment);
  return true;
}
