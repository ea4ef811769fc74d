import { noPages, type PageContent } from '../pages.ts';
import type { Answer, DeclineReason, PageReference, RecordReference, Reference } from './answer.ts';
import { type Askable, createAskable } from './askable.ts';
import type { Candidate, Composed, Features } from './candidate.ts';
import { compareCandidates } from './candidates/compare.ts';
import { namedCandidates } from './candidates/fields.ts';
import { keptCandidates } from './candidates/kept.ts';
import { listCandidates } from './candidates/lists.ts';
import { indexSeries, proseCandidates } from './candidates/prose.ts';
import { type AskableDataset, type Entry, toEntries } from './entries.ts';
import { createFacts } from './facts.ts';
import { formatList } from './format.ts';
import { createPassages } from './passages.ts';
import { createReader, type Question } from './question.ts';
import { featuresOf, learnt, toConfidence, toDecision, toScore } from './rank.ts';
import { createRecords, labelOf } from './records.ts';
import { declineAnswers, isWithin, refuse } from './refuse.ts';
import { splitQuestion, withSubject } from './split.ts';
import { MAX_QUESTION_LENGTH } from './tokens.ts';

export type {
  Answer,
  Citation,
  PageReference,
  RecordCitation,
  RecordReference,
} from './answer.ts';
export { MAX_QUESTION_LENGTH } from './tokens.ts';

/** A candidate with everything that its score rests on. */
export interface Ranked {
  candidate: Candidate;
  features: Features;
  score: number;
}

export interface Answerer {
  /** Answers a question, or declines it. Never throws: a question is hostile text. Reads the first 500 characters. */
  ask(question: string): Answer;
  /** All candidates for a question, best first: what training learns from. */
  rank(question: string): Ranked[];
}

const MAX_ALTERNATIVES = 5;

/** How many of the first candidates may turn out to have no answer before the question is given up. */
const MAX_TRIED = 8;

/** From this confidence on an answer is given to what looks like a wish for an opinion or a prediction. */
const SURE = 0.85;
const MAX_DECLINED_CONFIDENCE = 0.29;

interface Found {
  candidate: Candidate;
  composed: Composed;
  confidence: number;
}

/**
 * Prepares datasets and pages for questions. An answer is composed from fields of records and from sections of pages, and
 * cites them; what they do not hold is declined.
 */
