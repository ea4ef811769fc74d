import { synonymsOf } from './lexicon.ts';

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;

/** A word that means what was asked, what it counts, and from where to where in the lists they are that speak of it. */
interface Form {
  form: string;
  worth: number;
  from: number;
  to: number;
}

/** Who speaks of which word, by number, and how much: numbers in two lists take a tenth of the room of objects. */
export class Postings {
  /** The place of each word. */
  readonly #places = new Map<string, number>();
  #added: { held: number[]; shares: number[] }[] = [];
  #starts = new Uint32Array();
  /** Who speaks of the first word, then who speaks of the second, in the order of their numbers. */
  held = new Uint32Array();
  shares = new Float64Array();

  /** Numbers have to rise. */
  add(stem: string, holder: number, share?: number): void {
    let place = this.#places.get(stem);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(stem, place);
      this.#added.push({ held: [], shares: [] });
    }
    this.#added[place]?.held.push(holder);
    if (share !== undefined) {
      this.#added[place]?.shares.push(share);
    }
  }

  /** Puts what was added into the lists. */
  pack(): void {
    let size = 0;
    this.#starts = Uint32Array.from([0, ...this.#added.map(({ held }) => (size += held.length))]);
    this.held = Uint32Array.from(this.#added.flatMap(({ held }) => held));
    this.shares = Float64Array.from(this.#added.flatMap(({ shares }) => shares));
    this.#added = [];
  }

  /** All words, each with where its holders are. */
  *words(): Iterable<Form> {
    for (const form of this.#places.keys()) {
      yield this.#find(form, 1);
    }
  }

  /** A word and those that mean the same. */
  formsOf(stem: string): Form[] {
    const others = [...synonymsOf(stem)].filter((form) => form !== stem);
    return [this.#find(stem, 1), ...others.map((form) => this.#find(form, SYNONYM))];
  }

  /** How many from one number to another speak of a word. */
  count(stem: string, first = 0, last = Number.POSITIVE_INFINITY): number {
    const { from, to } = this.#find(stem, 1);
    return this.#seek(from, to, last + 1) - this.#seek(from, to, first);
  }

  #find(form: string, worth: number): Form {
    const place = this.#places.get(form) ?? -1;
    return { form, worth, from: this.#starts[place] ?? 0, to: place < 0 ? 0 : (this.#starts[place + 1] ?? 0) };
  }

  /** Where from a place on the first number is that is no smaller than one. */
  #seek(from: number, to: number, holder: number): number {
    let [low, high] = [from, to];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.held[middle] ?? 0) < holder) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
