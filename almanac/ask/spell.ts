/** Words of other lengths are left alone: short ones have too many neighbours, long ones are no words. */
const MIN_LENGTH = 4;
const MAX_LENGTH = 28;

const allowedDistance = (length: number): number => (length >= 9 ? 2 : length >= MIN_LENGTH ? 1 : 0);

/** Damerau-Levenshtein distance (adjacent letters may change places), or null when it exceeds `limit`. */
export function editDistance(a: string, b: string, limit: number): number | null {
  if (Math.abs(a.length - b.length) > limit) {
    return null;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let best = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1;
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) {
      return null;
    }
    beforeLast = last;
    last = row;
  }
  const distance = last[b.length] ?? 0;
  return distance <= limit ? distance : null;
}

/** "larger" and "large" are two forms of one word, and both are spelt right. */
function isInflection(word: string, candidate: string): boolean {
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  return long.startsWith(short) && /^(s|d|r|er|ed|es|ly|al|n|y)$/.test(long.slice(short.length));
}

/** One bit for each letter that a word has: two words an edit apart differ in at most two of them. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let index = 0; index < word.length; index++) {
    letters |= 1 << (word.charCodeAt(index) & 31);
  }
  return letters;
}

function countBits(bits: number): number {
  let count = 0;
  for (let left = bits; left !== 0; left &= left - 1) {
    count++;
  }
  return count;
}

/** "standardized" and "standardised", "honor" and "honour". */
const inOneSpelling = (word: string): string => word.replaceAll('z', 's').replaceAll('our', 'or');

export interface Speller {
  /**
   * The nearest known word, or null when none is near enough or two are equally near. A variant is the same word with a
   * letter once for twice, or in the other spelling of English.
   */
  correct(word: string): { word: string; distance: number; isVariant: boolean } | null;
}

/**
 * Finds known words near a misspelt one: those of about its length and with about its letters are compared. Words of
 * letters only: a changed digit is another version, never a typo. `preferred` words win a tie.
 */
export function createSpeller(vocabulary: Iterable<string>, preferred: ReadonlySet<string>): Speller {
  const byLength = new Map<number, { word: string; letters: number }[]>();
  for (const word of new Set(vocabulary)) {
    if (word.length >= MIN_LENGTH && word.length <= MAX_LENGTH && /^\p{L}+$/u.test(word)) {
      const words = byLength.get(word.length) ?? [];
      words.push({ word, letters: lettersOf(word) });
      byLength.set(word.length, words);
    }
  }
  /** "lama" and "qwenn": a letter once for twice, or twice for once. */
  const isDoubled = (word: string, known: string): boolean =>
    word.replace(/(.)\1/g, '$1') === known.replace(/(.)\1/g, '$1');
  const isVariant = (word: string, known: string): boolean =>
    isDoubled(word, known) || inOneSpelling(word) === inOneSpelling(known);
  /** A letter in front or behind makes another name, "xGPTBot" and "GPTBotX", unless it only doubles one: "acces". */
  const isOther = (word: string, known: string): boolean =>
    (isInflection(word, known) || word.slice(1) === known || word.slice(0, -1) === known) && !isDoubled(word, known);
  const sorted = (word: string): string => [...word].sort().join('');
  /** Of words equally near, the one with the same letters, then the one of which a letter was left out. */
  const rank = (asked: string, { word, distance }: { word: string; distance: number }): number =>
    distance -
    (preferred.has(word) ? 0.5 : 0) -
    (isDoubled(asked, word) || sorted(word) === sorted(asked) ? 0.2 : word.length > asked.length ? 0.1 : 0);
  return {
    correct(word) {
      if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) {
        return null;
      }
      const most = allowedDistance(word.length);
      const letters = lettersOf(word);
      const near: { word: string; distance: number }[] = [];
      for (let length = word.length - most; length <= word.length + most; length++) {
        const limit = Math.min(most, allowedDistance(length));
        for (const known of byLength.get(length) ?? []) {
          const isNear = countBits(letters ^ known.letters) <= 2 * limit;
          if (!isNear || isOther(word, known.word) || (length < 5 && !preferred.has(known.word))) {
            continue;
          }
          const distance = editDistance(word, known.word, limit);
          if (distance !== null) {
            near.push({ word: known.word, distance });
          }
        }
      }
      const [best, second] = near.sort((a, b) => rank(word, a) - rank(word, b));
      const isTied = best !== undefined && second !== undefined && rank(word, best) === rank(word, second);
      return best === undefined || isTied ? null : { ...best, isVariant: isVariant(word, best.word) };
    },
  };
}
