import { type MeaningsFile, termsOf } from '#almanac/ask/meaning.ts';

/** A text, by its stems, and the number of the section or record that it leads to. */
export interface Leading {
  stems: readonly string[];
  to: number;
}

const SIZE = 96;
const ROUNDS = 7;
const RATE = 0.5;
/** By how much the steps grow smaller from the first round to the last. */
const LESS_AT_LAST = 0.8;
/** Vectors of terms learn in smaller steps than those of sections. */
const RATE_OF_TERMS = 0.3;
const DECAY = 1e-4;
/** How many of the terms of a text are left out each time: none may carry a meaning alone. */
const LEFT_OUT = 0.15;
/** How many texts have to have a word, and how many a pair of words. */
const LEAST_TEXTS = 2;
const LEAST_TEXTS_OF_PAIR = 6;
/** A term that every text has tells this much of what a rare one does. */
const LEAST_TOLD = 0.02;
const RARE = 20;
/** Sections less likely than this teach nothing. */
const LEAST_CHANCE = 1e-4;
const LARGEST = 127;

/** Numbers from 0 to 1 that look random and are the same each time. */
function createRandom(): () => number {
  let state = 7;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function shuffle<T>(list: T[], random: () => number): void {
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1));
    [list[at], list[other]] = [list[other] as T, list[at] as T];
  }
}

/** How much each term tells: the fewer texts have it, the more. */
function weighTerms(texts: readonly (readonly string[])[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of texts.flat()) {
    counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  const most = Math.log(1 + texts.length / RARE);
  return new Map(
    [...counts]
      .filter(([term, count]) => count >= (term.includes(' ') ? LEAST_TEXTS_OF_PAIR : LEAST_TEXTS))
      .map(([term, count]) => [term, Math.max(LEAST_TOLD, Math.log(1 + texts.length / (count + RARE)) / most)]),
  );
}

/**
 * Learns a vector for each term, so that the sum of those of a text tells which of `count` sections it leads to (softmax
 * regression on averaged word vectors, as in fastText, with AdaGrad). The same texts give the same vectors.
 */
export function learnMeanings(texts: readonly Leading[], count: number, tell: (round: number) => void): MeaningsFile {
  const random = createRandom();
  const terms = texts.map(({ stems }) => termsOf(stems));
  const told = weighTerms(terms);
  const numberOf = new Map([...told.keys()].map((term, number) => [term, number]));
  const weights = Float32Array.from(told.values());
  const ofTerms = Float32Array.from({ length: weights.length * SIZE }, () => (random() - 0.5) * 0.1);
  const ofSections = Float32Array.from({ length: count * SIZE }, () => (random() - 0.5) * 0.1);
  const shifts = new Float32Array(count);
  const stepsOfTerms = new Float32Array(weights.length).fill(0.01);
  const stepsOfSections = new Float32Array(count).fill(0.01);
  const read = texts.map(({ to }, text) => ({
    to,
    words: (terms[text] ?? []).flatMap((term) => numberOf.get(term) ?? []),
  }));
  const sum = new Float32Array(SIZE);
  const slope = new Float32Array(SIZE);
  const chances = new Float32Array(count);
  const dot = (vectors: Float32Array, from: number): number => {
    let product = 0;
    for (let at = 0; at < SIZE; at++) {
      product += (vectors[from + at] as number) * (sum[at] as number);
    }
    return product;
  };
  const add = (vector: Float32Array, from: number, other: Float32Array, amount: number): void => {
    for (let at = 0; at < SIZE; at++) {
      vector[from + at] = (vector[from + at] as number) + amount * (other[at] as number);
    }
  };
  const square = (vector: Float32Array): number => vector.reduce((whole, one) => whole + one * one, 0);

  function learn(words: readonly number[], to: number, rate: number): void {
    const length = Math.sqrt(words.reduce((whole, word) => whole + (weights[word] as number) ** 2, 0));
    sum.fill(0);
    for (const word of words) {
      add(sum, 0, ofTerms.subarray(word * SIZE, (word + 1) * SIZE), (weights[word] as number) / length);
    }
    for (let section = 0; section < count; section++) {
      chances[section] = (shifts[section] as number) + dot(ofSections, section * SIZE);
    }
    const most = chances.reduce((a, b) => Math.max(a, b));
    const whole = chances.reduce((total, odds) => total + Math.exp(odds - most), 0);
    slope.fill(0);
    const size = square(sum) / SIZE;
    for (let section = 0; section < count; section++) {
      const error = Math.exp((chances[section] as number) - most) / whole - (section === to ? 1 : 0);
      if (Math.abs(error) < LEAST_CHANCE) {
        continue;
      }
      add(slope, 0, ofSections.subarray(section * SIZE, (section + 1) * SIZE), error);
      stepsOfSections[section] = (stepsOfSections[section] as number) + error * error * size;
      add(ofSections, section * SIZE, sum, (-rate * error) / Math.sqrt(stepsOfSections[section] as number));
      shifts[section] = (shifts[section] as number) - 0.1 * rate * error;
    }
    const steepness = square(slope) / SIZE;
    for (const word of words) {
      const share = (weights[word] as number) / length;
      stepsOfTerms[word] = (stepsOfTerms[word] as number) + share * share * steepness;
      const own = ofTerms.subarray(word * SIZE, (word + 1) * SIZE);
      add(own, 0, own, -DECAY);
      add(own, 0, slope, (-RATE_OF_TERMS * rate * share) / Math.sqrt(stepsOfTerms[word] as number));
    }
  }

  for (let round = 1; round <= ROUNDS; round++) {
    tell(round);
    shuffle(read, random);
    const rate = RATE * (1 - (LESS_AT_LAST * (round - 1)) / ROUNDS);
    for (const { words, to } of read) {
      const kept = words.length < 3 ? words : words.filter(() => random() >= LEFT_OUT);
      if (kept.length > 0) {
        learn(kept, to, rate);
      }
    }
  }
  const scaled = ofTerms.map((value, at) => value * (weights[Math.floor(at / SIZE)] as number));
  const largest = scaled.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const bytes = Int8Array.from(scaled, (value) => Math.round((value / largest) * LARGEST));
  return {
    size: SIZE,
    terms: [...told.keys()].join('|'),
    vectors: Buffer.from(bytes.buffer).toString('base64'),
  };
}
