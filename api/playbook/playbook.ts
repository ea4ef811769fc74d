import { z } from 'zod';
import { techniqueIds } from '#almanac/techniques.ts';

/** One chapter of the premium playbook: how to build one technique. */
export const PlaybookChapter = z.object({
  id: z.enum(techniqueIds).describe('The technique.'),
  number: z.int().min(1).max(12),
  title: z.string(),
  summary: z.string(),
  minutes: z.int().min(1).describe('How long it takes to build, roughly.'),
  updated: z.iso.date(),
  url: z.url().describe('The page of the technique, which is free.'),
  markdown: z.string().describe('The whole chapter.'),
});
export type PlaybookChapter = z.infer<typeof PlaybookChapter>;

/** The premium playbook as it is built: its chapters, and the same as one document in markdown and in HTML. */
export const Playbook = z.strictObject({
  title: z.string(),
  description: z.string(),
  updated: z.iso.date(),
  chapters: z.array(PlaybookChapter).min(1),
  markdown: z.string(),
  html: z.string(),
  /** What the README of the files begins with. */
  about: z.string(),
  /** The programs that a test of ours read the files with. */
  tested_with: z.array(z.object({ name: z.string(), version: z.string() })).min(1),
  /** In which order to build: what a week has room for, day by day. */
  first_week: z.array(z.object({ day: z.string(), chapters: z.array(z.enum(techniqueIds)).min(1), why: z.string() })),
  /** Programs that come with the files, by name. */
  programs: z.record(z.string(), z.string()),
});
export type Playbook = z.infer<typeof Playbook>;
