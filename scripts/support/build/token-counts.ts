import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { estimateTokens } from '#api/text/token-estimate.ts';

const mark = /%tokens (\/[^%]*)%/g;

/** A count of tokens as a reader needs it: to two digits, with k for thousands and M for millions. */
function inWords(tokens: number): string {
  const rounded = Number(tokens.toPrecision(2));
  return rounded < 1000
    ? `${rounded} tokens`
    : rounded < 1_000_000
      ? `${rounded / 1000}k tokens`
      : `${rounded / 1_000_000}M tokens`;
}

/** Writes into an index how many tokens each file has that it links to. Throws for a file that the build did not make. */
export async function fillTokenCounts(clientDir: string, index: string): Promise<void> {
  const file = join(clientDir, index);
  const text = await readFile(file, 'utf8');
  const paths = [...new Set([...text.matchAll(mark)].map(([, path]) => String(path)))];
  const counts = new Map(
    await Promise.all(
      paths.map(async (path) => [path, inWords(estimateTokens((await stat(join(clientDir, path))).size))] as const),
    ),
  );
  await writeFile(
    file,
    text.replace(mark, (_mark, path: string) => counts.get(path) ?? ''),
  );
}
