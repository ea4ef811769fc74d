import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Config } from '#api/config.ts';
import { removeLeftovers } from './place.ts';
import { buildStamp, presentStamp, projectDir } from './stamp.ts';

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

/**
 * Builds when the build is missing, stale or made for other settings. With BUILD=never it throws an Error instead where there is
 * no build for this origin. Gives whether it has built.
 */
export async function buildWhenNeeded(config: Config, environment: NodeJS.ProcessEnv = process.env): Promise<boolean> {
  await removeLeftovers(config.distDir);
  const present = await presentStamp(config.distDir);
  const isElsewhere = present !== null && present.baseUrl !== config.baseUrl;
  if (config.build === 'never') {
    if (present === null || isElsewhere) {
      const what = present === null ? 'no build' : `a build for ${present.baseUrl}`;
      throw new Error(
        `There is ${what} in ${config.distDir}, and BUILD=never forbids to make one for ${config.baseUrl}. Run \`BASE_URL=${config.baseUrl} npm run build\` first, or leave BUILD out.`,
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
      : isElsewhere
        ? `it was made for ${present.baseUrl}`
        : 'its sources have changed';
  console.log(`Building the site for ${config.baseUrl} (${reason}) …`);
  await buildInProcess(environment);
  return true;
}
