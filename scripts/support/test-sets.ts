/**
 * The sets of tests, distinguished by the end of a file's name: `*.site.test.ts`, `*.slow.test.ts`, and every other `*.test.ts`
 * for `unit`. A file, and each test in it, may take so many minutes. So many files of a folder run in one process, one after the
 * other, and load what they share once.
 */
export const testSets = {
  unit: { needsSite: false, fileMinutes: 5, filesTogether: 14 },
  site: { needsSite: true, fileMinutes: 5, filesTogether: 1 },
  slow: { needsSite: true, fileMinutes: 15, filesTogether: 1 },
} as const satisfies Record<string, { needsSite: boolean; fileMinutes: number; filesTogether: number }>;

export type TestSet = keyof typeof testSets;

/** In the order in which they run. */
export const testSetNames: readonly TestSet[] = ['unit', 'site', 'slow'];

export const isTestSet = (name: string): name is TestSet => Object.hasOwn(testSets, name);

/** The set that a test file belongs to by its name. */
export function setOf(file: string): TestSet {
  const [, set = 'unit'] = /\.(site|slow)\.test\.ts$/.exec(file) ?? [];
  return isTestSet(set) ? set : 'unit';
}
