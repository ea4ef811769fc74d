import { type Candidate, type Composed, type Features, nameOf, sentencesOf } from './candidate.ts';
import { isStatement } from './entries.ts';

/** How much lower than the first another candidate may score and still be told, and how much where the first is unlikely. */
const CLOSE = 1.3;
const CLOSE_TO_UNLIKELY = 2.2;
/** What words that an answer leaves open weigh together, below which it leaves nothing open. */
const WHOLE = 0.2;
/** How many are told after the first, and how many characters of answers there are at most. */
const MAX_ALSO = 2;
const MAX_LENGTH = 1000;
const MAX_SENTENCES = 2;

/** True when a text repeats another, or says that there is none or nothing confirmed: told in passing, that's no answer. */
const saysNothing = ({ features }: Candidate, { text, unconfirmed }: Composed, said: readonly string[]): boolean =>
  features['isNone'] === 1 ||
  unconfirmed !== undefined ||
  text.includes('does not confirm') ||
  said.some((other) => other.includes(text) || text.includes(other));

const kindOf = ({ intent, entry }: Candidate): string => `${intent} ${entry?.path ?? ''}`;

/** "8 % with a summary, 15 % without": what a publisher counted on the same day in the same unit belongs together. */
const isTwin = ({ entry: one }: Candidate, { entry: other }: Candidate): boolean =>
  one !== null &&
  other !== null &&
  isStatement(one) &&
  isStatement(other) &&
  ['publisher', 'unit', 'date'].every((field) => one.record[field] === other.record[field]);

/** The next candidates after the first that score nearly as high: one of them is likely what was asked. */
export function tellAlso(
  others: readonly { candidate: Candidate; score: number }[],
  first: { candidate: Candidate; features: Features; score: number; composed: Composed },
): Composed[] {
  const told: Composed[] = [];
  if (first.composed.unconfirmed !== undefined) {
    return told;
  }
  const said = [first.composed.text];
  const kinds = new Set([kindOf(first.candidate)]);
  const close = first.score < 0 ? CLOSE_TO_UNLIKELY : CLOSE;
  const isWhole = (first.features['open'] ?? 1) < WHOLE;
  const isHowTo = isWhole && first.features[nameOf('howto', 'isField')] === 1;
  let left = MAX_LENGTH - first.composed.text.length;
  for (const { candidate, score } of others) {
    // What leaves nothing open has said of its record what was asked.
    const isSaid = isWhole && candidate.entry !== null && candidate.entry === first.candidate.entry;
    // Who has read how to do it needs no figure.
    const isFigure = isHowTo && candidate.entry !== null && isStatement(candidate.entry);
    if (
      isSaid ||
      isFigure ||
      told.length === MAX_ALSO ||
      first.score - score >= close ||
      kinds.has(kindOf(candidate))
    ) {
      continue;
    }
    kinds.add(kindOf(candidate));
    const composed = candidate.compose();
    if (composed === null || saysNothing(candidate, composed, said)) {
      continue;
    }
    const [line = ''] = composed.text.split('\n');
    // What only leads to lines to paste says nothing without them.
    const sentences = sentencesOf(line)
      .filter((sentence) => !said.some((other) => other.includes(sentence.trim())))
      .slice(0, MAX_SENTENCES)
      .filter((sentence) => !sentence.trim().endsWith(':'));
    const isOfSame = isTwin(first.candidate, candidate);
    const text = isOfSame ? (sentences[0]?.trim() ?? '') : `See also: ${sentences.join('').trim()}`;
    if (sentences.length > 0 && text.length <= left) {
      left -= text.length;
      said.push(composed.text);
      told.push({ ...composed, text });
    }
  }
  return told;
}
