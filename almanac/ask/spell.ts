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

function withoutOne(word: string): string[] {
  return Array.from(word, (_, index) => word.slice(0, index) + word.slice(index + 1));
}

function toDeletions(word: string): Set<string> {
  const once = withoutOne(word);
  return new Set([word, ...once, ...(allowedDistance(word.length) === 2 ? once.flatMap(withoutOne) : [])]);
}

export interface Speller {
  /** The nearest known word, or null when none is near enough or two are equally near. */
  correct(word: string): { word: string; distance: number } | null;
}

/**
 * Finds known words near a misspelt one by comparing deletions of letters (symmetric delete), so that the cost does
 * not grow with the vocabulary. Words of letters only: a changed digit is another version, never a typo.
 * `preferred` words win a tie.
 */
export function createSpeller(vocabulary: Iterable<string>, preferred: ReadonlySet<string>): Speller {
  const byDeletion = new Map<string, string[]>();
  for (const word of new Set(vocabulary)) {
    if (word.length < MIN_LENGTH || word.length > MAX_LENGTH || !/^\p{L}+$/u.test(word)) {
      continue;
    }
    for (const deletion of toDeletions(word)) {
      const words = byDeletion.get(deletion);
      if (words === undefined) {
        byDeletion.set(deletion, [word]);
      } else {
        words.push(word);
      }
    }
  }
  return {
    correct(word) {
      if (word.length < MIN_LENGTH || word.length > MAX_LENGTH) {
        return null;
      }
      const near: { word: string; distance: number }[] = [];
      const seen = new Set<string>();
      for (const deletion of toDeletions(word)) {
        for (const candidate of byDeletion.get(deletion) ?? []) {
          if (seen.has(candidate) || (candidate.length < 5 && !preferred.has(candidate))) {
            continue;
          }
          seen.add(candidate);
          // A letter in front or behind makes another name: "xGPTBot" and "GPTBotX" are no misspelt GPTBot.
          if (word.slice(1) === candidate || word.slice(0, -1) === candidate || isInflection(word, candidate)) {
            continue;
          }
          const limit = Math.min(allowedDistance(word.length), allowedDistance(candidate.length));
          const distance = editDistance(word, candidate, limit);
          if (distance !== null) {
            near.push({ word: candidate, distance });
          }
        }
      }
      const rank = ({ word: candidate, distance }: { word: string; distance: number }): number =>
        distance - (preferred.has(candidate) ? 0.5 : 0);
      const [best, second] = near.sort((a, b) => rank(a) - rank(b));
      const isTied = best !== undefined && second !== undefined && rank(best) === rank(second);
      return best === undefined || isTied ? null : best;
    },
  };
}
