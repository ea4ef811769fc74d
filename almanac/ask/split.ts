import type { Question } from './question.ts';
import { rawText } from './tokens.ts';

const MAX_PARTS = 5;
const MIN_PART_LENGTH = 3;

/** Where a new question begins inside a question: after "?", or after "and" or a comma before a question word. */
const border =
  /(?:\s*[?;]\s+|,?\s+(?:and|und|et|y)\s+|,\s+)(?=(?:(?:under|in|since|from|by|to) )?(?:who|whom|whose|what|whats|what's|when|whens|where|wheres|why|how|hows|which|is|are|does|do|did|can|could|will|would|should|may|must|has|have|was|wer|wie|wann|wo|welche\w*|qui|quand|comment|quel\w*|combien|quien|cuando|como|cual\w*|cuanto)\b)/gi;

const pronoun =
  /\b(it|they|them|he|sie|es|il|elle|(?:that|this) (?:bot|crawler|spider|model|protocol|file|format|thing|one)|(?:that|this)(?=\W*$))\b/i;
/** What comes after something that was replaced. */
const successor = /\b(?:the )?(?:new(?:er)?|next|other) one\b|\bthe (?:successor|replacement)\b/i;

/** What makes a part a question of its own; without it the part is the setting of the next. */
const asks =
  /\?|\b(wh(o|om|ose|ats?|ens?|eres?|y|ich)|how|is|are|was|do|does|did|can|could|will|would|should|may|must|has|have|w(er|ie|ann|o|as|elche\w*)|qui|quand|comment|quel\w*|combien|quien|cuando|como|cual\w*|cuanto)\b/i;
/** "…, and how many are there?" is answered by the list that comes before. */
const counts =
  /^how many( of (them|those|these))?( are there| is (that|it)| exist| do you (have|know|list))?( in (total|all))?\W*$/i;
const possessive = /\b(its|their)\b/i;

/** Whether a part of a question is about what the answer to the part before it has found. */
export const isOfSuccessor = (text: string): boolean => successor.test(text);

/** The text with its pronoun replaced by what it stands for. */
export const withSubject = (text: string, name: string): string =>
  isOfSuccessor(text) ? text.replace(successor, name) : text.replace(pronoun, name).replace(possessive, `${name}'s`);

/**
 * The parts of a compound question as they were asked, and each complete by itself: "it" becomes the first name of the
 * whole, and a part without a name gets that name. Empty when the question is one.
 */
export function splitQuestion(whole: Question, read: (text: string) => Question): { text: string; part: Question }[] {
  const texts = whole.text
    .split(border)
    .map((text) => text.trim())
    .filter((text, at) => text.length >= MIN_PART_LENGTH && !(at > 0 && counts.test(text)));
  if (texts.length < 2 || texts.length > MAX_PARTS || (whole.wants.has('compare') && !whole.text.includes('?', 1))) {
    return [];
  }
  const subject =
    whole.mentions.find(({ entries }) => entries.some(({ entry }) => entry.dataset !== 'glossary')) ??
    whole.mentions[0] ??
    null;
  const name = subject === null ? '' : rawText(whole.words.slice(subject.from, subject.to));
  const asked = texts.filter((text, index) => index > 0 || asks.test(text) || read(text).mentions.length > 1);
  // A setting with one question is one.
  return asked.length < 2
    ? []
    : asked.map((text) => {
        const part = read(text);
        const hasName = part.mentions.some(({ entries }) =>
          entries.some(({ entry }) => subject?.entries.some((link) => link.entry === entry)),
        );
        const refers = pronoun.test(text) || possessive.test(text);
        if (hasName || name === '' || (part.mentions.length > 0 && !refers)) {
          return { text, part };
        }
        return { text, part: read(refers ? withSubject(text, name) : `${text.replace(/\?$/, '')} ${name}`) };
      });
}
