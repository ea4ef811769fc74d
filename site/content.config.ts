import { defineCollection } from 'astro:content';
import { glob } from 'astro/loaders';
import { z } from 'zod';

/** What the front matter of each kind of text holds. The name of a collection is the name of its folder in site/content/. */
const schemas = {
  /** The long text of each technique. The front matter names records that say who reads what the technique publishes. */
  techniques: z.strictObject({
    /** Ids of statements, the most telling first. */
    evidence: z.array(z.string()).min(1),
    /** Ids of protocols whose record has more. */
    protocols: z.array(z.string()),
    /** The field of the crawler records that is counted, if one bears on the technique. */
    counts: z.enum(['respects_robots', 'supports_web_bot_auth']).optional(),
  }),
  /** A chapter for each technique; one of them is free. */
  playbook: z.strictObject({
    title: z.string().min(3),
    summary: z.string().min(20),
    /** How long it takes to build, roughly. */
    minutes: z.int().min(1),
    /** YYYY-MM-DD, which YAML reads as a moment. */
    updated: z.date().transform((date) => date.toISOString().slice(0, 'YYYY-MM-DD'.length)),
  }),
  /** How to serve twins and llms.txt on one platform. */
  recipes: z.strictObject({
    title: z.string(),
    /** The versions it was run with, or the documentation that it was written from. */
    versions: z.string(),
    /** Whether a test of ours runs it, or a person ran it once, or neither. */
    run: z.enum(['test', 'by-hand', 'never']),
  }),
  /** Skills for agents (agentskills.io). */
  skills: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(64),
    description: z.string().min(20).max(1024),
  }),
};

export type ContentSchemas = typeof schemas;

const collectionOf = <Schema extends z.ZodType>(name: keyof ContentSchemas, schema: Schema) =>
  defineCollection({ loader: glob({ base: `site/content/${name}`, pattern: '*.md' }), schema });

export const collections = {
  techniques: collectionOf('techniques', schemas.techniques),
  playbook: collectionOf('playbook', schemas.playbook),
  recipes: collectionOf('recipes', schemas.recipes),
  skills: collectionOf('skills', schemas.skills),
};
