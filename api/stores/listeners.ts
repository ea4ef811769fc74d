import { toReason } from './storage-unavailable.ts';

/** The listeners of a store. `add` returns the function that takes the listener away; one that throws stops no other. */
export function createListeners(warn: (sentence: string) => void) {
  const listeners = new Set<() => void>();
  return {
    add(listener: () => void): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    call(): void {
      for (const listener of listeners) {
        try {
          listener();
        } catch (error) {
          warn(`A listener of a store threw: ${toReason(error)}`);
        }
      }
    },
  };
}
