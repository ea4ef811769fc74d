import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import autocannon from 'autocannon';
import { readConfig } from '#api/config.ts';
import { presentStamp } from '../build/stamp.ts';
import { buildSite } from '../build.ts';
import { freePort, startNginx } from '../nginx.ts';

const rounds = 5;
const seconds = 3;

const median = (values: number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;

async function rate(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({ url, headers, connections: 32, duration: seconds, workers: 1 });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${url} gave ${result.non2xx} answers other than 200 and ${result.errors} errors`);
  }
  return result.requests.average;
}

/**
 * Requests per second of static representations through the generated nginx configuration, against a bare
 * `location /` of the same nginx serving the same file: alternating rounds, the median of each.
 */
export async function runNginxBench(): Promise<void> {
  const port = await freePort();
  const barePort = await freePort();
  const config = { ...readConfig(), nginxListen: `127.0.0.1:${port}` };
  if ((await presentStamp(config.distDir)) === null) {
    await buildSite(config);
  }
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-bench-'));
  const generated = join(folder, 'generated.conf');
  const text = await readFile(join(config.distDir, 'nginx.conf'), 'utf8');
  await writeFile(generated, text.replace(/listen [^;]+;/, `listen 127.0.0.1:${port};`));
  const bare = join(folder, 'bare.conf');
  const client = join(config.distDir, 'client');
  await writeFile(
    bare,
    `server { listen 127.0.0.1:${barePort}; root "${client}"; types { text/html html; text/markdown md; } gzip_static on; location / { } }`,
  );
  const ours = await startNginx(generated, folder, `http://127.0.0.1:${port}/llms.txt`);
  const plain = await startNginx(bare, folder, `http://127.0.0.1:${barePort}/llms.txt`);
  try {
    for (const [name, accept, file] of [
      ['HTML', 'text/html', '/about.html'],
      ['markdown twin, negotiated', 'text/markdown', '/about.md'],
    ] as const) {
      const headers = { accept, 'accept-encoding': 'gzip' };
      const mine: number[] = [];
      const theirs: number[] = [];
      for (let round = 0; round < rounds; round += 1) {
        mine.push(await rate(`http://127.0.0.1:${port}/about`, headers));
        theirs.push(await rate(`http://127.0.0.1:${barePort}${file}`, headers));
      }
      const ratio = median(mine) / median(theirs);
      console.log(
        `${name}: ${Math.round(median(mine))} of ${Math.round(median(theirs))} requests a second, ratio ${ratio.toFixed(2)} (goal: at least 0.90)`,
      );
    }
  } finally {
    await ours.stop();
    await plain.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