export function createAnswerer(datasets: readonly AskableDataset[], content: PageContent = noPages): Answerer {
  const records = createRecords(toEntries(datasets));
  const askable = createAskable(records);
  const texts = content.sections.map(({ heading, parts }) =>
    [heading, ...parts.flatMap(({ text, isCode }) => (isCode ? [] : [text]))].join(' '),
  );
  const passages = createPassages(records, texts);
  const facts = createFacts(content, records, passages);
  const series = indexSeries(records.entries);
  const read = createReader(records.entries, passages, facts.words);

  function rank(question: Question): Ranked[] {
    const candidates = [
      ...namedCandidates(askable, question),
      ...compareCandidates(askable, question),
      ...listCandidates(askable, question),
      ...keptCandidates(records, facts, question),
      ...proseCandidates(askable, passages, series, question),
    ];
    return candidates
      .map((candidate) => {
        const features = featuresOf(question, candidate);
        return { candidate, features, score: toScore(features) };
      })
      .sort((a, b) => b.score - a.score);
  }

  function findBest(question: Question): Found | null {
    const ranked = rank(question).slice(0, MAX_TRIED);
    for (const [place, { candidate, features, score }] of ranked.entries()) {
      const composed = candidate.compose();
      const isNamed = (text: string): boolean => composed?.text.toLowerCase().includes(text.toLowerCase()) === true;
      if (composed !== null && question.nearMisses.every(({ text }) => isNamed(text))) {
        const rival = ranked.slice(place + 1).find((other) => other.candidate.intent !== candidate.intent);
        const lead = rival === undefined ? Number.POSITIVE_INFINITY : score - rival.score;
        return { candidate, composed, confidence: toConfidence(toDecision(features, score, lead)) };
      }
    }
    return null;
  }

  const isGood = (found: Found | null): found is Found => found !== null && found.confidence >= learnt.threshold;

  function ask(asked: string): Answer {
    const question = read(asked.slice(0, MAX_QUESTION_LENGTH).toWellFormed());
    const refusal = refuse(question);
    if (refusal === 'empty' || refusal === 'instruction') {
      return decline(question, refusal, null);
    }
    const whole = findBest(question);
    if (refusal !== null && (whole?.confidence ?? 0) < SURE) {
      return decline(question, refusal, null);
    }
    const parts = answerParts(question);
    const answered = parts.flatMap(({ part, found }) => (isGood(found) ? [{ part, found }] : []));
    // The answer to the whole may be that to one part of it: then the parts say what it leaves open.
    const isPart = answered.some(({ found }) => found.composed.text === whole?.composed.text);
    if (answered.length > 0 && (answered.length === parts.length || !isGood(whole) || isPart)) {
      return combine(question, parts, answered);
    }
    if (!isGood(whole)) {
      const isMissed = question.nearMisses.length + question.unknownNames.length > 0;
      return decline(question, isMissed ? 'unknown-name' : isWithin(question) ? 'not-understood' : 'outside', whole);
    }
    return whole.composed.unconfirmed === undefined
      ? toAnswer(question, whole.composed, whole.confidence, whole.candidate.intent, [])
      : decline(question, 'unconfirmed', whole);
  }

  /** The parts of a compound question in order, each with its best answer. "Its" means what a superlative before it found. */
  function answerParts(question: Question): { part: Question; found: Found | null }[] {
    let subject: string | null = null;
    return splitQuestion(question, read).map((split) => {
      const part = subject === null || split.mentions.length > 0 ? split : read(withSubject(split.text, subject));
      const found = findBest(part);
      const [first] = found?.composed.citations ?? [];
      subject = found?.candidate.intent.startsWith('top:') && first !== undefined ? first.title : subject;
      return { part: { ...part, text: split.text }, found };
    });
  }

  /** The answers to the parts of a question one after the other; what none of them answers is listed. */
  function combine(
    question: Question,
    parts: readonly { part: Question }[],
    answered: readonly { part: Question; found: Found }[],
  ): Answer {
    const held = answered.filter(({ found }) => found.composed.citations.length > 0);
    const [first] = answered;
    if (held.length === 0 && first !== undefined) {
      return decline(question, 'unconfirmed', first.found);
    }
    const composed: Composed = {
      text: [...new Set(answered.map(({ found }) => found.composed.text))].join('\n'),
      citations: held.flatMap(({ found }) => found.composed.citations),
    };
    const open = parts.filter(({ part }) => !answered.some((one) => one.part === part)).map(({ part }) => part.text);
    const confidence = Math.min(...answered.map(({ found }) => found.confidence));
    const intent = answered.map(({ found }) => found.candidate.intent).join(' + ');
    return toAnswer(question, composed, confidence, intent, open);
  }

  function decline(question: Question, reason: DeclineReason, found: Found | null): Answer {
    const isRefused = reason === 'instruction' || reason === 'empty';
    const named = question.mentions.flatMap(({ entries }) => entries.slice(0, 2).map(({ entry }) => entry));
    const stems = question.words.filter(({ weight }) => weight > 0).map(({ stem }) => stem);
    const near: (Entry | PageReference)[] = isRefused
      ? []
      : [
          ...question.nearMisses.flatMap(({ entry }) => entry ?? []),
          ...(found?.composed.unconfirmed === undefined ? [] : [found.composed.unconfirmed]),
          ...named,
          ...facts
            .search(new Map(stems.map((stem) => [stem, passages.weigh(stem)])), 2)
            .flatMap(({ fact }) => toPage(fact.section)),
          ...passages.search(stems, 12).map(({ passage }) => passage.entry),
        ];
    const text =
      reason === 'unconfirmed' ? (found?.composed.text ?? declineAnswers.unconfirmed) : declineAnswers[reason];
    const guess = Math.min(MAX_DECLINED_CONFIDENCE, isRefused ? 0.02 : 0.08 + (found?.confidence ?? 0) * 0.6);
    return {
      question: question.text,
      answer: reason === 'not-understood' ? `${text} ${describeHoldings(askable, named)}`.trim() : text,
      grounded_in: [],
      confidence: Math.round(100 * guess) / 100,
      answered: false,
      unanswered: isRefused ? [] : [question.text],
      understood_as: understand(question, found?.candidate.intent ?? null, reason),
      alternatives: toAlternatives(near),
      note: null,
    };
  }

  return { ask, rank: (asked) => rank(read(asked.slice(0, MAX_QUESTION_LENGTH).toWellFormed())) };
}

