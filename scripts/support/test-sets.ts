const longUnitFiles = [
  'test/architecture.test.ts',
  'test/interfaces/mcp-tools.test.ts',
  'test/interfaces/mcp-client.test.ts',
  'test/almanac/ask.test.ts',
];

const longSiteFiles = [
  'test/browser/audit.site.test.ts',
  'test/almanac/ask.site.test.ts',
  'test/audits/page.site.test.ts',
  'test/browser/form-answers.site.test.ts',
  'test/guestbook/form.site.test.ts',
  'test/directory/page.site.test.ts',
  'test/browser/shifts.site.test.ts',
  'test/playbook/page.site.test.ts',
  'test/browser/weight.site.test.ts',
  'test/browser/axe.site.test.ts',
  'test/browser/views.site.test.ts',
  'test/site/html-validity.site.test.ts',
  'test/site/links.site.test.ts',
  'test/site/twins.site.test.ts',
];

/**
 * The sets of tests, distinguished by the end of a file's name: `*.site.test.ts`, `*.slow.test.ts`, and every other `*.test.ts`
 * for `unit`. `fileMinutes` is the limit for a file and for each test in it. `filesTogether` files of a folder run in one
 * process, one after the other, and load what they share once. The files that take longest come first, each in a process of
 * its own, so that none of them is left over at the end.
 */
export const testSets = {
  unit: { needsSite: false, fileMinutes: 5, filesTogether: 14, first: longUnitFiles },
  site: { needsSite: true, fileMinutes: 5, filesTogether: 1, first: longSiteFiles },
  slow: { needsSite: true, fileMinutes: 15, filesTogether: 1, first: [] },
} as const satisfies Record<
  string,
  { needsSite: boolean; fileMinutes: number; filesTogether: number; first: readonly string[] }
>;

export type TestSet = keyof typeof testSets;

/** In the order in which they run. */
export const testSetNames: readonly TestSet[] = ['unit', 'site', 'slow'];

export const isTestSet = (name: string): name is TestSet => Object.hasOwn(testSets, name);

/** The set that a test file belongs to by its name. */
export function setOf(file: string): TestSet {
  const [, set = 'unit'] = /\.(site|slow)\.test\.ts$/.exec(file) ?? [];
  return isTestSet(set) ? set : 'unit';
}
