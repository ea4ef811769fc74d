import { mkdtempDisposable, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#api/config.ts';
import { buildWhenNeeded } from '../build/build-when-needed.ts';
import { quote } from '../build/nginx/syntax.ts';
import { type RunningNginx, startNginx } from '../nginx.ts';
import { freePort } from '../ports.ts';
import { countAnswers } from './load.ts';
import { median } from './percentile.ts';

const rounds = 9;
const milliseconds = 1000;
const goal = 0.9;

/** Headers that nginx writes by itself, whatever the configuration. */
const ownHeaders = new Set([
  'server',
  'date',
  'connection',
  'keep-alive',
  'content-length',
  'content-encoding',
  'content-type',
  'etag',
  'x-request-id',
]);

interface Measured {
  /** Answers a second. */
  rate: number;
  /** Time of the nginx worker for an answer, in microseconds; NaN where the system does not tell it. */
  cpuMicroseconds: number;
}

async function measure(server: RunningNginx, url: string, headers: Record<string, string>): Promise<Measured> {
  const before = await server.workerSeconds();
  const { answers, seconds } = await countAnswers(url, headers, milliseconds);
  const spent = (await server.workerSeconds()) - before;
  return { rate: answers / seconds, cpuMicroseconds: (spent / answers) * 1e6 };
}

/**
 * The speed of static representations through the generated nginx configuration, against two servers of the same
 * nginx that serve the same file at its own address: a bare `location /` as nginx comes, with few headers and no cache
 * of open files, and one that decides nothing and has our headers as constants and our settings of files. Rounds take
 * turns; what counts is the median of the ratios within a round. On a machine that does something else as well, the
 * ratio by time of the worker is the steadier one: the other counts what the client spends on reading more headers, too.
 */
export async function runNginxBench(): Promise<void> {
  const [port, barePort, constantPort] = [await freePort(), await freePort(), await freePort()];
  const config = { ...readConfig(), nginxListen: `127.0.0.1:${port}` };
  await buildWhenNeeded(readConfig());
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'porchlight-bench-'));
  const folder = temporary.path;
  await using started = new AsyncDisposableStack();
  const start = async (name: string, text: string, at: number): Promise<RunningNginx> => {
    const file = join(folder, `${name}.conf`);
    await writeFile(file, text);
    return started.adopt(await startNginx(file, folder, `http://127.0.0.1:${at}/llms.txt`), (one) => one.stop());
  };
  const text = await readFile(join(config.distDir, 'nginx.conf'), 'utf8');
  const ours = await start('generated', text.replace(/listen [^;]+;/, `listen 127.0.0.1:${port};`), port);
  const files = `root "${join(config.distDir, 'client')}"; types { text/html html; text/markdown md; } gzip_static on;`;
  const bare = await start('bare', `server { listen 127.0.0.1:${barePort}; ${files} location / { } }`, barePort);
  const cases = [
    { name: 'HTML', accept: 'text/html', file: '/about.html' },
    { name: 'markdown twin, negotiated', accept: 'text/markdown', file: '/about.md' },
  ];
  const settings = text.match(/^ {4}(?:open_file_cache|sendfile|postpone_output).*;$/gm) ?? [];
  const locations = await Promise.all(
    cases.map(async ({ accept, file }) => {
      const { headers } = await fetch(`http://127.0.0.1:${port}/about`, { headers: { accept } });
      const lines = [...headers].filter(([name]) => !ownHeaders.has(name));
      const constants = lines.map(([name, value]) => `add_header ${name} ${quote(value)};`).join(' ');
      return `location = ${file} { ${constants} add_header X-Request-Id $request_id; add_header Last-Modified ""; }`;
    }),
  );
  const constant = await start(
    'constant',
    `server { listen 127.0.0.1:${constantPort}; ${files} ${settings.join(' ')} ${locations.join(' ')} location / { } }`,
    constantPort,
  );
  for (const { name, accept, file } of cases) {
    const headers = { accept, 'accept-encoding': 'gzip' };
    const results: Measured[][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const measured: Measured[] = [];
      for (const [server, url] of [
        [ours, `http://127.0.0.1:${port}/about`],
        [bare, `http://127.0.0.1:${barePort}${file}`],
        [constant, `http://127.0.0.1:${constantPort}${file}`],
      ] as const) {
        measured.push(await measure(server, url, headers));
      }
      results.push(measured);
    }
    for (const [index, baseline, wanted] of [
      [1, 'a bare location /', ` (goal: at least ${goal.toFixed(2)})`],
      [2, 'the same headers as constants and the same settings of files', ''],
    ] as const) {
      const of = (column: number, field: keyof Measured): number[] =>
        results.map((measured) => measured[column]?.[field] ?? 0);
      const quotients = (top: number[], bottom: number[]): number[] =>
        top.map((value, round) => value / (bottom[round] ?? 0));
      const [mine, theirs] = [of(0, 'rate'), of(index, 'rate')];
      const [cpu, cpuTheirs] = [of(0, 'cpuMicroseconds'), of(index, 'cpuMicroseconds')];
      console.log(
        `${name}, against ${baseline}: ratio ${median(quotients(mine, theirs)).toFixed(2)}${wanted}, ` +
          `${Math.round(median(mine))} of ${Math.round(median(theirs))} answers a second; ` +
          `for each second of the worker ${median(quotients(cpuTheirs, cpu)).toFixed(2)}, ` +
          `with ${median(cpu).toFixed(1)} and ${median(cpuTheirs).toFixed(1)} µs for an answer`,
      );
    }
  }
}
