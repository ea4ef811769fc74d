import document from './data/meanings.json' with { type: 'json' };

/**
 * What words mean, and pairs of words that follow one another, as vectors: those that lead to the same sections point the
 * same way, whether or not they're alike. `npm run ask:train` learns them from the questions that are kept with sections
 * and records.
 */
export interface MeaningsFile {
  size: number;
  /** Stems and pairs of stems, `|` between them. */
  terms: string;
  /** Of each term in turn its vector, bytes from -127 to 127 in base64. How long it is says how much the term tells. */
  vectors: string;
}

const { size, terms, vectors } = document as MeaningsFile;
const placeOf = new Map(terms.split('|').map((term, place) => [term, place]));
const held = new Int8Array(Buffer.from(vectors, 'base64'));

/** A direction, of length 1 unless no word of it is known. */
export type Meaning = Float32Array;

/** What a text is told apart by: its stems, each once, and the pairs of those that follow one another. */
export function termsOf(stems: Iterable<string>): string[] {
  const words = [...new Set(stems)];
  return [...words, ...words.slice(1).map((word, at) => `${words[at]} ${word}`)];
}

/** Where the vectors begin of the terms of a text. */
function startsOf(stems: Iterable<string>): number[] {
  return termsOf(stems).flatMap((term) => {
    const place = placeOf.get(term);
    return place === undefined ? [] : [place * size];
  });
}

/** Adds up several vectors in `sum`. */
function sumOf(starts: readonly number[], sum: Float32Array): Float32Array {
  sum.fill(0);
  for (const start of starts) {
    for (let at = 0; at < size; at++) {
      sum[at] = (sum[at] as number) + (held[start + at] as number);
    }
  }
  return sum;
}

/** By what a vector has to be multiplied to be 1 long. */
function shareOf(vector: Float32Array): number {
  let square = 0;
  for (let at = 0; at < size; at++) {
    square += (vector[at] as number) * (vector[at] as number);
  }
  return square === 0 ? 0 : 1 / Math.sqrt(square);
}

/** Makes a vector 1 long, in place. */
function toLength(vector: Float32Array): Meaning {
  const share = shareOf(vector);
  for (let at = 0; at < size; at++) {
    vector[at] = (vector[at] as number) * share;
  }
  return vector;
}

/** What a text means, by its stems in their order. */
export const meaningOf = (stems: Iterable<string>): Meaning => toLength(sumOf(startsOf(stems), new Float32Array(size)));

/** What several texts mean together, each of them counting the same. */
export function meanOf(meanings: readonly Meaning[]): Meaning {
  const sum = new Float32Array(size);
  for (const meaning of meanings) {
    for (let at = 0; at < size; at++) {
      sum[at] = (sum[at] as number) + (meaning[at] as number);
    }
  }
  return toLength(sum);
}

/** -1 to 1: how near two meanings are. */
export function nearnessOf(one: Meaning, other: Meaning): number {
  let sum = 0;
  for (let at = 0; at < size; at++) {
    sum += (one[at] as number) * (other[at] as number);
  }
  return sum;
}

/** -1 to 1: how near two meanings are as seen from a third, which both have something of. */
export function apartOf(one: Meaning, other: Meaning, from: Meaning): number {
  let sum = 0;
  let ofOne = 0;
  let ofOther = 0;
  for (let at = 0; at < size; at++) {
    const a = (one[at] as number) - (from[at] as number);
    const b = (other[at] as number) - (from[at] as number);
    sum += a * b;
    ofOne += a * a;
    ofOther += b * b;
  }
  return ofOne === 0 || ofOther === 0 ? 0 : sum / Math.sqrt(ofOne * ofOther);
}

/** What each of many texts means, by all that is added for it. */
export class Meanings {
  readonly #of: Float32Array;
  readonly #sum = new Float32Array(size);

  /** So many texts, by their numbers, or what was packed before. */
  constructor(of: number | Float32Array) {
    this.#of = typeof of === 'number' ? new Float32Array(of * size) : of;
  }

  /** What was packed, to be written down. */
  toData = (): Float32Array => this.#of;

  /** Adds what some words mean, by their stems in their order, as one of the meanings of a text. */
  add(text: number, stems: Iterable<string>): void {
    const from = text * size;
    const meaning = sumOf(startsOf(stems), this.#sum);
    const share = shareOf(meaning);
    for (let at = 0; at < size; at++) {
      this.#of[from + at] = (this.#of[from + at] as number) + (meaning[at] as number) * share;
    }
  }

  /** Ends adding. */
  pack(): void {
    for (let from = 0; from < this.#of.length; from += size) {
      toLength(this.#of.subarray(from, from + size));
    }
  }

  /** -1 to 1: how near each text is to a meaning. */
  compare(meaning: Meaning): Float32Array {
    const of = this.#of;
    const near = new Float32Array(of.length / size);
    // Four at a time, whose sums don't wait for one another; the last four may begin among those before.
    for (let next = 0; next < near.length; next += 4) {
      const text = Math.max(0, Math.min(next, near.length - 4));
      const from = text * size;
      let [one, two, three, four] = [0, 0, 0, 0];
      for (let at = from; at < from + size; at++) {
        const share = meaning[at - from] as number;
        one += (of[at] as number) * share;
        two += (of[at + size] as number) * share;
        three += (of[at + 2 * size] as number) * share;
        four += (of[at + 3 * size] as number) * share;
      }
      near[text] = one;
      near[text + 1] = two;
      near[text + 2] = three;
      near[text + 3] = four;
    }
    return near;
  }
}
