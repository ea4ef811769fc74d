import { type Candidate, type Features, nameOf, weigh } from './candidate.ts';
import document from './data/weights.json' with { type: 'json' };
import { OWN_NAME } from './names.ts';
import type { Question } from './question.ts';

/** What training learns: a weight for each feature. */
export interface Weights {
  /** Orders the candidates of one question. */
  rank: Record<string, number>;
  /** Judges whether the first of them is right. */
  decide: Record<string, number>;
  /** Judges whether the question is one that this site answers at all. */
  within: Record<string, number>;
  /** Log odds of stems: above zero in questions that this site answers, below in others. */
  topic: Record<string, number>;
}

/** The weights that `npm run ask:train` wrote. */
export const learnt = document as Weights;

const MAX_LEAD = 3;

/** What tells of the topic of a question: its stems, and of which kinds its names are. */
export const topicKeysOf = ({ at, mentions, values }: Question): Set<string> =>
  new Set([
    ...at.keys(),
    ...mentions.flatMap(({ entries }) => entries.slice(0, 1).map(({ entry }) => `@${entry.dataset}`)),
    ...values.map(({ facet }) => `#${facet}`),
  ]);

/** How much the words of a question are those of questions that this site answers (naive Bayes). */
export function topicOf(question: Question, topic: Weights['topic'] = learnt.topic): number {
  const odds = [...topicKeysOf(question)].flatMap((key) => topic[key] ?? []);
  return odds.length === 0 ? 0 : odds.reduce((sum, each) => sum + each, 0) / Math.sqrt(odds.length);
}

/** What the words of the question say about a candidate: what it covers, and what it leaves open. */
function coverageOf(question: Question, candidate: Candidate): Features {
  let total = 0;
  let covered = 0;
  let worst = 0;
  let open = 0;
  let content = 0;
  let outside = 0;
  let rare = 0;
  let strange = 0;
  let strangeName = 0;
  let modified = 0;
  for (const { weight, position, raw, isOutside, isNumber } of question.words) {
    const share = candidate.explained[position] ?? 0;
    const rest = weight * (1 - share);
    outside += isOutside && share < 0.7 ? 1 : 0;
    rare = share >= 0.8 ? Math.max(rare, weight) : rare;
    strange += share < 0.3 && weight > 0.93 ? 1 : 0;
    strangeName += share < 0.3 && weight > 0.93 && position > 0 && /^\p{Lu}/u.test(raw) ? 1 : 0;
    // "share price": what stands before an explained word and is open makes another thing of it.
    modified += rest > 0.25 && (candidate.explained[position + 1] ?? 0) >= 0.9 ? 1 : 0;
    open += rest + (isNumber && share < 0.5 ? 0.3 : 0);
    total += weight;
    covered += weight - rest;
    worst = Math.max(worst, rest);
    content += weight > 0.3 ? 1 : 0;
  }
  const coverage = total === 0 ? (candidate.entry === null ? 0 : 1) : covered / total;
  return {
    coverage,
    squared: coverage * coverage,
    worst,
    open: Math.min(3, open),
    outside: Math.min(2, outside),
    rare,
    strange: Math.min(2, strange),
    strangeName: Math.min(2, strangeName),
    modified: Math.min(2, modified),
    single: content <= 1 ? 1 : 0,
  };
}

/** Everything that the score of a candidate rests on, by name. */
export function featuresOf(question: Question, candidate: Candidate, topic: number): Features {
  const { features, entry, explained } = candidate;
  const has = (name: string): boolean => features[name] !== undefined && features[name] !== 0;
  const covered = coverageOf(question, candidate);
  const coverage = covered['coverage'] ?? 0;
  const isNamed = question.mentions.some(({ entries }) => entries.some((link) => link.entry === entry));
  const leavesName = (least: number): boolean =>
    question.mentions.some(
      ({ entries, from }) =>
        entries.some((link) => link.entry.dataset !== 'glossary') && (explained[from] ?? 0) < least,
    );
  const leavesOrganisation = question.values.some(
    ({ facet, from }) => facet === 'organisation' && (explained[from] ?? 0) < 0.45,
  );
  const isRecord = ({ entries }: Question['mentions'][number]): boolean => entries[0]?.entry.dataset !== 'glossary';
  const isKept = has('isTechnique') || has('isSite') || has('isGuide');
  const isWhole = has('isRecord') || has('isStatement');
  return {
    bias: 1,
    ...covered,
    nearMiss: Math.min(2, question.nearMisses.length),
    unknown: Math.min(2, question.unknownNames.length),
    corrected: Math.min(2, question.corrections.length),
    foreign: question.isForeign ? 1 : 0,
    otherName: leavesName(0.7) && !(entry !== null && isNamed) && !has('isCompare') ? 1 : 0,
    otherOrganisation: leavesOrganisation ? 1 : 0,
    openName: leavesName(0.4) ? 1 : 0,
    domain: question.domain,
    topic,
    topicKept: isKept ? topic : 0,
    topicCoverage: topic * coverage,
    domainRecord: isWhole ? question.domain * coverage : 0,
    domainKept: isKept ? question.domain * coverage : 0,
    coverageRecord: isWhole ? coverage : 0,
    coverageKept: isKept ? coverage : 0,
    coverageList: has('isList') || has('isCount') || has('isTop') ? coverage : 0,
    siteName: has('isSite') && !question.wants.has('own') && question.mentions.some(isRecord) ? 1 : 0,
    ...wanted(question, candidate),
    ...features,
  };
}

