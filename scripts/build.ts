import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildSite } from './support/build/build-site.ts';
import { writeEdgeFolder } from './support/build/edge/folder.ts';
import { readEdgeOptions } from './support/build/edge/options.ts';

const started = performance.now();
// `npm start`, which waits for this build, may have ended while this file was loaded, or end now.
if (process.connected === false) {
  process.exit(1);
}
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
try {
  const config = readConfig();
  const edge = readEdgeOptions(process.argv.slice(2), config.baseUrl);
  await buildSite(config);
  for (const host of edge.hosts) {
    const folder = join(config.distDir, 'edge', host);
    await writeEdgeFolder(host, { ...config, origin: edge.origin }, folder);
    console.log(`Wrote ${folder}`);
  }
  console.log(`Built ${config.distDir} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
