import { foldText, type Token, toStem } from './tokens.ts';

/**
 * Whether a question asks for a property or for its opposite. `undecided` is a question with two reversals ("does it
 * not ignore") or one that offers both sides ("open or closed"): neither yes nor no would be a clear answer to it.
 */
export type Polarity = 'plain' | 'inverted' | 'undecided';

const auxiliary = '(?:do|does|did|is|are|was|were|has|have|had|can|could|will|would|should)';

/** Words that say the reverse of the property they are about: of following robots.txt, or of open weights. */
const opposite =
  '(?:ignor(?:e|es|ed|ing)|disobey(?:s|ed|ing)?|violat(?:e|es|ed|ing|ion|ions)|break(?:s|ing)?|broke|bypass(?:es|ed|ing)?|circumvent(?:s|ed|ing)?|disregard(?:s|ed|ing)?|disrespect(?:s|ed|ing)?|flout(?:s|ed|ing)?|evad(?:e|es|ed|ing)|skip(?:s|ped|ping)?|def(?:y|ies|ied)|noncompliant|closed|proprietary|unsigned|secret|private|withheld|unavailable)';

const negation =
  '(?:not|never|no|non|none|neither|nor|without|false|untrue|wrong|incorrect|unable|incapable|lack(?:s|ed|ing)?|fail(?:s|ed|ing)?|refus(?:e|es|ed|ing)|stop(?:s|ped|ping)?)';

/** Negations that reverse nothing: "doesn't X …?" asks to confirm "X …", and so do tags at the end of a sentence. */
const harmless: readonly RegExp[] = [
  / (whether )?or (not|no)(?= )/g,
  new RegExp(` ${auxiliary} it not (true|so|right|correct|the case)(?= )`, 'g'),
  new RegExp(
    ` ${auxiliary} not (?=(_|the|a|an|it|this|that|these|those|all|any|most|its|their|i|we|you|one|there) )`,
    'g',
  ),
  / no longer (active|in use)(?= )/g,
  / no $/,
];

/** Opposites that stand side by side say one thing: "closed source or proprietary". */
const sideBySide = new RegExp(` ${opposite}( \\w+)?( and| or)? (?=${opposite} )`, 'g');
const reversal = new RegExp(` (${opposite}|${negation})(?= )`, 'g');

/** Words of degree, to which a value that holds or not gives neither a yes nor a no. */
const degree =
  / (only|partial|partially|partly|part|sometimes|occasionally|selectively|mostly|mainly|rarely|seldom|hardly|barely|half|fully|completely|entirely|strictly) /;

/** What decides on the yes or no besides opposites, for readings that take it into account and so explain these words. */
export const negations: readonly RegExp[] = [
  / (is|was) it (not )?(true|so|right|correct|the case) /,
  new RegExp(` ${negation} `),
  degree,
];

/** The words that reverse what is asked: negations and opposites, of opposites side by side the last. */
export function findReversals(masked: string): string[] {
  const words = [...harmless, sideBySide].reduce((text, rule) => text.replace(rule, ' ').replace(/ +/g, ' '), masked);
  return Array.from(words.matchAll(reversal), ([, word]) => word ?? '');
}

/** Whether a text holds each word that reverses what is asked: one that lacks "not" states something else. */
export function reversesAlike(masked: string, text: string): boolean {
  const reversals = findReversals(masked);
  if (reversals.length === 0) {
    return true;
  }
  const words = new Set(
    foldText(text)
      .toLowerCase()
      .match(/\p{L}+/gu),
  );
  const stems = new Set([...words].map(toStem));
  return reversals.every((word) => words.has(word) || (word.length > 4 && stems.has(toStem(word))));
}

/**
 * Reads the polarity from the words of a question, a space before and after each and names masked. The one place in
 * which negations and opposites are told apart.
 */
export function readPolarity(masked: string): Polarity {
  const reversals = findReversals(masked).length;
  if (reversals === 0) {
    return 'plain';
  }
  const offersBoth = / or (?!not |no )/.test(masked.replace(sideBySide, ' '));
  return reversals > 1 || offersBoth ? 'undecided' : 'inverted';
}

const politeOpening =
  /^( (please|hi|hey|hello|so|and|but|ok|okay|well|(can|could|would) you|do you know|tell|show|say|explain|me|us|i (want|would like|need) to know|i wonder|exactly))* (?=\S)/;
const questionWord =
  /^ ?((on|in|at|by|for|to|from|with|of|under|since|until|about) )?(what|which|who|whom|whose|when|where|why|how) /;

/** Whether yes or no can answer the question: what begins with "how" or "why" asks for something else. */
export const asksYesOrNo = (plain: string): boolean => !questionWord.test(plain.replace(politeOpening, ' '));

/**
 * "Yes: " or "No: " for a property that holds or not, as the question asks for it. Nothing when it asks for no yes or no,
 * when its polarity is undecided or its negation may stand in another sentence, when it asks for a degree, or when the
 * property holds in part only (null).
 */
export function toVerdict(
  { plain, polarity, tokens }: { plain: string; polarity: Polarity; tokens: readonly Pick<Token, 'gap'>[] },
  holds: boolean | null,
): string {
  const isElsewhere = polarity === 'inverted' && tokens.some(({ gap }) => /[.!?;]\s/.test(gap));
  if (holds === null || polarity === 'undecided' || isElsewhere || degree.test(plain) || !asksYesOrNo(plain)) {
    return '';
  }
  return holds === (polarity === 'plain') ? 'Yes: ' : 'No: ';
}
