import document from './data/asked-fields.json' with { type: 'json' };

/**
 * How many kept questions ask for each field of the records of a dataset, and of each word how many of those have it:
 * `npm run ask:train` counts them. "Turn away" is asked of one crawler and tells what it means for another.
 */
export interface AskedFields {
  fields: Record<string, number>;
  words: Record<string, Record<string, number>>;
}

const counted = document as Readonly<Record<string, AskedFields>>;

/** What a word counts that no question for a field has, and what is added to how many there are. */
const UNSEEN = 0.15;
const ADDED = 3;
/** Words follow from one another, so that all of them together tell less than they seem to. */
const SHARED = 0.7;

/** A question that is kept: its words, and the field that answers it. */
export interface AskedField {
  stems: readonly string[];
  field: string;
}

/** Counts the fields that questions ask for and their words, those that one question alone has left out. */
export function countAsked(asks: readonly AskedField[]): AskedFields {
  const fields: Record<string, number> = {};
  const words: Record<string, Record<string, number>> = {};
  for (const { stems, field } of asks) {
    fields[field] = (fields[field] ?? 0) + 1;
    for (const stem of stems) {
      const own = Object.hasOwn(words, stem) ? words[stem] : undefined;
      words[stem] = { ...own, [field]: (own?.[field] ?? 0) + 1 };
    }
  }
  const isShared = (counts: Record<string, number>): boolean =>
    Object.values(counts).reduce((sum, count) => sum + count, 0) > 1;
  return { fields, words: Object.fromEntries(Object.entries(words).filter(([, counts]) => isShared(counts))) };
}

/**
 * 0 to 1: how likely words ask for each field of a dataset's records (naive Bayes). `own` is a question that is counted and
 * that doesn't count here, so that it can be learnt from.
 */
export function oddsOfFields(dataset: string, stems: readonly string[], own?: AskedField): ReadonlyMap<string, number> {
  const { fields, words } = counted[dataset] ?? { fields: {}, words: {} };
  const known = stems.flatMap((stem) => (Object.hasOwn(words, stem) ? [{ stem, counts: words[stem] ?? {} }] : []));
  const scores = Object.entries(fields).map(([field, all]): [string, number] => {
    const isOwn = own?.field === field;
    const total = all - (isOwn ? 1 : 0);
    const score = known.reduce(
      (sum, { stem, counts }) => {
        const count = (counts[field] ?? 0) - (isOwn && own.stems.includes(stem) ? 1 : 0);
        return sum + Math.log((count + UNSEEN) / (total + ADDED));
      },
      Math.log(total + 1),
    );
    return [field, score];
  });
  const most = Math.max(...scores.map(([, score]) => score));
  const odds = scores.map(([field, score]): [string, number] => [field, Math.exp((score - most) * SHARED)]);
  const sum = odds.reduce((all, [, one]) => all + one, 0);
  return new Map(odds.map(([field, one]) => [field, one / sum]));
}
