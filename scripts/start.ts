import { flushCompileCache } from 'node:module';
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { openBuiltSite } from '#api/site.ts';
import { buildWhenNeeded } from './support/build/build-when-needed.ts';

try {
  const config = readConfig();
  const starting = startService(config, {
    // By now the data folder belongs to this process: a second start by mistake doesn't touch the build of the one that runs.
    openSite: async (source) => {
      if (await buildWhenNeeded(config)) {
        // Node writes it when the process ends, unless that is killed. It takes a second or two, so it's done where the build
        // has taken many times that and nobody is answered yet.
        flushCompileCache();
      }
      return openBuiltSite(source);
    },
  });
  const stop = async (): Promise<void> => {
    // What can't start says so below.
    const service = await starting.catch(() => null);
    await service?.stop().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  };
  // From the beginning: the port answers before the start is over. More than once: a terminal sends Ctrl-C to npm and to
  // this process, and npm passes it on.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await starting;
  console.log(`${config.siteName} is at ${config.baseUrl} (listening on ${config.host}, port ${config.port})`);
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
