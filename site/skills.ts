import { createHash } from 'node:crypto';
import { stringify } from 'yaml';
import type { Skill } from '#api/catalog/to-catalogs.ts';
import { textsOf } from './content-texts.ts';
import { site } from './site.ts';

/** A skill with the text of its SKILL.md. */
export interface SiteSkill extends Skill {
  text: string;
}

/** The skills that the site publishes, one file each in site/content/skills. */
export const skills: readonly SiteSkill[] = [...(await textsOf('skills')).values()].map(({ id, data, body }) => {
  const { name, description } = data;
  if (id !== name) {
    throw new Error(
      `site/content/skills/${id}.md names its skill ${name}: the name and the file name must be the same`,
    );
  }
  const head = stringify({ name, description }, { lineWidth: 0 });
  const text = `---\n${head}---\n\n${body}\n`.replaceAll('{base_url}', site.origin);
  return {
    name,
    description,
    path: `/.well-known/agent-skills/${name}/SKILL.md`,
    sha256: createHash('sha256').update(text).digest('hex'),
    text,
  };
});
