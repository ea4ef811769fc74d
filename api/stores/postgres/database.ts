import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, Pool, type PoolClient, type QueryResultRow } from 'pg';
import { StorageUnavailable, toReason } from '../storage-unavailable.ts';
import { migrate } from './migrate.ts';

const channel = 'porchlight_stores';

/** Longest wait for a connection, for a lock that another instance holds, and for one statement. */
const connectMs = 3000;
const lockMs = 6000;
const statementMs = 8000;
/** An instance that stalls while it holds a lock loses the lock after this long, and its transaction with it. */
const idleInTransactionMs = 3000;

/** How often everything is read again, for a notification that never came; and how soon a broken listener tries again. */
const pollMs = 5000;
const reconnectMs = 250;

/** An 'error' that nobody listens for ends the process. */
const ignore = (): void => undefined;

/** What a store hears of the database: that somebody may have written. `sequence` is that of the batch, where known. */
export type Touched = (sequence: number | null) => void;

/** The one PostgreSQL that several instances share. */
export interface Database {
  /** One statement on its own. Throws StorageUnavailable when the database does not answer. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
  /**
   * Runs `work` in a transaction that holds the lock of this name in all instances; the lock and the limits on waiting are set
   * before. Whoever calls sends the COMMIT. The connection is given up when `work` throws.
   */
  locked<Result>(name: string, work: (client: PoolClient) => Promise<Result>): Promise<Result>;
  /** Calls back when a store of this name may have been changed. Returns the function that ends it. */
  onTouch(store: string, listener: Touched): () => void;
  /** The channel and payload by which others hear of a batch. */
  toNotice(store: string, sequence: number): [channel: string, payload: string];
  /** Whether changes of other instances are heard at the moment. */
  readonly isListening: boolean;
  /** Connections: all, those that are idle, and callers that wait for one. */
  readonly pool: { total: number; idle: number; waiting: number };
  close(): Promise<void>;
}

const toUnavailable = (cause: unknown): unknown =>
  cause instanceof StorageUnavailable ||
  (cause instanceof Error && 'code' in cause && /^(?:22|23|42|P0)/.test(String(cause.code)))
    ? cause
    : new StorageUnavailable(`The database does not answer (${toReason(cause)}).`, { cause });

/** The address with the password of a file that somebody else looks after; newlines at its end don't belong to it. */
function withPassword(url: string, file: string): string {
  let password: string;
  try {
    password = readFileSync(file, 'utf8').replace(/\n+$/, '');
  } catch (cause) {
    throw new Error(`The password of the database ${file} cannot be read (${toReason(cause)}).`, { cause });
  }
  if (password === '') {
    throw new Error(`The password of the database ${file} is empty.`);
  }
  const address = new URL(url);
  // As a parameter, where every character is escaped: what precedes the host leaves a percent sign as it is.
  address.searchParams.set('password', password);
  return address.href;
}

