import { sentencesOf } from './candidate.ts';
import type { Mention, Question } from './question.ts';
import { rawText } from './tokens.ts';

const MAX_PARTS = 5;
const MIN_PART_LENGTH = 3;

/** Where a new question begins inside a question: after "?", or after "and" or a comma before a question word. */
const border =
  /(?:\s*[?;]\s+|,?\s+(?:and|und|et|y)\s+|,\s+)(?=¿?(?:if (?:not|so|yes),? )?(?:(?:under|in|since|from|by|to|with|for|at|unter|mit|von|seit|für|à|avec|sous|de|con|en|por|bajo|desde) )?(?:(?:who|whom|whose|what|whats|what's|when|whens|where|wheres|why|how|hows|which|is|are|does|do|did|can|could|will|would|should|may|must|was|wer|wie|wann|wo|wieviel\w*|explain|(?:tell|show) (?:me|us)|welche\w*|qui|quand|comment|quel\w*|combien|qu[eé]|qui[eé]n\w*|cu[aá]ndo|c[oó]mo|cu[aá]l\w*|cu[aá]nt\w*|d[oó]nde)(?![\p{L}\p{N}])|(?:has|have) (?:it|they|he|she|i|we|you|there|the|this|that|any\w*|some\w*|my|our)\b))|,?\s+and\s+(?=(?:its|their) )/giu;

const pronoun =
  /\b(it|they|them|he|sie|es|il|elle|(?:that|this) (?:bot|crawler|spider|model|protocol|file|format|thing|one)|(?:that|this)(?=\W*$))\b/i;
/** What means two things that the part before names. */
const plural = /\b(they|them|both|the two|these two)\b/i;
const thing = '(?:one|model|version|protocol)';
/** What comes after something that was replaced: "the new one", "the model that they say to use in its place". */
const successor = new RegExp(
  [
    String.raw`\b(?:the )?(?:new(?:er)?|next|other) one\b`,
    String.raw`\b(?:the|its) (?:successor|replacement)\b`,
    String.raw`\bthe ${thing} (?:that replaces it|to (?:move|switch|go) to)\b`,
    String.raw`\bthe ${thing} (?:(?:that|which) )?(?:\w+ ){1,3}?(?:recommends?|suggests?|says? to use)(?: instead| in its place)?\b`,
  ].join('|'),
  'i',
);

/** What makes a part a question of its own; without it the part is the setting of the next. */
const asks =
  /\?|^(explain|describe|define|tell|show)\b|\b(wh(o|om|ose|ats?|ens?|eres?|y|ich)|how|is|are|was|do|does|did|can|could|will|would|should|may|must|has|have|w(er|ie|ann|o|as|elche\w*)|qui|quand|comment|quel\w*|combien|quien|cuando|como|cual\w*|cuanto)\b/i;
/** Where something is, or what was done: "I changed robots.txt this morning, when …?" goes on with what is asked. */
const tells =
  /^(?:i(?!['’ ]a?m\b)|we(?!['’ ]a?re\b)|my|our|someone|somebody|people|a|an|the|there|this|these|in|on|for|with|without|as|after|since|last|yesterday|today|ich|wir|mein\w*|unser\w*|je|nous|mon|ma|mes|notre|nos|tengo|tenemos|mi|mis|nuestr\w+)(?![\p{L}\p{N}])/iu;
/** A sentence that asks, and goes on with another question: "I've pinned it. How long do I have and where do I go?" */
const asksFirst =
  /^(who|whom|whose|whats?|what['’]s|when|where|why|how|which|is|are|do|does|did|can|could|will|would|should|may|must|has|have|was|were|tell|explain|describe|i['’]d)\b|\b(know|wonder\w*|tell|find out|figure out)\b/i;
const either = /(?<!\p{L})(or|vs\.?|versus|oder|ou)(?!\p{L})/iu;
/** "…, and which costs less?" is about the two that the part before names. */
const comparative =
  /\b(which|whose|who|welche[rs]?|quel\w*|cu[aá]l\w*)\b.*\b(less|more|\w+er|better|best|\w+est|least|most)\b/i;
/** "…, and how many are there?" is answered by the list that comes before. */
const counts =
  /^how many( of (them|those|these))?( are there| is (that|it)| exist| do you (have|know|list)| (do|are|have)(n't| not))?( in (total|all))?\W*$/i;
/** "…, and what do I change?" is answered by what is told of the part before, unless that names what "it" may be. */
const remedy =
  /^(what now|what (do|can|could|should|must|would|might) (i|we|one) (do|change|try|fix|need to (do|change))( about (it|this|that|them))?( (then|now|next|instead|here|there))?|how (do|can|could|should|would) (i|we|one) (fix|solve|repair) (it|this|that|them))\W*$/i;
const possessive = /(?<!\p{L})(its|their|sein(?:e[rsmn]?)?|ihr(?:e[rsmn]?)?|son|sa|ses|leurs?|sus?)(?!\p{L})/iu;

/** "And what is an agent?" asks for a term, whatever the question named before. */
const asksForTerm =
  /\b(what|wha?t'?s|was|qu'est-ce|qué) (is|are|ist|sind|es|son) (a|an|ein|eine|un|une|una)\b|\b(mean|means|meaning|bedeutet|signifie|significa|define|term)\b/i;

/** Whether a part of a question is about what the answer to the part before it has found. */
export const isOfSuccessor = (text: string): boolean => successor.test(text);

/** The text with its pronoun replaced by what it stands for. */
export const withSubject = (text: string, name: string): string =>
  isOfSuccessor(text) ? text.replace(successor, name) : text.replace(pronoun, name).replace(possessive, `${name}'s`);

/** A part of a question as it was asked, and complete by itself. */
export interface QuestionPart {
  text: string;
  part: Question;
  /** Whether it's known what it is about; if not, what the part before it finds may be. */
  isNamed: boolean;
  /** Whether it speaks of something by a pronoun alone. */
  refersBack: boolean;
}

/**
 * The parts of a compound question: "it" becomes the first name of the parts before, and a part without a name gets that
 * name. Empty when the question is one.
 */
export function splitQuestion(whole: Question, read: (text: string) => Question): QuestionPart[] {
  const isUnnamed = !whole.mentions.some(isRecord);
  const texts = withSetting(
    whole.text
      .split(border)
      .map((text) => text.trim())
      .filter(
        (text, at) =>
          text.length >= MIN_PART_LENGTH && !(at > 0 && (counts.test(text) || (isUnnamed && remedy.test(text)))),
      ),
  );
  if (texts.length < 2 || texts.length > MAX_PARTS || (whole.wants.has('compare') && !whole.text.includes('?', 1))) {
    return [];
  }
  const parts = texts.map((text) => ({ text, part: read(text) }));
  // "The newest model of X and its price": what has a price is asked for too.
  const isOwner = possessive.test(texts[1] ?? '');
  const isAsked = ({ text, part }: { text: string; part: Question }, index: number): boolean =>
    index > 0 || isOwner || asks.test(text) || part.mentions.length > 1;
  // A setting with one question is one.
  return parts.filter(isAsked).length < 2
    ? []
    : parts.flatMap(({ text, part }, index) => {
        if (!isAsked({ text, part }, index)) {
          return [];
        }
        const subject = subjectOf(index === 0 ? [whole] : parts.slice(0, index).map((other) => other.part));
        const isOwn = ({ entries }: Mention): boolean =>
          entries.some(({ entry }) => subject?.mention.entries.some((link) => link.entry === entry));
        const refers = (pronoun.test(text) && !namesItsOwn(part)) || possessive.test(text);
        const refersBack = refers && !part.mentions.some(isRecord);
        const isNamed = subject !== null && isRecord(subject.mention);
        // "Who makes X, and what's the token price?" asks for the price of X, and not what a token is.
        const hasOther = isNamed && !asksForTerm.test(text) ? part.mentions.some(isRecord) : part.mentions.length > 0;
        if (subject === null || part.mentions.some(isOwn) || (hasOther && !refers)) {
          return [{ text, part, isNamed: isNamed || (part.mentions.some(isRecord) && !refers), refersBack }];
        }
        const named = namedIn(parts[0]?.part ?? whole).flatMap(({ mention, name }) =>
          isRecord(mention) ? [name] : [],
        );
        const both = part.mentions.some(isRecord) || named.length < 2 ? [] : named;
        if (both.length > 0 && comparative.test(text)) {
          return [{ text, part: read(`${text.replace(/\?$/, '')}, ${both.join(' or ')}`), isNamed, refersBack }];
        }
        if (both.length === 2 && plural.test(text)) {
          return [{ text, part: read(text.replace(plural, both.join(' and '))), isNamed, refersBack }];
        }
        const filled = refers ? withSubject(text, subject.name) : `${text.replace(/\?$/, '')} ${subject.name}`;
        return [{ text, part: read(filled), isNamed, refersBack }];
      });
}

/** The setting of a question belongs to what is asked first, and so do two things to choose from: "A or B, which is …?" */
function withSetting([setting = '', asked, ...others]: string[]): string[] {
  const isTelling = tells.test(setting);
  const last = sentencesOf(setting).at(-1)?.trim() ?? '';
  // "It says welcome. Still, I get a 403, and with another name a 200": a story, whatever words of questions are in it.
  const isStory = isTelling && last !== setting && !setting.includes('?') && !asksFirst.test(last);
  const isSetting = asked !== undefined && (isStory || (!asks.test(setting) && (isTelling || either.test(setting))));
  return isSetting
    ? [`${setting}, ${asked}`, ...others]
    : [setting, ...(asked === undefined ? [] : [asked]), ...others];
}

/** A name that "it" may stand for; robots.txt is what something else follows. */
const isRecord = ({ entries }: Mention): boolean =>
  entries.some(({ entry }) => entry.dataset !== 'glossary' && entry.id !== 'robots-txt');

/** "Does GPTBot say that it follows robots.txt?": "it" is what stands before it. */
const namesItsOwn = ({ words, mentions }: Question): boolean =>
  mentions.some(
    (mention) =>
      isRecord(mention) &&
      words.some(
        ({ word, position }) => /^(it|they)$/.test(word) && position > mention.to && position < words.length - 1,
      ),
  );

/** The names in a question, as it has them. */
const namedIn = ({ words, mentions }: Question): { mention: Mention; name: string }[] =>
  mentions.map((mention) => ({ mention, name: rawText(words.slice(mention.from, mention.to)) }));

/** The first record that questions name, and as they name it; a term where there's no other. */
function subjectOf(questions: readonly Question[]): { mention: Mention; name: string } | null {
  const named = questions.flatMap(namedIn);
  return named.find(({ mention }) => isRecord(mention)) ?? named[0] ?? null;
}
