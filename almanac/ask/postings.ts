import { synonymsOf } from './lexicon.ts';

/** How a word counts that only means the same as the one that was asked. */
const SYNONYM = 0.6;

/** A word that means what was asked, what it counts, and from where to where in the lists they are that speak of it. */
export interface Form {
  form: string;
  worth: number;
  from: number;
  to: number;
}

/** What was added in its order, and where each word was added last. */
class Added {
  words: number[] = [];
  held: number[] = [];
  shares: number[] = [];
  last: number[] = [];
}

/** Packed postings as they're written down. */
export interface PostingsData {
  /** Stems with spaces between them, in the order of their numbers. */
  words: string;
  starts: Uint32Array;
  held: Uint32Array;
  shares: Float64Array;
}

/** Who speaks of which word, by number, and how much: numbers in two lists take a tenth of the room of objects. */
export class Postings {
  readonly #wordOf: Map<string, number>;
  #added = new Added();
  #starts: Uint32Array;
  /** Who speaks of the first word, then who speaks of the second, in the order of their numbers. */
  held: Uint32Array;
  shares: Float64Array;

  /** Empty, to be added to, or packed as they were written down. */
  constructor(data?: PostingsData) {
    this.#wordOf = new Map(data?.words.split(' ').map((word, number) => [word, number]));
    this.#starts = data?.starts ?? new Uint32Array();
    this.held = data?.held ?? new Uint32Array();
    this.shares = data?.shares ?? new Float64Array();
  }

  /** What was packed, to be written down. */
  toData(): PostingsData {
    return { words: [...this.#wordOf.keys()].join(' '), starts: this.#starts, held: this.held, shares: this.shares };
  }

  /** The number of a word, which is a new one where it's new. */
  numberOf(stem: string): number {
    const known = this.#wordOf.get(stem);
    if (known !== undefined) {
      return known;
    }
    const number = this.#added.last.push(-1) - 1;
    this.#wordOf.set(stem, number);
    return number;
  }

  /** Numbers have to rise; what is added for the same number once more counts more. False where it was. */
  add(stem: string, holder: number, share = 1): boolean {
    return this.addNumber(this.numberOf(stem), holder, share);
  }

  /** The same of a word by its number. */
  addNumber(word: number, holder: number, share = 1): boolean {
    const { words, held, shares, last } = this.#added;
    const known = last[word] as number;
    if (known >= 0 && held[known] === holder) {
      shares[known] = (shares[known] as number) + share;
      return false;
    }
    last[word] = words.length;
    words.push(word);
    held.push(holder);
    shares.push(share);
    return true;
  }

  /** Puts what was added into the lists. */
  pack(): void {
    const { words, held, shares, last } = this.#added;
    const ends = new Uint32Array(last.length);
    for (const word of words) {
      ends[word] = (ends[word] as number) + 1;
    }
    let size = 0;
    this.#starts = Uint32Array.from([0, ...ends.map((count) => (size += count))]);
    this.held = new Uint32Array(size);
    this.shares = new Float64Array(size);
    ends.set(this.#starts.subarray(0, last.length));
    for (let at = 0; at < size; at++) {
      const word = words[at] as number;
      const place = ends[word] as number;
      ends[word] = place + 1;
      this.held[place] = held[at] as number;
      this.shares[place] = shares[at] as number;
    }
    this.#added = new Added();
  }

  /** All words, each with where its holders are. */
  *words(): Iterable<Form> {
    for (const form of this.#wordOf.keys()) {
      yield this.#find(form, 1);
    }
  }

  /** A word and those that mean the same. */
  formsOf(stem: string): [Form, ...Form[]] {
    const others = [...synonymsOf(stem)].filter((form) => form !== stem);
    return [this.#find(stem, 1), ...others.map((form) => this.#find(form, SYNONYM))];
  }

  /** How many from one number to another speak of a word, which may have been found before. */
  count(stem: string | Form, first = 0, last = Number.POSITIVE_INFINITY): number {
    const { from, to } = typeof stem === 'string' ? this.#find(stem, 1) : stem;
    return this.#seek(from, to, last + 1) - this.#seek(from, to, first);
  }

  #find(form: string, worth: number): Form {
    const word = this.#wordOf.get(form) ?? -1;
    return { form, worth, from: this.#starts[word] ?? 0, to: word < 0 ? 0 : (this.#starts[word + 1] ?? 0) };
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
