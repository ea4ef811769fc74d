/**
 * The sets of tests, distinguished by the end of a file's name: `*.site.test.ts`, `*.slow.test.ts`, and every other `*.test.ts`
 * for `unit`.
 */
export const testSets = {
  unit: { needsSite: false },
  site: { needsSite: true },
  slow: { needsSite: true },
} as const satisfies Record<string, { needsSite: boolean }>;

export type TestSet = keyof typeof testSets;

/** In the order in which they run. */
export const testSetNames: readonly TestSet[] = ['unit', 'site', 'slow'];

export const isTestSet = (name: string): name is TestSet => Object.hasOwn(testSets, name);

/** The set that a test file belongs to by its name. */
export function setOf(file: string): TestSet {
  const [, set = 'unit'] = /\.(site|slow)\.test\.ts$/.exec(file) ?? [];
  return isTestSet(set) ? set : 'unit';
}
