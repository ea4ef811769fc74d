import { LRUCache } from 'lru-cache';
import { synonymsOf } from './lexicon.ts';

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;
/** For how many words it's remembered who speaks of them: the parts of a question have the words of the whole. */
const REMEMBERED = 100;

/** Who speaks of a word, and how much (0 to 1): two lists, which take a third of the room of one of pairs. */
interface Posting<Held> {
  held: Held[];
  shares: number[];
}

/** Who speaks of a word or of one that means the same, each once, and by which form. */
export interface Spoken<Held> extends Posting<Held> {
  forms: string[];
}

/** Who speaks of which word. */
export class Postings<Held> {
  readonly #byStem = new Map<string, Posting<Held>>();
  readonly #found = new LRUCache<string, Spoken<Held>>({ max: REMEMBERED });

  add(stem: string, held: Held, share: number): void {
    const list = this.#byStem.get(stem);
    if (list === undefined) {
      this.#byStem.set(stem, { held: [held], shares: [share] });
    } else {
      list.held.push(held);
      list.shares.push(share);
    }
  }

  /** Who speaks of a word, or of one that means the same; by the form that says most. */
  find(stem: string): Spoken<Held> {
    const known = this.#found.get(stem) ?? this.#merge(stem);
    this.#found.set(stem, known);
    return known;
  }

  #merge(stem: string): Spoken<Held> {
    const found: Spoken<Held> = { held: [], shares: [], forms: [] };
    const placeOf = new Map<Held, number>();
    for (const form of new Set([stem, ...synonymsOf(stem)])) {
      const { held, shares } = this.#byStem.get(form) ?? { held: [], shares: [] };
      for (const [at, one] of held.entries()) {
        const share = (shares[at] ?? 0) * (form === stem ? 1 : SYNONYM);
        const place = placeOf.get(one) ?? found.held.length;
        if (share > (found.shares[place] ?? 0)) {
          placeOf.set(one, place);
          found.held[place] = one;
          found.shares[place] = share;
          found.forms[place] = form;
        }
      }
    }
    return found;
  }
}
