import { closeSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from 'node:fs';
import { signaturePolicy } from './policy.ts';

/** One signature about to be accepted. */
export interface SignatureUse {
  /** Names the key and the signature bytes: 43 characters of base64url. */
  id: string;
  /** When the signature says it was created, Unix seconds. */
  created: number;
  /** Unix seconds. */
  now: number;
}

/**
 * What a use of a signature is. `first`: not seen before, and recorded. `seen`: accepted earlier. `forgotten`: so old that
 * it may have been dropped to stay within the bound, and is therefore not accepted.
 */
export type RecordedUse = 'first' | 'seen' | 'forgotten';

/** Remembers which signatures were accepted, so that each counts once (RFC 9421 section 7.2.2). */
export interface ReplayCache {
  /**
   * Checks and records in one step, without a pause between them in which a second request could pass. Throws when the
   * use cannot be recorded.
   */
  record(use: SignatureUse): RecordedUse | Promise<RecordedUse>;
  close(): void;
}

/** A replay cache that only this process uses. */
export interface LocalReplayCache extends ReplayCache {
  record(use: SignatureUse): RecordedUse;
  /** Signatures held. */
  size(): number;
}

interface ReplayCacheOptions {
  /** Signatures held at most, 100 000 by default: about 15 MB. */
  maxEntries?: number;
}

interface ReplayMemory extends LocalReplayCache {
  uses(): Iterable<{ id: string; created: number }>;
}

function createMemory(maxEntries: number, beforeRecord: (use: SignatureUse) => void): ReplayMemory {
  // By second of creation: what is past its time, or too much, goes a whole second at a time.
  const seconds = new Map<number, Set<string>>();
  let count = 0;
  let forgottenUpTo = Number.NEGATIVE_INFINITY;

  const drop = (created: number): void => {
    count -= seconds.get(created)?.size ?? 0;
    seconds.delete(created);
  };

  const makeRoom = (now: number): void => {
    for (const created of seconds.keys()) {
      if (now - created > signaturePolicy.createdMaxAgeSeconds) {
        drop(created);
      }
    }
    while (count >= maxEntries) {
      const oldest = Math.min(...seconds.keys());
      drop(oldest);
      forgottenUpTo = Math.max(forgottenUpTo, oldest);
    }
  };

  return {
    record(use) {
      const { id, created, now } = use;
      if (seconds.get(created)?.has(id)) {
        return 'seen';
      }
      makeRoom(now);
      if (created <= forgottenUpTo) {
        return 'forgotten';
      }
      beforeRecord(use);
      const second = seconds.get(created) ?? new Set();
      seconds.set(created, second.add(id));
      count += 1;
      return 'first';
    },
    size: () => count,
    close: () => undefined,
    *uses() {
      for (const [created, ids] of seconds) {
        for (const id of ids) {
          yield { id, created };
        }
      }
    },
  };
}

/** A replay cache in memory. After a restart it knows nothing: what was accepted in the last 330 s would pass again. */
export function createReplayCache({ maxEntries = 100_000 }: ReplayCacheOptions = {}): LocalReplayCache {
  return createMemory(maxEntries, () => undefined);
}

const toLine = (use: { id: string; created: number }): string => `${use.created} ${use.id}\n`;

function readUses(file: string): { id: string; created: number }[] {
  let text = '';
  try {
    text = readFileSync(file, 'latin1');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) {
      throw new Error(`The record of used signatures ${file} cannot be read.`, { cause: error });
    }
  }
  // A line that was cut by a crash holds no signature that was accepted.
  const lines = text.matchAll(/^(-?\d{1,15}) ([\w-]{43})\n/gm);
  return [...lines].map(([, created, id]) => ({ id: String(id), created: Number(created) }));
}

/**
 * A replay cache that also survives a restart: each use is appended to `file` before it counts, and the file is
 * rewritten when it has grown past four times the bound. It is written but not synced for each use: a killed process loses
 * nothing, a power cut may lose the last uses, which are worthless after 300 s. One process per file.
 */
export function openReplayCache(
  file: string,
  { maxEntries = 100_000, now }: ReplayCacheOptions & { now: () => Date },
): LocalReplayCache {
  let descriptor: number | null = null;
  let lines = 0;

  const close = (): void => {
    if (descriptor !== null) {
      closeSync(descriptor);
      descriptor = null;
    }
  };

  const append = (use: SignatureUse): void => {
    if (descriptor === null) {
      throw new Error(`The record of used signatures ${file} is closed.`);
    }
    if (lines >= maxEntries * 4) {
      rewrite();
    }
    writeSync(descriptor, toLine(use));
    lines += 1;
  };

  let beforeRecord: (use: SignatureUse) => void = () => undefined;
  const memory = createMemory(maxEntries, (use) => beforeRecord(use));

  const rewrite = (): void => {
    const uses = [...memory.uses()];
    const temporary = `${file}.new`;
    writeFileSync(temporary, uses.map(toLine).join(''), { mode: 0o600 });
    renameSync(temporary, file);
    close();
    descriptor = openSync(file, 'a', 0o600);
    lines = uses.length;
  };

  const nowSeconds = Math.floor(now().getTime() / 1000);
  for (const use of readUses(file)) {
    const ageSeconds = nowSeconds - use.created;
    if (ageSeconds <= signaturePolicy.createdMaxAgeSeconds && -ageSeconds <= signaturePolicy.createdMaxAheadSeconds) {
      memory.record({ ...use, now: nowSeconds });
    }
  }
  rewrite();
  beforeRecord = append;

  return { record: memory.record, size: memory.size, close };
}
