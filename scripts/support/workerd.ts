import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import workerd from 'workerd';
import { waitFor } from './ports.ts';
import { processorSeconds } from './processor-time.ts';

/** The program itself: the command of the package is a script that leaves it running when it is stopped. */
const program = workerd.default;

export interface RunningWorkerd {
  /** Seconds of processor time that it has used so far; NaN where the system does not tell it. */
  processorSeconds(): Promise<number>;
  stop(): Promise<void>;
}

interface WorkerdSettings {
  /** A scratch folder, which the configuration is written to; paths are relative to it. */
  folder: string;
  port: number;
  /** Path of the script. */
  script: string;
  /** Where `ASSETS` gets files: a folder, or the address of a server. */
  assets: { folder: string } | { address: string };
  /** Text bindings. */
  variables?: Record<string, string>;
}

const text = (value: string): string => JSON.stringify(value);

/** Starts a worker in Cloudflare's open-source runtime, and waits until it answers. Throws an Error when it ends before. */
export async function startWorkerd(settings: WorkerdSettings): Promise<RunningWorkerd> {
  const { folder, port, script, assets, variables = {} } = settings;
  const bindings = Object.entries(variables).map(([name, value]) => `, (name = ${text(name)}, text = ${text(value)})`);
  const source =
    'folder' in assets
      ? `disk = (path = ${text(assets.folder)}, allowDotfiles = true)`
      : `external = (address = ${text(assets.address)}, http = ())`;
  const file = join(folder, 'workerd.capnp');
  await writeFile(
    file,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = (modules = [(name = "worker", esModule = embed ${text(script)})], compatibilityDate = "2026-10-01", bindings = [(name = "ASSETS", service = "assets")${bindings.join('')}])),
    (name = "assets", ${source}),
    (name = "internet", network = (allow = ["public", "private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:${port}", http = (), service = "main")]
);
`,
  );
  const child = spawn(program, ['serve', file], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([
    waitFor(`http://127.0.0.1:${port}/robots.txt`),
    ended.then(([code]) => {
      throw new Error(`workerd ended with ${code}`);
    }),
  ]);
  return {
    processorSeconds: () => processorSeconds(child.pid),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