/** Features that say of what kind a candidate is. */
const kinds = [
  ...[
    'isTechnique',
    'isSite',
    'isGuide',
    'isRecord',
    'isRecordOfTerm',
    'isStatement',
    'isField',
    'isLead',
    'isGlossary',
  ],
  ...['isList', 'isCount', 'isTop', 'isCompare', 'isSeveral', 'isGroup', 'isDescribed', 'isHop', 'isNone', 'isChoice'],
];

/** Which kind of answer to which kind of wish: "who" and a field, "how" and a page. */
function wanted({ wants }: Question, { features, entry }: Candidate): Features {
  const named: Record<string, number> = {};
  const of = entry === null ? null : nameOf('of', entry.dataset);
  if (of !== null) {
    named[of] = 1;
  }
  for (const want of wants) {
    for (const kind of kinds) {
      if (features[kind] === 1) {
        named[nameOf(want, kind)] = 1;
      }
    }
    if (of !== null) {
      named[nameOf(want, of)] = 1;
    }
  }
  return named;
}

/** What it counts that a question has nothing but a name: then what the record is is the answer. */
const BARE = 3.5;

/** Below this weight of open words nothing is open. */
const NOTHING = 0.05;
/** "GPT-6.2 Sol pricing": a field of a named record that explains every word leaves nothing to doubt. */
export const isWholeField = ({ open, strength, isField, isNull, isHop }: Features): boolean =>
  isField === 1 && isNull === 0 && isHop === 0 && (open ?? 1) < NOTHING && (strength ?? 0) >= OWN_NAME;

/** And what that counts beside what the record says of the same words elsewhere. */
const WHOLE_FIELD = 0.3;

/** "Licence of L402": a field without a value that explains every word, where these words ask for no field that has one. */
const isWholeNull = ({ open, strength, isField, isMissing, isHop }: Features): boolean =>
  isField === 1 && isMissing === 1 && isHop === 0 && (open ?? 1) < NOTHING && (strength ?? 0) >= OWN_NAME;

/** And what that counts. */
const WHOLE_NULL = 2.5;

/** What it counts that an answer tells what to block from what to let in: each of them by itself is half an answer. */
const CHOSEN = 1.5;

/** What it counts that what came after a record is asked about, and that's told: "What does the successor of X cost?" */
const SUCCEEDED = 0.6;

/** What it counts that two names that are compared mean one record. */
const SAME = 3;

/** What it counts against what is noted of a model that most of what is asked of models is a field. */
const OF_MODEL = 0.6;

/** How well a candidate answers compared with the others. */
export const toScore = (features: Features, weights: Weights = learnt): number =>
  weigh(features, weights.rank) +
  BARE * (features['bare'] ?? 0) +
  (isWholeField(features) ? WHOLE_FIELD : 0) +
  (isWholeNull(features) ? WHOLE_NULL : 0) +
  CHOSEN * (features['isChoice'] ?? 0) +
  SUCCEEDED * (features['ofSuccessor'] ?? 0) +
  SAME * (features['isSame'] ?? 0) -
  OF_MODEL * (features['isRecordOfModel'] ?? 0);

/** What the decider looks at: the features of the first candidate, its score, and its lead over the next kind of answer. */
export const toDecision = (features: Features, score: number, lead: number): Features => ({
  ...features,
  score,
  lead: Math.min(MAX_LEAD, lead),
});

/** The probability that the first candidate is right. */
export const toConfidence = (decision: Features, weights: Weights = learnt): number =>
  1 / (1 + Math.exp(-weigh(decision, weights.decide)));

/** The probability that the question is about what this site covers, whether or not the first candidate is right. */
export const toWithin = (decision: Features, weights: Weights = learnt): number =>
  1 / (1 + Math.exp(-weigh(decision, weights.within)));

/** How much the chance that a question is one of this site counts next to that of its answer being right. */
const OF_WITHIN = 2;

/** What each word of a question adds, up to so many: the longer a question, the more often the site has its answer. */
const OF_WORD = 0.04;
const MAX_WORDS = 30;

/** How sure an answer has to be, and what that, the chance that the question is one of this site and its words have to be together. */
export const thresholds = { least: 0.3, together: 2.53 };

/** Whether an answer is sure enough to be given, which is less where the question is surely one that this site answers. */
export const isSure = (
  { words }: Pick<Question, 'words'>,
  { confidence, within }: { confidence: number; within: number },
  { least, together } = thresholds,
): boolean =>
  confidence >= least && confidence + OF_WITHIN * within + OF_WORD * Math.min(MAX_WORDS, words.length) >= together;