/** Opens the database, brings its schema up to date and listens. Throws an Error that says what is wrong. */
export async function openDatabase({
  url,
  passwordFile = null,
  connections = 8,
  warn,
}: {
  /** `postgres://user:password@host/database`; it is never written into a message. */
  url: string;
  /** Where the password is, when it isn't in the address. */
  passwordFile?: string | null;
  /** Most connections, not counting the one that listens. */
  connections?: number;
  warn: (sentence: string) => void;
}): Promise<Database> {
  const connectionString = passwordFile === null ? url : withPassword(url, passwordFile);
  const settings = { connectionString, connectionTimeoutMillis: connectMs, keepAlive: true };
  const pool = new Pool({ ...settings, max: connections, query_timeout: statementMs + 2000 });
  // A connection that breaks while nobody uses it: the next one to ask gets another. One that breaks under a query tells the query.
  pool.on('error', ignore);
  await prepare(new Client(settings));

  const listeners = new Map<string, Set<Touched>>();
  const touch = (store: string, sequence: number | null): void => {
    for (const listener of listeners.get(store) ?? []) {
      listener(sequence);
    }
  };
  const touchAll = (): void => {
    for (const store of listeners.keys()) {
      touch(store, null);
    }
  };
  const ear = listen(settings, { touch, touchAll, warn });
  const poll = setInterval(touchAll, pollMs).unref();

  return {
    async query(text, values) {
      try {
        return (await pool.query(text, values)).rows;
      } catch (cause) {
        throw toUnavailable(cause);
      }
    },

    async locked(name, work) {
      let client: PoolClient | undefined;
      try {
        client = await pool.connect();
        client.on('error', ignore);
        await client.query(
          `begin; set local lock_timeout = ${lockMs}; set local statement_timeout = ${statementMs}; ` +
            `set local idle_in_transaction_session_timeout = ${idleInTransactionMs}; ` +
            `select pg_advisory_xact_lock(20556, hashtext(${client.escapeLiteral(name)}))`,
        );
        const result = await work(client);
        client.off('error', ignore);
        client.release();
        return result;
      } catch (cause) {
        client?.release(true);
        throw cause;
      }
    },

    onTouch(store, listener) {
      const known = listeners.get(store) ?? new Set();
      listeners.set(store, known.add(listener));
      return () => known.delete(listener);
    },

    toNotice: (store, sequence) => [channel, `${store} ${sequence}`],

    get isListening() {
      return ear.isListening();
    },

    get pool() {
      return { total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount };
    },

    async close() {
      clearInterval(poll);
      await ear.close();
      await pool.end();
    },
  };
}

async function prepare(client: Client): Promise<void> {
  const toUnusable = (cause: unknown): Error =>
    new Error(`The database of DATABASE_URL cannot be used: ${cause instanceof Error ? cause.message : cause}`, {
      cause,
    });
  client.on('error', ignore);
  try {
    await client.connect().catch((cause: unknown) => {
      throw toUnusable(cause);
    });
    await migrate(client);
  } catch (cause) {
    throw cause instanceof Error && !('code' in cause) ? cause : toUnusable(cause);
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Keeps a connection that hears of every batch. Whenever it is new, all stores are touched: something may have been missed. */
function listen(
  settings: ConstructorParameters<typeof Client>[0],
  {
    touch,
    touchAll,
    warn,
  }: { touch(store: string, sequence: number): void; touchAll(): void; warn(text: string): void },
): { isListening(): boolean; close(): Promise<void> } {
  const closed = new AbortController();
  let current: Client | null = null;
  let isListening = false;
  /** Whether that was said, so that it is said once. */
  let isLost = false;

  const once = async (): Promise<void> => {
    const client = new Client(settings);
    const broken = new Promise<void>((resolve) => {
      client.on('error', () => resolve());
      client.on('end', () => resolve());
    });
    client.on('notification', ({ payload = '' }) => {
      const [store = '', sequence] = payload.split(' ');
      touch(store, Number(sequence));
    });
    try {
      await client.connect();
      // Closed meanwhile: nobody would end this connection.
      if (closed.signal.aborted) {
        return;
      }
      current = client;
      await client.query(`listen ${channel}`);
      isListening = true;
      isLost = false;
      touchAll();
      await broken;
    } finally {
      current = null;
      isListening = false;
      await client.end().catch(() => undefined);
    }
  };

  const run = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      await once().catch(() => undefined);
      if (!closed.signal.aborted && !isLost) {
        isLost = true;
        warn(
          'The connection to the database is lost. Reads are answered from memory, writes are refused until it is back.',
        );
      }
      await wait(reconnectMs, undefined, { signal: closed.signal }).catch(() => undefined);
    }
  };
  const running = run();
  return {
    isListening: () => isListening,
    async close() {
      closed.abort();
      await current?.end().catch(() => undefined);
      await running;
    },
  };
}
