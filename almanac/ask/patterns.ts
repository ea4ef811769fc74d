/** An occurrence more than this adds nothing: a question has few of them, hostile text has many. */
const MAX_OCCURRENCES = 4;

const compiled = new Map<RegExp, RegExp>();

/**
 * Patterns run on the words of a question, one space before and after each. In a pattern "… " stands for up to five
 * words that the pattern does not account for: `/ is … deprecated /` explains "is" and "deprecated" and nothing
 * between them.
 */
export function compilePattern(pattern: RegExp): RegExp {
  const known = compiled.get(pattern);
  if (known !== undefined) {
    return known;
  }
  let gaps = 0;
  const source = pattern.source.replace(/… /g, () => `(?<gap${gaps++}>(?:\\S+ ){0,5})`);
  const made = gaps === 0 ? pattern : new RegExp(source, `${pattern.flags}d`);
  compiled.set(pattern, made);
  return made;
}

/** Whether the pattern occurs in the words. */
export function matchesWords(pattern: RegExp, words: string): boolean {
  return compilePattern(pattern).test(words);
}

/** Offsets of the words that a pattern accounts for wherever it occurs, without its gaps. */
export function findCovered(pattern: RegExp, words: string): [from: number, to: number][] {
  const covered: [number, number][] = [];
  const made = compilePattern(pattern);
  let rest = words;
  let base = 0;
  for (let round = 0; round < MAX_OCCURRENCES; round++) {
    const match = made.exec(rest);
    if (match === null) {
      break;
    }
    const end = match.index + match[0].length;
    let from = match.index;
    for (const gap of Object.values(match.indices?.groups ?? {}).filter((range) => range !== undefined)) {
      covered.push([base + from, base + gap[0]]);
      from = gap[1];
    }
    covered.push([base + from, base + end]);
    // The next occurrence may begin with the space that ended this one.
    const next = Math.max(end - 1, match.index + 1);
    base += next;
    rest = rest.slice(next);
    if (pattern.source.startsWith('^')) {
      break;
    }
  }
  return covered;
}
