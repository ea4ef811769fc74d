import { z } from 'zod';
import type { DeclineReason } from './answer.ts';
import document from './data/refusals.json' with { type: 'json' };
import { OWN_NAME } from './names.ts';
import type { Question } from './question.ts';
import { topicOf } from './rank.ts';

type Refused = 'instruction' | 'opinion' | 'prediction' | 'outside';

const { texts, rules: listed } = document as {
  texts: Record<DeclineReason, string>;
  rules: { reason: Refused; pattern: string; ofCompany?: boolean; notOfPrice?: boolean }[];
};

/** What each reason for declining says. "not-understood" is completed with what the site has on the names in it. */
export const declineAnswers = texts;

/**
 * Patterns run on the corrected words of the question, a space before and after each. First match decides. Some hold only where
 * a company is named and no record: who founded it isn't held, who made a protocol is. Others don't hold of the price of a
 * model: what it will be has been published where it changes on a day.
 */
const rules = listed.map(({ reason, pattern, ofCompany = false, notOfPrice = false }) => ({
  reason,
  pattern: new RegExp(pattern, 'u'),
  ofCompany,
  notOfPrice,
}));

const isOfCompany = ({ values, mentions }: Question): boolean =>
  values.some(({ facet }) => facet === 'organisation') &&
  !mentions.some(
    ({ entries: [first] }) => first !== undefined && first.strength >= OWN_NAME && first.entry.dataset !== 'glossary',
  );

const priceWord = / (prices?|pricing|costs?|rates?|fees?|pay|cheaper|dearer|pricier|expensive) /;

const changesOnADay = z.object({ valid_until: z.string() });

const isOfPrice = ({ mentions, plain }: Question): boolean =>
  priceWord.test(` ${plain} `) &&
  mentions.some(({ entries: [first] }) => changesOnADay.safeParse(first?.entry.record['pricing_usd_per_mtok']).success);

/**
 * Why a question is declined whatever the records have; null when it may be answered. An opinion, a prediction or what
 * happened here today still yields to an answer that is sure.
 */
export function refuse(question: Question): 'empty' | Refused | null {
  // "413" is a question: the problem of that status.
  const isAsking = ({ isNumber, word }: Question['words'][number]): boolean => word.length > (isNumber ? 2 : 1);
  if (!question.words.some(isAsking) && question.mentions.length === 0) {
    return 'empty';
  }
  const plain = ` ${question.plain} `;
  const holds = ({ pattern, ofCompany, notOfPrice }: (typeof rules)[number]): boolean =>
    pattern.test(plain) && (!ofCompany || isOfCompany(question)) && !(notOfPrice && isOfPrice(question));
  return rules.find(holds)?.reason ?? null;
}

/** From which log odds on the words of a question are those of questions that this site answers. */
const ON_TOPIC = 2;

/** From which chance on a question is likely one that this site answers. */
const LIKELY = 0.5;

/** Whether a question is about what this site covers: it names a record, or uses words that belong to it. */
export const isWithin = (question: Question, within = 0): boolean =>
  !question.words.some(({ isOutside }) => isOutside) &&
  (within > LIKELY ||
    question.domain > 0 ||
    question.values.length > 0 ||
    topicOf(question) > ON_TOPIC ||
    question.mentions.some(({ entries }) => entries.some(({ strength }) => strength > 0.9)));
