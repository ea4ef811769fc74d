import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** The address that the sites are made for; the recordings have ORIGIN in its place. */
export const origin = 'https://lamps.example';

/** Texts that several sites have, by the first word of what stands for them: `<chapter oil>`. */
const texts: Readonly<Record<string, (given: string) => string>> = {
  origin: () => origin,
  about: () => 'Lamp Manual, step by step, for owners of oil lamps.',
  /** The first page, with a link to the chapter on oil. */
  start: (link) =>
    `This manual says how to clean, fill and light an oil lamp. Read [the chapter on oil](${link}) first: a lamp with the wrong oil smokes, and no wick helps.\n\n## What you need\n\nA cloth, a funnel, and oil for a week.`,
  chapter: (subject) =>
    `Choose the ${subject} that fits the burner. Look at it each week, and change it when it is worn. A lamp with the right ${subject} burns with a steady flame and makes no smoke.\n\n## When to change it\n\nEvery ten evenings in winter, and each month in summer.`,
  /** A number, and the text that comes as often. */
  repeat: (given) => given.replace(/^\d+ /, '').repeat(Number.parseInt(given, 10)),
};

const placeholder = new RegExp(`<(${Object.keys(texts).join('|')})(?: ([^<>]*))?>`, 'g');

const Text = z
  .string()
  .transform((text) => text.replace(placeholder, (_all, name: string, given = '') => texts[name]?.(given) ?? ''));

const Names = z.record(z.string(), z.string());
const Program = z.tuple([z.string()], z.string());

/** A generator of sites: what it is given, how it is run, and where it writes. */
const Generator = z.strictObject({
  name: z.string(),
  packages: Names,
  version: Program.optional(),
  files: z.record(z.string(), Text),
  build: Program,
  output: z.string(),
  /** Files that are not recorded. */
  skip: z
    .string()
    .transform((pattern) => new RegExp(pattern))
    .optional(),
});
export type Generator = z.infer<typeof Generator>;

const Entry = z.looseObject({ extends: z.string().optional(), packages: Names.optional(), files: Names });

const file = z
  .record(z.string(), Entry)
  .parse(parse(readFileSync(new URL('generators.yaml', import.meta.url), 'utf8')));

/** A generator with all that it takes from the one that it extends. */
function whole({ extends: base, ...own }: z.infer<typeof Entry>): Generator {
  const { extends: _none, ...from } = file[base ?? ''] ?? { files: {} };
  return Generator.parse({
    ...from,
    ...own,
    packages: { ...from.packages, ...own.packages },
    files: { ...from.files, ...own.files },
  });
}

/** The generators whose output the audit is tested with, by name. */
export const generators: Readonly<Record<string, Generator>> = Object.fromEntries(
  Object.entries(file).map(([id, entry]) => [id, whole(entry)]),
);
