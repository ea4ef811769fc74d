import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { buildWhenNeeded } from './support/build/build-when-needed.ts';

try {
  const config = readConfig();
  await buildWhenNeeded(config);
  const service = await startService(config);
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
