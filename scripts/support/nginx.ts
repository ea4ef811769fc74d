import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from './ports.ts';
import { processorSeconds } from './processor-time.ts';
import { findBrotliModule, findNginx } from './requirements.ts';

/** An nginx that was started here. */
export interface RunningNginx {
  /** Seconds of processor time that its worker has used; NaN where the system has no /proc. */
  workerSeconds(): Promise<number>;
  stop(): Promise<void>;
}

async function workerSeconds(master: number): Promise<number> {
  const children = await readFile(`/proc/${master}/task/${master}/children`, 'utf8').catch(() => '');
  return processorSeconds(children.split(' ')[0]);
}

/** Runs an nginx of its own with a configuration for the http block; `probe` answers when it is ready. */
export async function startNginx(configuration: string, folder: string, probe: string): Promise<RunningNginx> {
  const prefix = await mkdtemp(join(folder, 'nginx-'));
  const brotli = findBrotliModule();
  const main = [
    ...(brotli === null ? [] : [`load_module ${brotli};`]),
    'daemon off;',
    'worker_processes 1;',
    // As root, nginx would give its workers to another user, who may not be allowed to read the site.
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    `pid ${prefix}/nginx.pid;`,
    `error_log ${prefix}/error.log;`,
    'events { worker_connections 1024; }',
    'http {',
    '  access_log off;',
    ...['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${prefix}/${name};`),
    `  include ${configuration};`,
    '}',
  ];
  const file = join(prefix, 'main.conf');
  await writeFile(file, `${main.join('\n')}\n`);
  const child = spawn(findNginx(), ['-p', prefix, '-c', file], { stdio: 'inherit' });
  await waitFor(probe);
  return {
    workerSeconds: () => workerSeconds(child.pid ?? 0),
    stop: async () => {
      if (child.exitCode === null) {
        child.kill('SIGQUIT');
        await once(child, 'exit');
      }
    },
  };
}
