import { createAlmanacIndex } from './almanac-index.ts';
import type { Answer, Citation, DeclineReason, RecordReference } from './answer.ts';
import { ANSWER_THRESHOLD, scoreDraft, toConfidence, toDeclinedConfidence } from './confidence.ts';
import { type AskableDataset, type Entry, type Fact, readText } from './entries.ts';
import type { Draft } from './intent.ts';
import { intents } from './intents/index.ts';
import { createLinker, type Question } from './link.ts';
import { declineAnswers, refuseQuestion } from './refuse.ts';
import { editDistance } from './spell.ts';
import { MAX_QUESTION_LENGTH, type Token } from './tokens.ts';
import { neutralWords, stopWords } from './words.ts';

export type { Answer, Citation, DeclineReason, RecordReference, Understanding } from './answer.ts';
export { MAX_QUESTION_LENGTH } from './tokens.ts';

export type Answerer = (question: string) => Answer;

const MAX_ALTERNATIVES = 5;

/** How far the name of a crawler may be from an unknown one to be offered instead of it. */
const MAX_DISTANCE = 4;

/**
 * Prepares the datasets and returns the function that answers questions from them. It composes each answer from
 * fields of records, cites them, and declines what they do not hold. It never throws: a question is hostile text.
 * Only the first 500 UTF-16 units of a question are read.
 */
export function createAnswerer(datasets: readonly AskableDataset[]): Answerer {
  const index = createAlmanacIndex(datasets);
  const readQuestion = createLinker(index.entries, index.corpusWords);

  return (asked) => {
    const question = readQuestion(asked.slice(0, MAX_QUESTION_LENGTH).toWellFormed());
    const refusal = refuseQuestion(question);
    if (refusal !== null) {
      return decline(question, refusal.reason, refusal.answer, null, 0);
    }
    const best = findBest(question);
    if (best === null || best.score < ANSWER_THRESHOLD) {
      const isNearMiss = question.nearMisses.length > 0 || findUnknownBots(question).length > 0;
      const reason = isNearMiss ? 'unknown-name' : 'outside';
      return decline(question, reason, declineAnswers[reason], best?.draft ?? null, best?.score ?? 0);
    }
    if (best.draft.facts.length === 0) {
      return decline(question, 'unconfirmed', best.draft.text, best.draft, 0.1);
    }
    return toAnswer(question, best.draft, toConfidence(best.score));
  };

  function findBest(question: Question): { draft: Draft; score: number } | null {
    let best: { draft: Draft; score: number } | null = null;
    for (const intent of intents) {
      const draft = intent.read(question, index);
      const score = draft === null ? 0 : scoreDraft(question, draft, index);
      if (draft !== null && score > (best?.score ?? -1)) {
        best = { draft, score };
      }
    }
    return best;
  }

  /** "FooBot": made like the name of a crawler, and the name of none. */
  function findUnknownBots({ tokens }: Question): Token[] {
    return tokens.filter(
      ({ raw, word }) => /^\p{Lu}.+(bot|crawler|spider)$/iu.test(raw) && !index.corpusWords.has(word),
    );
  }

  function findSimilarCrawlers({ word }: Token): Entry[] {
    return index
      .of('crawlers')
      .map((entry) => ({ entry, distance: editDistance(word, entry.title.toLowerCase(), MAX_DISTANCE) }))
      .filter(({ distance }) => distance !== null)
      .sort((a, b) => (a.distance ?? 0) - (b.distance ?? 0))
      .slice(0, 3)
      .map(({ entry }) => entry);
  }

  /** The newest models of the line that a version was made up for: "Claude 12". */
  function findFamily(text: string): Entry[] {
    const line = text.replace(/[\s\d.-]+$/, '').toLowerCase();
    return index
      .of('models')
      .filter(({ title }) => line.length > 1 && title.toLowerCase().startsWith(line))
      .sort((a, b) => readText(b, 'released').localeCompare(readText(a, 'released')))
      .slice(0, 3);
  }

  function decline(
    question: Question,
    reason: DeclineReason,
    text: string,
    draft: Draft | null,
    score: number,
  ): Answer {
    const nearMisses = question.nearMisses.flatMap(({ entry, text }) => entry ?? findFamily(text));
    const offered = reason === 'unconfirmed' ? (draft?.unconfirmed ?? []) : [];
    const mentioned = question.mentions.flatMap(({ links }) => links.slice(0, 2).map(({ entry }) => entry));
    const isRefused = reason === 'instruction' || reason === 'empty';
    const found = isRefused ? [] : index.findNearest(toContent(question), MAX_ALTERNATIVES);
    const similar = findUnknownBots(question).slice(0, 1).flatMap(findSimilarCrawlers);
    const alternatives = [...new Set([...offered, ...nearMisses, ...similar, ...mentioned, ...found])];
    return {
      question: question.text,
      answer: text,
      grounded_in: [],
      confidence: toDeclinedConfidence(score),
      answered: false,
      understood_as: understand(question, draft?.intent ?? null, reason),
      alternatives: alternatives.slice(0, MAX_ALTERNATIVES).map(toReference),
      note: reason === 'unconfirmed' ? toNote(draft?.notes ?? []) : null,
    };
  }

  function toAnswer(question: Question, draft: Draft, confidence: number): Answer {
    const cited = new Set(draft.facts.map(({ entry }) => entry));
    const others = question.mentions.flatMap(({ links }) => links.map(({ entry }) => entry));
    const alternatives = [...new Set([...draft.unconfirmed, ...others])].filter((entry) => !cited.has(entry));
    return {
      question: question.text,
      answer: draft.text,
      grounded_in: draft.facts.map(toCitation),
      confidence,
      answered: true,
      understood_as: understand(question, draft.intent, null),
      alternatives: alternatives.slice(0, MAX_ALTERNATIVES).map(toReference),
      note: toNote([...draft.notes, ...draft.facts.flatMap(toFactNotes)]),
    };
  }
}

/** The words of a question that can tell records apart. */
const toContent = ({ tokens }: Question): string =>
  tokens.flatMap(({ word }) => (stopWords.has(word) || neutralWords.has(word) ? [] : [word])).join(' ');

const toReference = ({ dataset, id, title, path }: Entry): RecordReference => ({ dataset, id, title, path });

function toCitation({ entry, field, value }: Fact): Citation {
  return { ...toReference(entry), fields: [field], quote: typeof value === 'string' ? value : JSON.stringify(value) };
}

function toNote(notes: readonly string[]): string | null {
  const distinct = [...new Set(notes)].slice(0, 4);
  return distinct.length === 0 ? null : distinct.join(' ');
}

/** Sources that contradict each other about a cited field, and values that nobody audited, are told. */
function toFactNotes({ entry, field, caveat }: Fact): string[] {
  const { conflicts } = entry.record;
  const disputed = Array.isArray(conflicts) && conflicts.some((conflict) => conflict.field.split('.')[0] === field);
  const dispute = `The sources of ${entry.title} contradict each other on ${field}; the record lists both values.`;
  return [...(caveat === null ? [] : [caveat]), ...(disputed ? [dispute] : [])];
}

function understand(
  question: Question,
  intent: string | null,
  declined: DeclineReason | null,
): Answer['understood_as'] {
  return {
    intent,
    entities: question.mentions.flatMap(({ links, text }) =>
      links.slice(0, 1).map(({ entry: { dataset, id, title } }) => ({ dataset, id, title, matched: text })),
    ),
    values: question.values.map(({ facet, value, text }) => ({ facet, value, matched: text })),
    corrections: question.corrections,
    declined,
  };
}
