import type { Config } from '#api/config.ts';
import { buildStamp, presentStamp } from './stamp.ts';

/** Builds when the build is missing, stale or made for other settings. The builder is loaded only then. */
export async function buildWhenNeeded(config: Config): Promise<void> {
  const [wanted, present] = await Promise.all([buildStamp(config), presentStamp(config.distDir)]);
  if (present?.id === wanted.id) {
    return;
  }
  const reason =
    present === null
      ? 'there is none'
      : present.baseUrl === config.baseUrl
        ? 'its sources have changed'
        : `it was made for ${present.baseUrl}`;
  console.log(`Building the site for ${config.baseUrl} (${reason}) …`);
  const { buildSite } = await import('../../build.ts');
  await buildSite(config);
}
