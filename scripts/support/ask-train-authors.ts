/** Whose questions the ranker learns from, by the letter in the file of the questions: their name, and how much a question counts. */
interface Author {
  name: string;
  /** Look-ups are many and alike; open questions are what visitors ask. */
  share: number;
  /** Each question is learnt from a second time, as if nobody had written it down. */
  isAlsoNew: boolean;
}

export const authors: Readonly<Record<string, Author>> = {
  a: { name: 'natural', share: 1, isAlsoNew: true },
  b: { name: 'lookups', share: 1, isAlsoNew: false },
  c: { name: 'visitors', share: 1, isAlsoNew: true },
  d: { name: 'errands', share: 1, isAlsoNew: true },
  e: { name: 'walk-ins', share: 2, isAlsoNew: true },
  f: { name: 'strangers', share: 2, isAlsoNew: true },
  g: { name: 'passers-by', share: 2, isAlsoNew: true },
  h: { name: 'newcomers', share: 2, isAlsoNew: true },
  i: { name: 'neighbours', share: 1, isAlsoNew: true },
  k: { name: 'enquirers', share: 2, isAlsoNew: true },
  l: { name: 'callers', share: 2, isAlsoNew: true },
  m: { name: 'correspondents', share: 2, isAlsoNew: true },
  n: { name: 'guests', share: 2, isAlsoNew: true },
  o: { name: 'onlookers', share: 1, isAlsoNew: false },
  p: { name: 'practitioners', share: 2, isAlsoNew: true },
  q: { name: 'wayfarers', share: 2, isAlsoNew: true },
  r: { name: 'tinkerers', share: 2, isAlsoNew: true },
  t: { name: 'askers', share: 2, isAlsoNew: true },
  u: { name: 'counters', share: 2, isAlsoNew: false },
  j: { name: 'storytellers', share: 2, isAlsoNew: true },
  ab: { name: 'inquirers', share: 2, isAlsoNew: true },
  ac: { name: 'browsers', share: 2, isAlsoNew: true },
  y: { name: 'residents', share: 2, isAlsoNew: true },
  z: { name: 'researchers', share: 2, isAlsoNew: true },
};

/** What is known of an author; somebody who has no row goes by the letter, and each question counts once. */
export const authorOf = (letter: string): Author => authors[letter] ?? { name: letter, share: 1, isAlsoNew: true };

/** Tells what is done, a line for each step: which of how many, and how long after the start. */
export function createProgress(steps: number, write: (line: string) => void, now = () => performance.now()) {
  const start = now();
  let step = 0;
  return (what: string): void => {
    step += 1;
    write(`[${step}/${steps}] ${((now() - start) / 1000).toFixed(0)} s: ${what}\n`);
  };
}
