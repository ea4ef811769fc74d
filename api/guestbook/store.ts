import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { toClientNetwork } from '../http/client-network.ts';
import { type ClientTally, createClientTally } from '../http/client-tally.ts';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';
import {
  type EntryLabel,
  entryLabel,
  type GuestbookEntry,
  guestbookEntry,
  guestbookLimits,
  type HostReply,
  hostReply,
  importedEntry,
  type NewEntry,
} from './entry.ts';
import { CapReached, EntryNotFound, IdempotencyConflict, ReviewRefused, WithdrawalRefused } from './refusals.ts';
import type { GuestbookTotals } from './responses.ts';

const keySeconds = 24 * 3600;

/** How long it's remembered who wrote an entry. */
export const tallySeconds = 24 * 3600;
const keptKeys = 5000;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const record = z.strictObject({ entry: guestbookEntry, token_sha256: sha256.nullable() });
type StoredRecord = z.infer<typeof record>;

const usedKey = z.strictObject({ key_sha256: sha256, body_hash: z.string(), id: z.string(), at: z.iso.datetime() });
type UsedKey = z.infer<typeof usedKey>;

const guestbookState = z.strictObject({
  /** Newest first by signed_at; of those signed at the same time the later written one is first. */
  records: z.array(record).max(guestbookLimits.kept),
  /** Idempotency keys, oldest first. They outlive their entries, so that a late retry cannot bring a withdrawn one back. */
  keys: z.array(usedKey),
});
type GuestbookState = z.infer<typeof guestbookState>;

type GuestbookChange =
  | { do: 'add'; record: StoredRecord; key: UsedKey | null }
  | { do: 'withdraw'; id: string }
  | { do: 'label'; id: string; label: EntryLabel }
  | { do: 'clear'; id: string; by: string; at: string }
  | { do: 'reply'; id: string; reply: HostReply }
  | { do: 'import'; records: StoredRecord[] };

const definition: StoreDefinition<GuestbookState, GuestbookChange> = {
  version: 1,
  state: guestbookState,
  empty: () => ({ records: [], keys: [] }),
  apply(state, change) {
    switch (change.do) {
      case 'add':
        return { records: insert(state.records, change.record), keys: addKey(state.keys, change.key) };
      case 'withdraw':
        return { ...state, records: state.records.filter(({ entry }) => entry.id !== change.id) };
      case 'label':
        return edit(state, change.id, { label: change.label, review: { state: 'labelled' } });
      case 'clear':
        return edit(state, change.id, { review: { state: 'cleared', by: change.by, at: change.at } });
      case 'reply':
        return edit(state, change.id, { host_reply: change.reply });
      case 'import':
        return { ...state, records: change.records.reduce(insert, state.records) };
    }
  },
};

function insert(records: StoredRecord[], added: StoredRecord): StoredRecord[] {
  const place = records.findIndex(({ entry }) => entry.signed_at <= added.entry.signed_at);
  const all = records.toSpliced(place === -1 ? records.length : place, 0, added);
  return all.length > guestbookLimits.kept ? all.toSpliced(findLeaving(all), 1) : all;
}

/**
 * Which of too many records goes: the oldest that the owner hasn't cleared, so that a flood of entries pushes out none that was
 * judged. When many are cleared, it's the oldest of all.
 */
function findLeaving(records: StoredRecord[]): number {
  const isCleared = ({ entry }: StoredRecord): boolean => entry.review.state === 'cleared';
  const oldest = records.length - 1;
  const { [oldest]: last } = records;
  if (last === undefined || !isCleared(last) || records.filter(isCleared).length > guestbookLimits.keptCleared) {
    return oldest;
  }
  return records.findLastIndex((record) => !isCleared(record));
}

function edit(state: GuestbookState, id: string, members: Partial<GuestbookEntry>): GuestbookState {
  const records = state.records.map((stored) =>
    stored.entry.id === id ? { ...stored, entry: { ...stored.entry, ...members } } : stored,
  );
  return { ...state, records };
}

