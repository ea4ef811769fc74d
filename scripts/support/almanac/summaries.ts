import type { Model } from '#almanac/datasets/models.ts';

/** What the summary of a model says that a field says too: the words for it, and the value of the field in words. */
const saidTwice: readonly { field: keyof Model; words: RegExp; write: (value: unknown) => string | null }[] = [
  { field: 'context_window', words: /(?<=context window of )[\d,]+/, write: inDigits },
  { field: 'max_output', words: /(?<=up to )[\d,]+(?= of output)/, write: inDigits },
  { field: 'released', words: /(?<=released on )\d+ \w+ \d{4}/, write: asDay },
  { field: 'retired_on', words: /(?<=retirement set for |switched off on )\d+ \w+ \d{4}/, write: asDay },
];
const successor = /(?<=; )[^;]+?(?= is the named replacement)/;

function inDigits(value: unknown): string | null {
  return typeof value === 'number' ? value.toLocaleString('en-US') : null;
}

function asDay(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(value)
    ? new Date(value).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
    : null;
}

/** Summaries that say something else than the fields of their record. */
export function contradictingSummaries(models: readonly Model[]): string[] {
  const names = new Map(models.map(({ id, name }) => [id, name]));
  return models.flatMap((model) => {
    const next = model.replaced_by === null ? null : (names.get(model.replaced_by) ?? null);
    const rules = [
      ...saidTwice.map(({ field, words, write }) => ({ field, words, right: write(model[field]) })),
      { field: 'replaced_by', words: successor, right: next },
    ];
    return rules.flatMap(({ field, words, right }) => {
      const said = words.exec(model.summary)?.[0];
      return said === undefined || said === right
        ? []
        : [`models ${model.id}: summary: says "${said}", and ${field} is ${right === null ? 'nothing' : `"${right}"`}`];
    });
  });
}

/**
 * A summary after a field of its model changed; as it was when it doesn't speak of the field, or there are no words for
 * the value.
 */
export function summaryWith(summary: string, field: string, value: unknown): string {
  const rule = saidTwice.find((each) => each.field === field);
  const right = rule?.write(value) ?? null;
  return rule === undefined || right === null ? summary : summary.replace(rule.words, right);
}
