import { mkdtempDisposable } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import type { NewEntry } from '#api/guestbook/entry.ts';
import { openGuestbook } from '#api/guestbook/store.ts';
import { median, percentile } from './percentile.ts';

const rounds = 3;
const milliseconds = 2000;

/** What one store did with this many concurrent writers. Times in milliseconds; reads are lists of 50 made meanwhile. */
interface StoreFigures {
  store: 'guestbook' | 'node:sqlite';
  writers: number;
  writesPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  slowestMs: number;
  /** Reads made while the writers ran, and their slowest. Null where nothing can read meanwhile: SQLite's calls block. */
  readsPerSecond: number | null;
  slowestReadMs: number | null;
}

interface Subject {
  write(): Promise<void>;
  read: (() => void) | null;
  close(): Promise<void>;
}

const entry = (number: number): NewEntry => ({
  name: `Visitor ${number}`,
  message: `Came by at number ${number}. The porch light was on, the twins were in order and the markdown was short.`,
  model: 'bench-1',
  visitor_type: 'agent',
  user_agent: 'porchlight-bench/1.0',
  provenance: { signature: { present: false }, transport: 'json', declared_intent: null },
  truncated: false,
  stripped_invisible: 0,
  tier: 'C',
});

async function openOurs(folder: string): Promise<Subject> {
  const guestbook = await openGuestbook({ file: join(folder, 'guestbook.json'), now: () => new Date() });
  let count = 0;
  return {
    async write() {
      count += 1;
      await guestbook.add(entry(count));
    },
    read: () => void guestbook.list({ limit: 50 }),
    close: () => guestbook.close(),
  };
}

/** The same work in SQLite: insert one entry durably and keep the newest 500. */
function openSqlite(folder: string): Subject {
  const database = new DatabaseSync(join(folder, 'guestbook.sqlite'));
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  database.exec('CREATE TABLE entries (number INTEGER PRIMARY KEY, entry TEXT NOT NULL)');
  const insert = database.prepare('INSERT INTO entries (number, entry) VALUES (?, ?)');
  const drop = database.prepare('DELETE FROM entries WHERE number <= ?');
  let count = 0;
  return {
    async write() {
      count += 1;
      database.exec('BEGIN IMMEDIATE');
      insert.run(count, JSON.stringify(entry(count)));
      drop.run(count - 500);
      database.exec('COMMIT');
      await turn();
    },
    read: null,
    close: async () => database.close(),
  };
}

async function measure(
  store: StoreFigures['store'],
  subject: Subject,
  writers: number,
  milliseconds: number,
): Promise<StoreFigures> {
  const times: number[] = [];
  let reads = 0;
  let slowestRead = 0;
  const start = performance.now();
  const isOver = (): boolean => performance.now() - start > milliseconds;
  const writeOn = async (): Promise<void> => {
    while (!isOver()) {
      const before = performance.now();
      await subject.write();
      times.push(performance.now() - before);
    }
  };
  const readOn = async (read: () => void): Promise<void> => {
    while (!isOver()) {
      const before = performance.now();
      read();
      slowestRead = Math.max(slowestRead, performance.now() - before);
      reads += 1;
      await turn();
    }
  };
  const readers = subject.read === null || writers === 1 ? [] : [readOn(subject.read)];
  await Promise.all([...Array.from({ length: writers }, writeOn), ...readers]);
  const seconds = (performance.now() - start) / 1000;
  await subject.close();
  return {
    store,
    writers,
    writesPerSecond: Math.round(times.length / seconds),
    p50Ms: median(times),
    p99Ms: percentile(times, 0.99),
    slowestMs: percentile(times, 1),
    readsPerSecond: readers.length === 0 ? null : Math.round(reads / seconds),
    slowestReadMs: readers.length === 0 ? null : slowestRead,
  };
}

/** Measures one store on the disk of the working folder. */
async function figuresOf(store: StoreFigures['store'], writers: number, milliseconds: number): Promise<StoreFigures> {
  await using folder = await mkdtempDisposable(join(process.cwd(), 'store-bench-'));
  const subject = store === 'guestbook' ? await openOurs(folder.path) : openSqlite(folder.path);
  return await measure(store, subject, writers, milliseconds);
}

const toLine = ({
  store,
  writesPerSecond,
  p50Ms,
  p99Ms,
  slowestMs,
  readsPerSecond,
  slowestReadMs,
}: StoreFigures): string =>
  [
    `${store}: ${writesPerSecond} durable writes a second (p50 ${p50Ms.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms, slowest ${slowestMs.toFixed(2)} ms)`,
    ...(readsPerSecond === null || slowestReadMs === null
      ? []
      : [`${readsPerSecond} reads a second meanwhile, the slowest ${slowestReadMs.toFixed(2)} ms`]),
  ].join('; ');

/**
 * Durable writes of the guestbook and of node:sqlite (WAL, synchronous = FULL), in turn on the same disk, with 1 and with
 * 64 writers.
 */
export async function runStoreBench(): Promise<void> {
  for (const writers of [1, 64]) {
    const ours: StoreFigures[] = [];
    const theirs: StoreFigures[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await figuresOf('guestbook', writers, milliseconds));
      theirs.push(await figuresOf('node:sqlite', writers, milliseconds));
    }
    const [mine, baseline] = [ours, theirs].map(
      (all) => all.toSorted((one, other) => one.writesPerSecond - other.writesPerSecond)[Math.floor(rounds / 2)],
    );
    if (mine !== undefined && baseline !== undefined) {
      const ratio = (mine.writesPerSecond / baseline.writesPerSecond).toFixed(2);
      console.log(`${writers} ${writers === 1 ? 'writer' : 'writers'}, the median of ${rounds} rounds:`);
      console.log(`  ${toLine(mine)}`);
      console.log(`  ${toLine(baseline)}`);
      console.log(`  ratio ${ratio}${writers === 1 ? '' : ' (goal: at least 1)'}`);
    }
  }
}
