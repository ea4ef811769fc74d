import { toSearchStem } from './almanac-index.ts';
import type { Token } from './tokens.ts';
import { neutralWords, stopWords } from './words.ts';

interface Span {
  from: number;
  to: number;
}

/** Who does what in a yes/no question: "Cloudflare" and "block" in "Does Cloudflare block GPTBot by default?". */
export interface Clause {
  /** The tokens that name who acts. */
  actor: Span;
  /** The position of the verb. */
  verb: number;
}

const auxiliary = /^(do|does|did|has|have|had|will|can|could)$/;
const determiner = /^(not|the|a|an|all|any|most)$/;
const adverb = /^(not|never|also|still|really|actually|always|already|currently|now|even|ever|only)$/;

/**
 * Reads the clause of a question from its tokens and the names in it. Null when the actor is no name, when the verb is
 * one that carries no meaning of its own ("have", "support"), or when there is none. "Can GPTBot be verified?" names
 * nobody who acts.
 */
export function readClause(tokens: readonly Token[], names: readonly Span[]): Clause | null {
  const nameAt = (position: number): Span | undefined =>
    names.find(({ from, to }) => from <= position && position < to);
  let position = tokens.findIndex(({ word }) => auxiliary.test(word)) + 1;
  while (position > 0 && determiner.test(tokens[position]?.word ?? '')) {
    position++;
  }
  const actor = nameAt(position);
  if (position === 0 || actor === undefined) {
    return null;
  }
  let end = actor.to;
  for (let word = tokens[end]?.word ?? ''; word !== ''; word = tokens[end]?.word ?? '') {
    const next = nameAt(end + 1);
    if (/^(and|or)$/.test(word) && next !== undefined) {
      end = next.to;
    } else if (/^(be|been|being)$/.test(word)) {
      return null;
    } else if (adverb.test(word) || stopWords.has(word) || neutralWords.has(word)) {
      end++;
    } else {
      break;
    }
  }
  const isVerb = end < tokens.length && nameAt(end) === undefined && !tokens[end]?.isNumber;
  return isVerb ? { actor: { from: actor.from, to: actor.to }, verb: end } : null;
}

const preposition = /^(behind|of|from|by|on|to|in|at|with|for|than|through|via|as|and)$/;

/**
 * Whether a text says that who acts in the question does what it asks about: the verb follows after few words in the same
 * phrase, and the actor is no part of another phrase ("sites behind Cloudflare"). True of a question without a clause.
 */
export function saysClause(
  { tokens, clause }: { tokens: readonly Token[]; clause: Clause | null },
  text: string,
  maxBetween: number,
): boolean {
  if (clause === null) {
    return true;
  }
  const actor = tokens.slice(clause.actor.from, clause.actor.to).map(({ word }) => toSearchStem(word));
  const verb = toSearchStem(tokens[clause.verb]?.word ?? '');
  const words = text.toLowerCase().match(/\p{L}+|\p{N}+|[,.;]/gu) ?? [];
  const stems = words.map(toSearchStem);
  return stems.some((_, at) => {
    const end = at + actor.length;
    const between = stems.slice(end, end + maxBetween + 1);
    const isActor = actor.every((stem, offset) => stems[at + offset] === stem);
    const isSubject = !preposition.test(words[at - 1] ?? '');
    const reached = between.indexOf(verb);
    return isActor && isSubject && reached >= 0 && !between.slice(0, reached).some((stem) => /[,.;]/.test(stem));
  });
}
