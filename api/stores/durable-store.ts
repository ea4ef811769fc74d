import { type FilePlace, openFileStore } from './file-store.ts';
import { openPostgresStore, type PostgresPlace } from './postgres/store.ts';
import type { Store, StoreDefinition } from './store.ts';

/** A store as it is at one moment. `state` is of the format version. */
export interface StoreSnapshot {
  name: string;
  version: number;
  state: unknown;
}

/** Where a store lies: in files of its own, or under a name in a database. */
export type StoreOptions = (FilePlace | PostgresPlace) & {
  /** Gets, once the store is open, what reads it whole. */
  onOpen?: (read: () => Omit<StoreSnapshot, 'name'>) => void;
};

/** Opens a durable store where it lies. The engines keep the same promises; see each for what it throws. */
export async function openStore<State, Change>(
  definition: StoreDefinition<State, Change>,
  place: StoreOptions,
): Promise<Store<State, Change>> {
  const store = await ('database' in place ? openPostgresStore(definition, place) : openFileStore(definition, place));
  place.onOpen?.(() => ({ version: definition.version, state: store.state }));
  return store;
}
