import { type FilePlace, openFileStore } from './file-store.ts';
import { openPostgresStore, type PostgresPlace } from './postgres/store.ts';
import type { Store, StoreDefinition } from './store.ts';

/** Where a store lies: in files of its own, or under a name in a database. */
export type StoreOptions = FilePlace | PostgresPlace;

/** Opens a durable store where it lies. The engines keep the same promises; see each for what it throws. */
export function openStore<State, Change>(
  definition: StoreDefinition<State, Change>,
  place: StoreOptions,
): Promise<Store<State, Change>> {
  return 'database' in place ? openPostgresStore(definition, place) : openFileStore(definition, place);
}
