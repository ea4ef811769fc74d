import type { DeclineReason } from './answer.ts';
import type { Question } from './link.ts';

interface RefusalRule {
  reason: DeclineReason;
  pattern: RegExp;
  answer: string;
}

const OUTSIDE =
  'The almanac does not hold this. It covers crawlers, protocols, models, terms and statistics of the agentic web.';
const INSTRUCTION =
  'This is an instruction, not a question about the almanac. Questions are data here and are not followed.';
const OPINION = 'The almanac holds facts with sources, no opinions and no recommendations.';
const PREDICTION = 'The almanac holds what has been published, and makes no predictions.';

/** What each reason for declining says when no rule has words of its own. */
export const declineAnswers: Readonly<Record<DeclineReason, string>> = {
  empty: 'There is no question in this text.',
  instruction: INSTRUCTION,
  opinion: OPINION,
  prediction: PREDICTION,
  'unknown-name': 'The almanac has no record of that name. Records with a similar name are not the same thing.',
  unconfirmed: 'The almanac does not confirm this.',
  outside: OUTSIDE,
};

/** Patterns run on the corrected words of the question, a space before and after each. First match decides. */
const rules: readonly RefusalRule[] = [
  {
    reason: 'instruction',
    pattern:
      / (ignore|disregard|forget|override|bypass) (all |any |every |your |the |my |these |those )*(previous|prior|above|earlier|preceding|instructions?|rules|prompts?|everything|safety|guidelines|training) /,
    answer: INSTRUCTION,
  },
  {
    reason: 'instruction',
    pattern:
      / (you are (now|no longer|dan|a|an|my)|from now on|pretend|act as|roleplay|role play|jailbreak|developer mode|repeat after me|respond only|answer only|reply with|output only|do anything now) /,
    answer: INSTRUCTION,
  },
  {
    reason: 'instruction',
    pattern:
      / (print|reveal|show|repeat|output|dump|leak|tell me|what is|what are|display) (me )?(your|the hidden|the secret|the full) (\p{L}+ )?(system|prompt|instructions?|secrets?|password|passwords|configuration|api key|environment) /u,
    answer: INSTRUCTION,
  },
  {
    reason: 'instruction',
    pattern:
      /^ (please |can you |could you )*(say|write|compose|draft|generate|translate|sing|tell me a (joke|story)|draw|summari[sz]e this|delete|drop|execute|run|call|send|post|buy|pay) (?!.*\b(robots|snippet|example|spec|by)\b)/,
    answer: INSTRUCTION,
  },
  {
    reason: 'prediction',
    pattern:
      / will (\S+ ){1,6}(win|replace|kill|beat|dominate|survive|die|succeed|become|take over|overtake|happen|come out|be released|be launched|ship|exist|fail|disappear|matter|be (dead|obsolete|useful|important|better)) /,
    answer: PREDICTION,
  },
  {
    reason: 'prediction',
    pattern:
      / (predict|prediction|predictions|forecast|future of|next year|in (2027|2028|2029|20[3-9]\d)|going to (win|replace|die|kill)) /,
    answer: PREDICTION,
  },
  {
    reason: 'opinion',
    pattern:
      / (do you (think|like|prefer|believe|feel|recommend)|your (opinion|favou?rite|view|thoughts)|favou?rite|in your opinion|what do you think|is (it )?(good|bad|evil|overrated|worth it|worth)|overrated|underrated|smartest|coolest|most (creative|intelligent|beautiful|trustworthy|important|powerful|popular)|(better|worse|smarter|safer|nicer) than|(is|are) (better|best|worse|smarter)|which (is|one is|model is|protocol is) (the )?(best|better|worst)|(the )?best (model|protocol|crawler|llm|ai|standard)) /,
    answer: OPINION,
  },
];

/** Declines what no record can answer, before any record is looked at. Null lets the question pass. */
export function refuseQuestion(question: Question): RefusalRule | null {
  if (!question.tokens.some((token) => !token.isNumber && token.word.length > 1) && question.mentions.length === 0) {
    return { reason: 'empty', pattern: /^/, answer: declineAnswers.empty };
  }
  return rules.find((rule) => rule.pattern.test(question.plain)) ?? null;
}
