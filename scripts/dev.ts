import { dev } from 'astro';
import { readConfig } from '#api/config.ts';
import { startService } from '#api/server.ts';
import { projectDir } from './support/build/stamp.ts';
import { openDevSite } from './support/dev-site.ts';
import { freePort } from './support/ports.ts';

// The whole service with the pages of Astro's development server: it is asked in this process, and its own port is for the
// script in the pages that reloads them. `node --watch` starts all of it again when the code of the server changes.
const config = readConfig();
process.env['ASTRO_TELEMETRY_DISABLED'] = '1';
const astro = await dev({
  root: projectDir,
  logLevel: 'warn',
  server: { host: '127.0.0.1', port: await freePort() },
  vite: { server: { ws: { host: '127.0.0.1', port: await freePort() } } },
});
const service = await startService(config, { openSite: (source) => openDevSite(source, astro) });
console.log(
  `${config.siteName} is at ${config.baseUrl}, and reloads on change (host ${config.host}, port ${config.port})`,
);

const stop = async (): Promise<void> => {
  await service.stop();
  await astro.stop();
  process.exit(0);
};
process.on('SIGINT', stop);
process.on('SIGTERM', stop);