function addKey(keys: UsedKey[], added: UsedKey | null): UsedKey[] {
  if (added === null) {
    return keys;
  }
  const expiry = new Date(Date.parse(added.at) - keySeconds * 1000).toISOString();
  return [...keys.filter(({ at }) => at > expiry), added].slice(-keptKeys);
}

/** A written entry with its token, which is not kept; or, for a repeated idempotency key, the entry of the first write. */
export type Added =
  | { replayed: false; entry: GuestbookEntry; token: string }
  /** `entry` is null when it has been withdrawn or pushed out since. */
  | { replayed: true; id: string; entry: GuestbookEntry | null };

/** An entry that was removed. `isErased` is false when its text couldn't be taken out of the files yet, which is tried again. */
export interface Withdrawn {
  entry: GuestbookEntry;
  isErased: boolean;
}

/** The guestbook. Reads are answered from memory, show only what is durable, and are not to be modified. */
export interface Guestbook {
  /** Entries newest first, signed at or after `since` and by the key of that name; `matched` counts them before `limit`. */
  list(query?: { limit?: number; since?: Date; keyid?: string }): { matched: number; entries: GuestbookEntry[] };
  get(id: string): GuestbookEntry | null;
  /** Entries that await review, newest first. */
  waiting(): GuestbookEntry[];
  totals(): GuestbookTotals;
  /**
   * Writes an entry. `client` is the address it comes from, for the cap; `idempotency` makes a retry within 24 hours
   * harmless. Its key counts for the key that signed the entry, else for the network of the client. It becomes the
   * first of the list, whatever the clock says. Throws CapReached, IdempotencyConflict, StorageUnavailable, or an Error
   * when a field breaks its limit.
   */
  add(entry: NewEntry, options?: { client?: string; idempotency?: { key: string; bodyHash: string } }): Promise<Added>;
  /**
   * Removes an entry, from the files too, for the holder of its token. Throws EntryNotFound, WithdrawalRefused or
   * StorageUnavailable.
   */
  withdraw(id: string, token: string): Promise<Withdrawn>;
  /** Removes an entry for the holder of the key that signed it, named by its thumbprint. Throws as `withdraw` does. */
  withdrawByKey(id: string, thumbprint: string): Promise<Withdrawn>;
  /** Removes an entry whose writer asked for it by mail, which is the only way for entries without a token. */
  withdrawByMail(id: string): Promise<Withdrawn>;
  /** Labels an awaiting entry. Throws EntryNotFound, ReviewRefused or StorageUnavailable. */
  label(id: string, label: Omit<EntryLabel, 'at'>): Promise<GuestbookEntry>;
  /** Clears an awaiting entry. Throws EntryNotFound, ReviewRefused or StorageUnavailable. */
  clear(id: string, by: string): Promise<GuestbookEntry>;
  /** Answers an entry, in place of an earlier answer. Throws EntryNotFound or StorageUnavailable. */
  reply(id: string, reply: Omit<HostReply, 'at'>): Promise<GuestbookEntry>;
  /**
   * Takes over entries from before 2026-09-08, all or none. Entries whose id is there already are skipped; `dropped` of
   * the imported ones were too old for the newest 500. Throws an Error that names the first entry that is not valid.
   */
  import(entries: unknown[]): Promise<{ imported: number; skipped: number; dropped: number }>;
  /** Calls back after each durable change. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

/** What a guestbook is given from outside. */
export interface GuestbookOptions {
  now: () => Date;
  /**
   * How many of the kept entries may be one client's from the last 24 hours, once the guestbook is full and each new
   * entry pushes out an old one. Without it one address could, at 60 writes an hour, push out everybody in nine hours.
   */
  maxPerClient?: number;
  /** Who wrote which entry, where that is shared with other instances. */
  tally?: ClientTally;
  /** Gives the secret under which idempotency keys are stored as hashes, together with whose they are. */
  secret?: () => Uint8Array;
  /** How soon it's tried again to take a removed text out of the files. */
  eraseAgainMs?: number;
}

/** Opens the guestbook of a service; see openStore for what it throws. */
export async function openGuestbook(options: GuestbookOptions & StoreOptions): Promise<Guestbook> {
  return toGuestbook(await openStore(definition, options), options);
}

/** Builds a guestbook in memory, with the same rules, for tests. */
export function createGuestbook(options: GuestbookOptions): Guestbook {
  return toGuestbook(createStore(definition), options);
}

/** A key of a client, under which it is stored; the key alone would be everybody's, and could be guessed. */
const toKeyHash = (key: string, owner: string, secret: Uint8Array): string =>
  createHmac('sha256', secret)
    .update(JSON.stringify([owner, key]))
    .digest('hex');

/** Takes what was removed out of the journal and the spare copy as well, and tries again until it works. */
function createEraser(store: Pick<Store<unknown, unknown>, 'compact'>, againMs: number) {
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => clearTimeout(timer);
  const erase = async (): Promise<boolean> => {
    stop();
    // A store that is closed has done what it can.
    const isErased = await store.compact().catch(() => null);
    if (isErased === false) {
      timer = setTimeout(() => void erase(), againMs).unref();
    }
    return isErased === true;
  };
  return { erase, stop };
}

function refuseWrongToken({ entry, token_sha256 }: StoredRecord, token: string): void {
  if (token_sha256 === null) {
    throw new WithdrawalRefused('no-token', `Entry ${entry.id} is from before tokens were given out.`);
  }
  // Hashes of equal length, compared in constant time: the time taken tells nothing of the right token.
  if (!timingSafeEqual(toSha256(token), Buffer.from(token_sha256, 'hex'))) {
    throw new WithdrawalRefused('wrong-token', `The token is not the one of entry ${entry.id}.`);
  }
}

function toGuestbook(
  store: Store<GuestbookState, GuestbookChange>,
  {
    now,
    maxPerClient = 50,
    tally = createClientTally({ windowSeconds: tallySeconds, now }),
    secret = () => new Uint8Array(),
    eraseAgainMs = 60_000,
  }: GuestbookOptions,
): Guestbook {
  const today = (): string => now().toISOString().slice(0, 10);
  const entries = (): GuestbookEntry[] => toEntries(store.state.records);

  const review = (id: string, toChange: () => GuestbookChange): Promise<GuestbookEntry> =>
    store.update((state) => {
      const { entry } = find(state, id);
      if (entry.review.state !== 'awaiting') {
        throw new ReviewRefused(`Entry ${id} is ${entry.review.state} already; only an awaiting entry is reviewed.`);
      }
      return toDecision(state, id, toChange());
    });

  const eraser = createEraser(store, eraseAgainMs);

  const remove = async (id: string, verify: (stored: StoredRecord) => void): Promise<Withdrawn> => {
    const entry = await store.update((state) => {
      const stored = find(state, id);
      verify(stored);
      return { change: { do: 'withdraw' as const, id }, result: stored.entry };
    });
    tally.forget(id);
    return { entry, isErased: await eraser.erase() };
  };

  return {
    list({ limit = guestbookLimits.kept, since, keyid } = {}) {
      const first = since?.getTime();
      const recent =
        first === undefined ? entries() : entries().filter(({ signed_at }) => Date.parse(signed_at) >= first);
      const matching =
        keyid === undefined ? recent : recent.filter(({ identity }) => identity.keyids?.includes(keyid) === true);
      return { matched: matching.length, entries: limit >= matching.length ? matching : matching.slice(0, limit) };
    },

    get: (id) => store.state.records.find(({ entry }) => entry.id === id)?.entry ?? null,

    waiting: () => entries().filter(({ review }) => review.state === 'awaiting'),

    totals: () => toTotals(entries()),

    add(written, { client, idempotency } = {}) {
      return store.update<Added>((state) => {
        const at = now();
        const keyHash =
          idempotency === undefined
            ? ''
            : toKeyHash(idempotency.key, written.keyids?.[0] ?? toClientNetwork(client ?? ''), secret());
        const first = idempotency === undefined ? null : findFirstWrite(state, { ...idempotency, keyHash }, at);
        if (first !== null) {
          return { change: null, result: first };
        }
        const writer = client === undefined ? null : tally.clientOf(client);
        if (writer !== null && state.records.length >= guestbookLimits.kept) {
          const ids = state.records.map(({ entry }) => entry.id);
          refuseBeyondCap(tally.momentsOf(writer, ids, at), maxPerClient, at);
        }
        const entry = toEntry(state, written, at);
        const { id } = entry;
        const token = randomBytes(32).toString('base64url');
        if (writer !== null) {
          tally.record(writer, id, at);
          // Entries that were pushed out do not count any more; they are cleared away now and then.
          if (tally.size > 2 * guestbookLimits.kept) {
            tally.keep(new Set([id, ...state.records.map((stored) => stored.entry.id)]));
          }
        }
        const key =
          idempotency === undefined
            ? null
            : { key_sha256: keyHash, body_hash: idempotency.bodyHash, id, at: at.toISOString() };
        return {
          change: { do: 'add', record: { entry, token_sha256: toSha256(token).toString('hex') }, key },
          result: { replayed: false, entry, token },
        };
      });
    },

    withdraw: (id, token) => remove(id, (stored) => refuseWrongToken(stored, token)),

    withdrawByKey: (id, thumbprint) =>
      remove(id, ({ entry }) => {
        if (entry.identity.keyids?.[0] !== thumbprint) {
          throw new WithdrawalRefused('wrong-key', `Entry ${id} was not signed with the key ${thumbprint}.`);
        }
      }),

    withdrawByMail: (id) => remove(id, () => {}),

    label: (id, label) =>
      review(id, () => ({ do: 'label', id, label: toValid(entryLabel, 'The label', { ...label, at: today() }) })),

    clear: (id, by) => review(id, () => ({ do: 'clear', id, by: toValid(z.string().min(1), 'by', by), at: today() })),

    reply: (id, reply) =>
      store.update((state) => {
        find(state, id);
        return toDecision(state, id, {
          do: 'reply',
          id,
          reply: toValid(hostReply, 'The reply', { ...reply, at: today() }),
        });
      }),

    async import(given) {
      const valid = given.map((entry, index) => toValid(importedEntry, `Entry ${index + 1} of the import`, entry));
      return store.update((state) => toImport(state, valid));
    },

    onChange: (listener) => store.onChange(listener),

    close() {
      eraser.stop();
      return store.close();
    },
  };
}

const listed = new WeakMap<StoredRecord[], GuestbookEntry[]>();

/** The entries of records: the same array for the same records. */
function toEntries(records: StoredRecord[]): GuestbookEntry[] {
  const entries = listed.get(records) ?? records.map(({ entry }) => entry);
  listed.set(records, entries);
  return entries;
}

function toTotals(entries: readonly GuestbookEntry[]): GuestbookTotals {
  const count = { awaiting: 0, labelled: 0, cleared: 0 };
  for (const { review } of entries) {
    count[review.state] += 1;
  }
  return {
    total: entries.length,
    labelled: count.labelled,
    cleared: count.cleared,
    awaiting_review: count.awaiting,
    unlabelled: count.cleared + count.awaiting,
  };
}

/** What an idempotency key of the last 24 hours wrote. Throws IdempotencyConflict when it wrote something else. */
function findFirstWrite(
  { keys, records }: GuestbookState,
  { key, keyHash, bodyHash }: { key: string; keyHash: string; bodyHash: string },
  at: Date,
): Added | null {
  // Until 2026-11-22 the hash was of the key alone, whoever's it was. Somebody else's write is told by its body.
  const formerHash = toSha256(key).toString('hex');
  const used = keys.findLast(
    ({ key_sha256, body_hash }) => key_sha256 === keyHash || (key_sha256 === formerHash && body_hash === bodyHash),
  );
  if (used === undefined || at.getTime() - Date.parse(used.at) >= keySeconds * 1000) {
    return null;
  }
  if (used.body_hash !== bodyHash) {
    throw new IdempotencyConflict('This idempotency key was used in the last 24 hours with another body.');
  }
  return { replayed: true, id: used.id, entry: records.find(({ entry }) => entry.id === used.id)?.entry ?? null };
}

/** Throws CapReached when one client has all the entries it may have; `moments` are theirs of the last 24 hours, oldest first. */
function refuseBeyondCap(moments: readonly number[], maxPerClient: number, at: Date): void {
  const leaving = moments[moments.length - maxPerClient];
  if (leaving !== undefined) {
    const retryAfterSeconds = Math.max(1, Math.ceil((leaving - at.getTime()) / 1000) + 24 * 3600);
    throw new CapReached(
      retryAfterSeconds,
      `The guestbook is full, and ${moments.length} of its ${guestbookLimits.kept} entries came from this address in the last 24 hours. ` +
        'One address may not push out all others. Write again later, or withdraw an entry of your own.',
    );
  }
}

function toImport(state: GuestbookState, entries: readonly GuestbookEntry[]) {
  const known = new Set(state.records.map(({ entry }) => entry.id));
  const records: StoredRecord[] = [];
  for (const entry of entries) {
    if (!known.has(entry.id)) {
      known.add(entry.id);
      records.push({ entry, token_sha256: null });
    }
  }
  const change: GuestbookChange = { do: 'import', records };
  const kept = new Set(definition.apply(state, change).records.map(({ entry }) => entry.id));
  const dropped = records.filter(({ entry }) => !kept.has(entry.id)).length;
  return {
    change: records.length === 0 ? null : change,
    result: { imported: records.length, skipped: entries.length - records.length, dropped },
  };
}

function toEntry(state: GuestbookState, { tier, keyids, ...fields }: NewEntry, at: Date): GuestbookEntry {
  return toValid(guestbookEntry, `The entry ${JSON.stringify(fields.name)}`, {
    ...fields,
    id: toUnusedId(state),
    signed_at: toSigningTime(state, at),
    identity: { tier, ...(keyids === undefined ? {} : { keyids }) },
    label: null,
    review: { state: 'awaiting' },
    host_reply: null,
  });
}

const toSha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

function find(state: GuestbookState, id: string): StoredRecord {
  const stored = state.records.find(({ entry }) => entry.id === id);
  if (stored === undefined) {
    throw new EntryNotFound(`The guestbook has no entry ${JSON.stringify(id)}.`);
  }
  return stored;
}

function toDecision(state: GuestbookState, id: string, change: GuestbookChange) {
  return { change, result: find(definition.apply(state, change), id).entry };
}

/**
 * The time of a new entry: now, or that of the newest entry where the clock was set back. So the entry that was written last is
 * always the first: whoever reads on from the newest time misses none, and a full guestbook never drops what it has just taken.
 */
function toSigningTime({ records: [newest] }: GuestbookState, now: Date): string {
  const time = now.toISOString();
  return newest !== undefined && newest.entry.signed_at > time ? newest.entry.signed_at : time;
}

function toUnusedId(state: GuestbookState): string {
  for (;;) {
    const id = randomBytes(6).toString('hex');
    if (!state.records.some(({ entry }) => entry.id === id) && !state.keys.some((key) => key.id === id)) {
      return id;
    }
  }
}

function toValid<Value>(schema: z.ZodType<Value>, what: string, value: unknown): Value {
  const result = schema.safeParse(value);
  if (!result.success) {
    throw new Error(`${what} is not valid: ${z.prettifyError(result.error).replaceAll('\n', ' ')}`);
  }
  return result.data;
}
