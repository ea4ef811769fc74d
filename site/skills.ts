import { createHash } from 'node:crypto';
import type { Skill } from '#api/catalog/to-catalogs.ts';
import { readContentFile } from './content-file.ts';
import { site } from './site.ts';

/** A skill with the text of its SKILL.md. */
export interface SiteSkill extends Skill {
  text: string;
}

const files = import.meta.glob<string>('./content/skills/*.md', { query: '?raw', import: 'default', eager: true });

/** The skills that the site publishes, one file each in site/content/skills. */
export const skills: readonly SiteSkill[] = Object.entries(files).map(([file, source]) => {
  const text = source.replaceAll('{base_url}', site.origin);
  const { name, description } = readContentFile('skill', file.replace('./content/', ''), text).head;
  if (file !== `./content/skills/${name}.md`) {
    throw new Error(`${file} names its skill ${name}: the name and the file name must be the same`);
  }
  return {
    name,
    description,
    path: `/.well-known/agent-skills/${name}/SKILL.md`,
    sha256: createHash('sha256').update(text).digest('hex'),
    text,
  };
});
