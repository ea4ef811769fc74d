import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { buildStamp, presentStamp } from './build/stamp.ts';

/** Builds when the build is missing, stale or made for other settings. */
async function buildWhenNeeded(config: ReturnType<typeof readConfig>): Promise<void> {
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
  const { buildSite } = await import('./build.ts');
  await buildSite(config);
}

try {
  const config = readConfig();
  await buildWhenNeeded(config);
  const service = await startService(config, { distDir: config.distDir });
  console.log(`${config.siteName} is at ${config.baseUrl} (listening on ${config.host}, port ${config.port})`);
  const stop = (): void => {
    service.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  process.once('SIGTERM', stop);
  process.once('SIGINT', stop);
} catch (error) {
  const known = error as NodeJS.ErrnoException;
  console.error(
    known.code === 'EADDRINUSE'
      ? `${known.message}. Another service uses this port: set PORT to a free one.`
      : error instanceof Error
        ? error.message
        : error,
  );
  process.exit(1);
}
