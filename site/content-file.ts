import { VFile } from 'vfile';
import { matter } from 'vfile-matter';
import { z } from 'zod';

/** What stands at the head of each kind of content file, as YAML between two lines of `---`. */
export const heads = {
  technique: z.strictObject({
    /** Ids of statements that say who reads what the technique publishes, the most telling first. */
    evidence: z.array(z.string()).min(1),
    /** Ids of protocols whose record has more. */
    protocols: z.array(z.string()),
    /** The field of the crawler records that is counted, if one bears on the technique. */
    counts: z.enum(['respects_robots', 'supports_web_bot_auth']).optional(),
  }),
  recipe: z.strictObject({
    title: z.string(),
    /** The versions it was run with, or the documentation that it was written from. */
    versions: z.string(),
    /** Whether a test of ours runs it, or a part of it, or neither. */
    run: z.enum(['test', 'in-part', 'never']),
  }),
  chapter: z.strictObject({
    title: z.string().min(3),
    summary: z.string().min(20),
    /** How long it takes to build, roughly. */
    minutes: z.int().min(1),
    updated: z.iso.date(),
  }),
  skill: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(64),
    description: z.string().min(20).max(1024),
  }),
} as const;

/** A content file: its head, and the markdown below it. */
export interface ContentFile<Kind extends keyof typeof heads> {
  head: z.infer<(typeof heads)[Kind]>;
  markdown: string;
}

/**
 * Reads a content file of a kind from its text, undefined where there is none. `path` is the file's below site/content.
 * Throws an Error that names the file and what's wrong with it.
 */
export function readContentFile<Kind extends keyof typeof heads>(
  kind: Kind,
  path: string,
  text: string | undefined,
): ContentFile<Kind> {
  if (text === undefined) {
    throw new Error(`site/content/${path} is missing`);
  }
  const file = new VFile(text);
  try {
    matter(file, { strip: true });
  } catch (cause) {
    throw new Error(`The head of site/content/${path} is no YAML.`, { cause });
  }
  const head = heads[kind].safeParse(file.data.matter);
  if (!head.success) {
    throw new Error(`The head of site/content/${path} is wrong:\n${z.prettifyError(head.error)}`);
  }
  return { head: head.data as ContentFile<Kind>['head'], markdown: String(file).trimStart() };
}
