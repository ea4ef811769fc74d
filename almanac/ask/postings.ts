import { synonymsOf } from './lexicon.ts';

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;

/** For each stem what has it, with how much it speaks of it (0 to 1): two lists, which take a third of the room of one of pairs. */
export type Postings<Held> = Map<string, { held: Held[]; shares: number[] }>;

export function addPosting<Held>(to: Postings<Held>, stem: string, held: Held, share: number): void {
  const list = to.get(stem);
  if (list === undefined) {
    to.set(stem, { held: [held], shares: [share] });
  } else {
    list.held.push(held);
    list.shares.push(share);
  }
}

/** Who speaks of a word, or of one that means the same, how much, and by which form. */
export interface Spoken<Held> {
  held: Held;
  share: number;
  form: string;
}

/** How much each holder speaks of a word, or of one that means the same; each once, by the form that says most. */
export function findPostings<Held>(from: Postings<Held>, stem: string): Iterable<Spoken<Held>> {
  const forms = [stem, ...synonymsOf(stem).difference(new Set([stem]))].filter((form) => from.has(form));
  const spokenBy = (form: string): Spoken<Held>[] => {
    const part = form === stem ? 1 : SYNONYM;
    const list = from.get(form);
    return (list?.held ?? []).map((held, at) => ({ held, share: (list?.shares[at] ?? 0) * part, form }));
  };
  const [only, ...others] = forms;
  if (only === undefined || others.length === 0) {
    return only === undefined ? [] : spokenBy(only);
  }
  const found = new Map<Held, Spoken<Held>>();
  for (const spoken of forms.flatMap(spokenBy)) {
    if ((found.get(spoken.held)?.share ?? 0) < spoken.share) {
      found.set(spoken.held, spoken);
    }
  }
  return found.values();
}
