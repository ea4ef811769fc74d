import { z } from 'zod';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { StorageUnavailable } from '../stores/storage-unavailable.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';

const spentPayment = z.strictObject({
  id: z.string().regex(/^[\w-]{1,64}$/),
  /** Milliseconds since 1970: from then on the id is forgotten. */
  until: z.int(),
});
const spentState = z.strictObject({ spent: z.array(spentPayment) });
type SpentState = z.infer<typeof spentState>;
type SpentChange = z.infer<typeof spentPayment> & { at: number };

const definition: StoreDefinition<SpentState, SpentChange> = {
  version: 1,
  state: spentState,
  empty: () => ({ spent: [] }),
  // A change that ends at once takes a use back.
  apply: ({ spent }, { id, until, at }) => ({
    spent: [...spent.filter((each) => each.until > at && each.id !== id), ...(until > at ? [{ id, until }] : [])],
  }),
};

/** The ids of the payments that were used. Reads are answered from memory. */
export interface PaymentsSpent {
  has(id: string): boolean;
  /**
   * Records a use until a moment; resolves once it is durable. False when it was recorded already: of two callers at the
   * same moment one gets true. Throws StorageUnavailable when it could not be stored, or when no more can be held.
   */
  add(id: string, until: Date): Promise<boolean>;
  /** Takes a use back; resolves once that is durable. Throws StorageUnavailable when it could not be stored. */
  remove(id: string): Promise<void>;
  close(): Promise<void>;
}

interface PaymentsSpentOptions {
  now: () => Date;
  /** Uses held at most, 20,000 unless given. */
  maxPayments?: number;
}

/** Opens the record of used payments; see openStore for what it throws. */
export async function openPaymentsSpent({
  now,
  maxPayments,
  ...options
}: PaymentsSpentOptions & StoreOptions): Promise<PaymentsSpent> {
  return toPaymentsSpent(await openStore(definition, options), { now, maxPayments });
}

/** Builds a record in memory, with the same rules, for tests. */
export function createPaymentsSpent(options: PaymentsSpentOptions): PaymentsSpent {
  return toPaymentsSpent(createStore(definition), options);
}

function toPaymentsSpent(
  store: Store<SpentState, SpentChange>,
  { now, maxPayments = 20_000 }: PaymentsSpentOptions,
): PaymentsSpent {
  return {
    has: (id) => store.state.spent.some((each) => each.id === id),

    add: (id, until) =>
      store.update(({ spent }) => {
        if (spent.some((each) => each.id === id)) {
          return { change: null, result: false };
        }
        const at = now().getTime();
        // Forgetting a use early would let it be used twice, so a full record takes no more.
        if (spent.length >= maxPayments && spent.every((each) => each.until > at)) {
          throw new StorageUnavailable(`${maxPayments} used payments are held, which is all there is room for.`);
        }
        return { change: { ...spentPayment.parse({ id, until: until.getTime() }), at }, result: true };
      }),

    remove: (id) => store.update(() => ({ change: { id, until: 0, at: now().getTime() }, result: undefined })),

    close: () => store.close(),
  };
}
