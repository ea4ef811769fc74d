import { synonymsOf } from './lexicon.ts';

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;

/** For each stem what has it, with how much it speaks of it (0 to 1). */
export type Postings<Held> = Map<string, { held: Held; share: number }[]>;

export function addPosting<Held>(to: Postings<Held>, stem: string, held: Held, share: number): void {
  const list = to.get(stem);
  if (list === undefined) {
    to.set(stem, [{ held, share }]);
  } else {
    list.push({ held, share });
  }
}

/** How much each holder speaks of a word, or of one that means the same. */
export function findPostings<Held>(from: Postings<Held>, stem: string): Map<Held, { share: number; form: string }> {
  const found = new Map<Held, { share: number; form: string }>();
  for (const form of new Set([stem, ...synonymsOf(stem)])) {
    const part = form === stem ? 1 : SYNONYM;
    for (const { held, share } of from.get(form) ?? []) {
      if ((found.get(held)?.share ?? 0) < share * part) {
        found.set(held, { share: share * part, form });
      }
    }
  }
  return found;
}
