import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from '../build/build-when-needed.ts';
import { writeEdgeFolder } from '../build/edge/folder.ts';
import { freePort } from '../ports.ts';
import { type RunningWorkerd, startWorkerd } from '../workerd.ts';
import { countAnswers } from './load.ts';
import { median } from './percentile.ts';

const rounds = 7;
const milliseconds = 1000;
const goalMilliseconds = 5;

/** Processor time for an answer, in milliseconds. */
async function measure(workerd: RunningWorkerd, url: string, headers: Record<string, string>): Promise<number> {
  const before = await workerd.processorSeconds();
  const { answers } = await countAnswers(url, headers, milliseconds, { lengthVaries: true });
  return (((await workerd.processorSeconds()) - before) / answers) * 1000;
}

/**
 * Processor time of workerd for an answer of the worker, its file read from the disk included, against a worker that passes every
 * request to the files and does nothing else. Rounds take turns; the ratio is the median of those within a round.
 */
export async function runEdgeBench(): Promise<void> {
  const config = readConfig();
  await buildWhenNeeded(config);
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  const folder = temporary.path;
  await using started = new AsyncDisposableStack();
  const start = async (script: string): Promise<{ workerd: RunningWorkerd; at: string }> => {
    const port = await freePort();
    const assets = { folder: join(folder, 'cloudflare/files') };
    const workerd = started.adopt(await startWorkerd({ folder, port, script, assets }), (one) => one.stop());
    return { workerd, at: `http://127.0.0.1:${port}` };
  };
  await writeEdgeFolder('cloudflare', { ...config, origin: null }, join(folder, 'cloudflare'));
  await writeFile(join(folder, 'bare.js'), 'export default { fetch: (request, env) => env.ASSETS.fetch(request) };\n');
  const ours = await start('cloudflare/worker.js');
  const bare = await start('bare.js');
  for (const { name, path, file, headers } of [
    { name: 'HTML, brotli', path: '/about', file: '/about.html.br', headers: { 'accept-encoding': 'br' } },
    { name: 'markdown, negotiated', path: '/about', file: '/about.md', headers: { accept: 'text/markdown' } },
    { name: 'a file', path: '/llms.txt', file: '/llms.txt', headers: {} },
  ]) {
    const spent: { mine: number; theirs: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const mine = await measure(ours.workerd, `${ours.at}${path}`, headers);
      spent.push({ mine, theirs: await measure(bare.workerd, `${bare.at}${file}`, headers) });
    }
    const mine = median(spent.map((each) => each.mine));
    console.log(
      `${name}: ${mine.toFixed(3)} ms of processor time an answer (goal: at most ${goalMilliseconds}), ` +
        `${median(spent.map((each) => each.mine / each.theirs)).toFixed(2)} times that of a bare worker`,
    );
  }
}
