/** What a counter allows: a number within a window that begins with the first. */
export interface CounterLimit {
  limit: number;
  windowSeconds: number;
}

/** What a counter holds: how many were taken, at most its limit, and when its window ends, milliseconds since 1970. */
export interface Count {
  taken: number;
  endsAt: number;
}

/** Counts what each client takes within a window. What is counted is never written into a file or a log. */
export interface Counters {
  /** Takes one. Check and count are one step, so that parallel callers get no more than the limit. Throws StorageUnavailable. */
  take(key: string, limit: CounterLimit): Promise<Count & { granted: boolean }>;
  /** Puts one back that was taken in the window that ends then. A window in which nothing was taken hasn't begun. */
  giveBack(key: string, endsAt: number): Promise<void>;
  /** Looks without taking; null when no window has begun. */
  read(key: string): Promise<Count | null>;
}

/** Counters whose callers get their answer at once. */
export interface LocalCounters {
  readonly size: number;
  take(key: string, limit: CounterLimit): Count & { granted: boolean };
  giveBack(key: string, endsAt: number): void;
  read(key: string): Count | null;
  /** Forgets the windows that have ended, which every other call does as well. */
  dropEnded(): void;
}

/**
 * Counters in the memory of this process; a restart forgets them. When `maxKeys` are held, the one whose window ends first
 * is forgotten for a new one.
 */
export function createLocalCounters({
  now,
  maxKeys = 50_000,
}: {
  /** Milliseconds since 1970. */
  now: () => number;
  maxKeys?: number;
}): LocalCounters {
  // One map for each length of a window: in each, windows end in the order in which they began.
  const byLength = new Map<number, Map<string, Count>>();

  /** Before that no window ends. */
  let firstEnd = Number.POSITIVE_INFINITY;

  const dropEnded = (at: number): void => {
    if (at < firstEnd) {
      return;
    }
    firstEnd = Number.POSITIVE_INFINITY;
    for (const windows of byLength.values()) {
      for (const [key, { endsAt }] of windows) {
        if (endsAt > at) {
          firstEnd = Math.min(firstEnd, endsAt);
          break;
        }
        windows.delete(key);
      }
    }
  };

  const makeRoom = (windows: Map<string, Count>): void => {
    for (const key of windows.keys()) {
      if (windows.size < maxKeys) {
        return;
      }
      windows.delete(key);
    }
  };

  const find = (key: string): [Map<string, Count>, Count] | null => {
    dropEnded(now());
    for (const windows of byLength.values()) {
      const count = windows.get(key);
      if (count !== undefined) {
        return [windows, count];
      }
    }
    return null;
  };

  return {
    get size() {
      return [...byLength.values()].reduce((sum, { size }) => sum + size, 0);
    },

    take(key, { limit, windowSeconds }) {
      let [, count] = find(key) ?? [];
      if (count === undefined) {
        const windows = byLength.get(windowSeconds) ?? new Map<string, Count>();
        byLength.set(windowSeconds, windows);
        makeRoom(windows);
        count = { taken: 0, endsAt: now() + windowSeconds * 1000 };
        windows.set(key, count);
        firstEnd = Math.min(firstEnd, count.endsAt);
      }
      const granted = count.taken < limit;
      count.taken += granted ? 1 : 0;
      return { ...count, granted };
    },

    giveBack(key, endsAt) {
      const [windows, count] = find(key) ?? [];
      if (windows !== undefined && count?.endsAt === endsAt) {
        count.taken -= 1;
        if (count.taken === 0) {
          windows.delete(key);
        }
      }
    },

    read(key) {
      const [, count] = find(key) ?? [];
      return count === undefined ? null : { ...count };
    },

    dropEnded: () => dropEnded(now()),
  };
}

/** Local counters where those that instances share are taken as well. */
export function createCounters({
  now,
  ...options
}: {
  now: () => Date;
  maxKeys?: number;
}): Counters & { readonly size: number } {
  const local = createLocalCounters({ now: () => now().getTime(), ...options });
  return {
    get size() {
      return local.size;
    },
    take: async (key, limit) => local.take(key, limit),
    giveBack: async (key, endsAt) => local.giveBack(key, endsAt),
    read: async (key) => local.read(key),
  };
}
