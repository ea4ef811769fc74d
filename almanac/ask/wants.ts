import document from './data/wants.json' with { type: 'json' };

/** What kind of answer a question wants, by its form. */
export type Want =
  | 'howto'
  | 'how'
  | 'yesno'
  | 'number'
  | 'who'
  | 'when'
  | 'where'
  | 'why'
  | 'list'
  | 'count'
  | 'define'
  | 'term'
  | 'compare'
  | 'trend'
  | 'changes'
  | 'own'
  | 'advice'
  | 'mine';

/** Patterns run over the corrected, lower-case words. A question may want several kinds at once. */
const rules = Object.entries(document as Record<Want, string>).map(([want, pattern]) => ({
  want: want as Want,
  pattern: new RegExp(pattern),
}));

export const readWants = (plain: string): ReadonlySet<Want> =>
  new Set(rules.filter(({ pattern }) => pattern.test(plain)).map(({ want }) => want));