/** "The almanac has a record of GPTBot; among other things it says …". */
function describeHoldings(askable: Askable, named: readonly Entry[]): string {
  const [entry] = named;
  if (entry === undefined) {
    return 'It may be in other words on the pages listed below.';
  }
  const labels = askable
    .fieldsOf(entry.dataset)
    .filter(
      ({ field, words }) =>
        !field.startsWith('rel:') && words.lead !== true && askable.records.read(entry, field) !== null,
    )
    .slice(0, 6)
    .map(({ field }) => labelOf(field));
  return `The almanac has a record of ${entry.title}${labels.length === 0 ? '' : ` with its ${formatList(labels)}`}; ask for one of these by name.`;
}

function toAnswer(
  question: Question,
  { text, citations }: Composed,
  confidence: number,
  intent: string,
  unanswered: string[],
): Answer {
  const cited = new Set(citations.map(({ path }) => path));
  const others = question.mentions.flatMap(({ entries }) => entries.map(({ entry }) => entry));
  return {
    question: question.text,
    answer: text,
    grounded_in: citations,
    confidence: Math.round(100 * confidence) / 100,
    answered: true,
    unanswered,
    understood_as: understand(question, intent, null),
    alternatives: toAlternatives(others.filter(({ path }) => !cited.has(path))),
    note: question.isForeign ? 'The answer is in English, the language of the records.' : null,
  };
}

const toRecord = ({ dataset, id, title, path }: Entry): RecordReference => ({ dataset, id, title, path });

const toPage = (section: PageContent['sections'][number] | null): PageReference[] =>
  section === null
    ? []
    : [
        {
          page: section.path,
          title: section.page,
          anchor: section.anchor,
          path: `${section.path}${section.anchor === null ? '' : `#${section.anchor}`}`,
        },
      ];

function toAlternatives(found: readonly (Entry | PageReference)[]): Reference[] {
  const byPath = new Map(found.map((one) => [one.path, 'record' in one ? toRecord(one) : one] as const));
  return [...byPath.values()].slice(0, MAX_ALTERNATIVES);
}

function understand(
  question: Question,
  intent: string | null,
  declined: DeclineReason | null,
): Answer['understood_as'] {
  const matched = ({ from, to }: { from: number; to: number }): string =>
    question.words
      .slice(from, to)
      .map(({ gap, raw }, index) => (index === 0 ? '' : gap) + raw)
      .join('');
  return {
    intent,
    entities: question.mentions.flatMap((mention) =>
      mention.entries
        .slice(0, 2)
        .map(({ entry: { dataset, id, title } }) => ({ dataset, id, title, matched: matched(mention) })),
    ),
    values: question.values.map((value) => ({ facet: value.facet, value: value.value, matched: matched(value) })),
    corrections: question.corrections,
    declined,
  };
}
