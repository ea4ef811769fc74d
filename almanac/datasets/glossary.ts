import { z } from 'zod';
import { defineDataset, provenance, Slug } from '../dataset.ts';
import { provenanceNulls } from '../null-words.ts';
import { techniqueIds } from '../techniques.ts';
import document from './glossary.json' with { type: 'json' };

export const GlossaryCategory = z.enum([
  'core',
  'models',
  'content',
  'discovery',
  'crawling',
  'preferences',
  'protocols',
  'http',
  'identity',
  'payments',
  'safety',
  'text',
  'accessibility',
  'standards',
]);
export type GlossaryCategory = z.infer<typeof GlossaryCategory>;

const Technique = z.enum(techniqueIds);

export const GlossaryTerm = z.strictObject({
  id: Slug.describe('Slug of the term; its address is /glossary/<id>.'),
  term: z.string().min(2).describe('The term as it is written in running text.'),
  abbreviation_of: z.string().min(3).nullable().describe('What the term stands for, when the term is an abbreviation.'),
  category: GlossaryCategory.describe('The field the term belongs to.'),
  definition: z.string().min(60).max(700).describe('One to three sentences; the first says what the thing is.'),
  aliases: z.array(z.string().min(2)).describe('Other names and spellings. Each belongs to one term only.'),
  see_also: z.array(Slug).min(1).describe('Ids of related terms in this glossary.'),
  protocols: z.array(Slug).describe('Ids of the protocol records that the term concerns.'),
  crawlers: z.array(Slug).describe('Ids of the crawler records that the term concerns.'),
  techniques: z.array(Technique).describe('Ids of the techniques in which the term is used.'),
  ...provenance,
});
export type GlossaryTerm = z.infer<typeof GlossaryTerm>;

export const glossary = defineDataset({
  id: 'glossary',
  path: 'glossary',
  record: GlossaryTerm,
  compact: ['id', 'term', 'category', 'aliases'],
  nulls: { ...provenanceNulls, abbreviation_of: 'does not apply' },
  document,
});

checkReferences(glossary.records);

/** Links must lead to a term, and a name must lead to exactly one term. Throws one Error that names every fault. */
function checkReferences(terms: GlossaryTerm[]): void {
  const problems: string[] = [];
  const owners = new Map<string, string>();
  const claim = (name: string, id: string): void => {
    const key = name.toLowerCase().replaceAll('-', ' ');
    const owner = owners.get(key);
    if (owner !== undefined && owner !== id) {
      problems.push(`${id}: the name "${name}" already belongs to ${owner}`);
    }
    owners.set(key, id);
  };
  for (const entry of terms) {
    claim(entry.term, entry.id);
  }
  for (const entry of terms) {
    for (const alias of entry.aliases) {
      claim(alias, entry.id);
    }
    for (const target of entry.see_also) {
      if (target === entry.id) {
        problems.push(`${entry.id}: see_also: points to itself`);
      } else if (glossary.get(target) === undefined) {
        problems.push(`${entry.id}: see_also: there is no term "${target}"`);
      }
    }
    for (const field of ['see_also', 'protocols', 'crawlers', 'techniques'] as const) {
      if (new Set<string>(entry[field]).size !== entry[field].length) {
        problems.push(`${entry.id}: ${field}: an id is listed twice`);
      }
    }
  }
  if (problems.length > 0) {
    throw new Error(`almanac/datasets/glossary.json has inconsistent names or links:\n${problems.join('\n')}`);
  }
}
