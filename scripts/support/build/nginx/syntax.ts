/** A word in double quotes, as nginx reads it: backslashes and quotes are escaped. */
export const quote = (word: string): string => `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A block with its lines indented. */
export const block = (head: string, lines: readonly string[]): string[] => [
  `${head} {`,
  ...lines.map((line) => (line === '' ? '' : `    ${line}`)),
  '}',
];

/** A map from a source to a variable. */
export const map = (source: string, variable: string, entries: readonly (readonly [string, string])[]): string[] =>
  block(
    `map ${source} ${variable}`,
    entries.map(([key, value]) => `${key} ${value};`),
  );
