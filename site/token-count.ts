/**
 * Where the build writes how many tokens a file has: the file itself is only finished after the pages that link to it.
 * `scripts/support/build/token-counts.ts` fills it in.
 */
export const tokenCount = (path: string): string => `%tokens ${path}%`;
