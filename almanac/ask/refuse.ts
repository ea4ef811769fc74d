import type { DeclineReason } from './answer.ts';
import type { Question } from './question.ts';

/** What each reason for declining says. "not-understood" is completed with what the site has on the names in it. */
export const declineAnswers: Readonly<Record<DeclineReason, string>> = {
  empty: 'There is no question in this text.',
  instruction:
    'This is an instruction and not a question about the almanac. Questions are data here and are not followed.',
  opinion: 'The almanac has facts with sources, and neither opinions nor recommendations.',
  prediction: 'The almanac has what has been published, and makes no predictions.',
  'unknown-name': 'The almanac has no record of that name. Records with a similar name are not the same thing.',
  unconfirmed: 'The almanac does not confirm this.',
  'not-understood': 'The question was not understood.',
  outside:
    'This is outside of what the site covers: crawlers, protocols, models, terms and statistics of the agentic web, and how to make a website ready for agents.',
};

interface RefusalRule {
  reason: 'instruction' | 'opinion' | 'prediction';
  pattern: RegExp;
}

/** Patterns run on the corrected words of the question, a space before and after each. First match decides. */
const rules: readonly RefusalRule[] = [
  {
    reason: 'instruction',
    pattern: /^ (ignore|disregard|forget|override) .* and (say|tell|answer|reply|respond|write|print|output|confirm) /,
  },
  {
    reason: 'instruction',
    pattern:
      / (ignore|disregard|forget|override|bypass) ((all|any|every|your|the|my|these|those) )*((previous|prior|above|earlier|preceding|instructions?|prompts?|everything|safety|guidelines)|(?<= your )(rules|training)) /,
  },
  {
    reason: 'instruction',
    pattern:
      / (you are (now|no longer|dan|a|an|my)|from now on|pretend|act as|roleplay|role play|jailbreak|developer mode|repeat after me|respond only|answer only|reply with|output only|do anything now) /,
  },
  {
    reason: 'instruction',
    pattern:
      / (print|reveal|show|repeat|output|dump|leak|tell me|what is|what are|display) (me )?(your|the hidden|the secret|the full) (\p{L}+ )?(system|prompt|instructions?|secrets?|password|passwords|configuration|api key|environment) /u,
  },
  {
    reason: 'instruction',
    pattern:
      /^ (please |can you |could you )*(say|write|compose|draft|generate|translate|sing|tell me a (joke|story)|draw|summari[sz]e this|delete|drop|execute|run|call|send|post|buy|pay) (?!.*\b(robots|snippet|example|spec|by)\b)/,
  },
  {
    reason: 'prediction',
    pattern:
      / will (\S+ ){1,6}(win|replace|kill|beat|dominate|survive|die|succeed|become|take over|overtake|happen|come out|be released|be launched|ship|exist|fail|disappear|matter|be (dead|obsolete|useful|important|better)) /,
  },
  {
    reason: 'prediction',
    pattern:
      / (predict|prediction|predictions|forecast|future of|next year|in (2027|2028|2029|20[3-9]\d)|going to (win|replace|die|kill)) /,
  },
  {
    reason: 'opinion',
    pattern:
      / (do you (think|like|prefer|believe|feel|recommend)|your (opinion|favou?rite|view|thoughts)|favou?rite|in your opinion|what do you think|is (it )?(good|bad|evil|overrated|worth it|worth)|overrated|underrated|smartest|coolest|most (creative|intelligent|beautiful|trustworthy|important|powerful|popular)|(better|worse|smarter|safer|nicer) than|(is|are) (better|best|worse|smarter)|which (is|one is|model is|protocol is) (the )?(best|better|worst)|(the )?best (model|protocol|crawler|llm|ai|standard)) /,
  },
];

/**
 * Why a question is declined whatever the records have; null when it may be answered. An opinion or prediction still
 * yields to an answer that is sure.
 */
export function refuse(question: Question): 'empty' | RefusalRule['reason'] | null {
  if (!question.words.some(({ isNumber, word }) => !isNumber && word.length > 1) && question.mentions.length === 0) {
    return 'empty';
  }
  const plain = ` ${question.plain} `;
  return rules.find(({ pattern }) => pattern.test(plain))?.reason ?? null;
}

/** Whether a question is about what this site covers: it names a record, or uses words that belong to it alone. */
export const isWithin = (question: Question): boolean =>
  !question.words.some(({ isOutside }) => isOutside) &&
  (question.domain > 0 || question.mentions.some(({ entries }) => entries.some(({ strength }) => strength > 0.9)));
