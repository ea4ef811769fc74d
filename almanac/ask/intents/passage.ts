import { saysClause } from '../clause.ts';
import type { Entry } from '../entries.ts';
import { explain, type Intent } from '../intent.ts';
import type { Question } from '../link.ts';
import { toStem } from '../tokens.ts';
import { stopWords } from '../words.ts';

const MIN_WORDS = 3;
const MIN_COVERAGE = 0.85;
const MAX_PASSAGES = 8;

/** How many words may stand between who acts and the verb. */
const MAX_BETWEEN = 6;

/**
 * The last resort: a passage that holds nearly all content words of the question. Its certainty stays low. Words alone
 * don't tell what a "not" belongs to, so questions with one are left.
 */
export const passage: Intent = {
  id: 'passage',
  read(question, index) {
    const words = question.tokens.flatMap(({ word }, position) =>
      stopWords.has(word) || word.length < 2 ? [] : [{ position, stem: toStem(word) }],
    );
    if (question.polarity !== 'plain' || new Set(words.map(({ stem }) => stem)).size < MIN_WORDS || words.length > 40) {
      return null;
    }
    const total = words.reduce((sum, { stem }) => sum + index.weigh(stem), 0);
    let best: { coverage: number; held: Set<number>; at: number } | null = null;
    const found = index
      .findPassages(question.plain, MAX_PASSAGES)
      .filter(({ entry, text, stems }) =>
        isOfActor(question, entry)
          ? stems.has(toStem(question.tokens[question.clause?.verb ?? -1]?.word ?? ''))
          : saysClause(question, text, MAX_BETWEEN),
      );
    found.forEach((candidate, at) => {
      const held = words.filter(({ stem }) => candidate.stems.has(stem));
      const coverage = held.reduce((sum, { stem }) => sum + index.weigh(stem), 0) / total;
      if (coverage >= MIN_COVERAGE && (best === null || coverage > best.coverage)) {
        best = { coverage, held: new Set(held.map(({ position }) => position)), at };
      }
    });
    const chosen = best as { coverage: number; held: Set<number>; at: number } | null;
    const source = found[chosen?.at ?? -1];
    if (chosen === null || source === undefined) {
      return null;
    }
    return {
      intent: 'passage',
      certainty: 0.62 * chosen.coverage,
      strength: 1,
      explained: explain(chosen.held, []),
      text: source.text,
      facts: [{ entry: source.entry, field: source.field, value: source.text, caveat: null }],
      notes: ['This is the passage nearest to the question, not an answer composed for it.'],
      unconfirmed: [],
    };
  },
};

/** Whether a record is that of who acts in the question: its texts then need not name it. */
const isOfActor = ({ clause, mentions }: Question, entry: Entry): boolean =>
  mentions.some(({ from, links }) => from === clause?.actor.from && links.some((link) => link.entry === entry));
