/** A word in double quotes, as nginx reads it: backslashes and quotes are escaped. */
export const quote = (word: string): string => `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;

/** A block with its lines indented. */
export const block = (head: string, lines: readonly string[]): string =>
  [`${head} {`, ...lines.flatMap((line) => line.split('\n')).map((line) => `    ${line}`), '}'].join('\n');

/** The entries of a map. */
export const entries = (pairs: Iterable<readonly [string, string]>): string =>
  Array.from(pairs, ([key, value]) => `${key} ${value};`).join('\n');

/** Fills the holes `{{name}}` of a template, one a line at most. What has several lines stands alone on its line, and is indented as that is. */
export const fill = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replace(/^( *)(.*)\{\{(\w+)\}\}/gm, (_hole, indent: string, before: string, name: string) => {
    const value = values[name];
    if (value === undefined) {
      throw new Error(`The template has a hole {{${name}}} that nothing fills.`);
    }
    return indent + before + value.replaceAll('\n', `\n${indent}`);
  });
