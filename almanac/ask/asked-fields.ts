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
const DEPENDENT = 0.7;

/** A question that is kept: its words, and the field that answers it. */
export interface AskedField {
  stems: readonly string[];
  field: string;
}

/** Counts the fields that questions ask for and their words, those that one question alone has left out. */
export function countAsked(asks: readonly AskedField[]): AskedFields {
  const fields = new Map<string, number>();
  const words = new Map<string, Map<string, number>>();
  for (const { stems, field } of asks) {
    fields.set(field, (fields.get(field) ?? 0) + 1);
    for (const stem of stems) {
      const own = words.get(stem) ?? new Map<string, number>();
      words.set(stem, own.set(field, (own.get(field) ?? 0) + 1));
    }
  }
  const shared = [...words].filter(([, counts]) => [...counts.values()].reduce((sum, count) => sum + count, 0) > 1);
  return {
    fields: Object.fromEntries(fields),
    words: Object.fromEntries(shared.map(([stem, counts]) => [stem, Object.fromEntries(counts)])),
  };
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
    const total = Math.max(0, all - (isOwn ? 1 : 0));
    const score = known.reduce(
      (sum, { stem, counts }) => {
        const count = Math.max(0, (counts[field] ?? 0) - (isOwn && own.stems.includes(stem) ? 1 : 0));
        return sum + Math.log((count + UNSEEN) / (total + ADDED));
      },
      Math.log(total + 1),
    );
    return [field, score];
  });
  const most = Math.max(...scores.map(([, score]) => score));
  const odds = scores.map(([field, score]): [string, number] => [field, Math.exp((score - most) * DEPENDENT)]);
  const sum = odds.reduce((all, [, one]) => all + one, 0);
  return new Map(odds.map(([field, one]) => [field, one / sum]));
}
