import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { isText, requireServed } from '../../judging/claims.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const isWhole = (skill: unknown): boolean =>
  /^[a-z0-9]+(?:-[a-z0-9]+)*$/.test((findStrings(skill, 'name')[0] ?? '').slice(0, 64)) &&
  findStrings(skill, 'description').some(isText) &&
  findStrings(skill, 'url').some(isText) &&
  /^sha256:[0-9a-f]{64}$/i.test(findStrings(skill, 'digest')[0] ?? '');

/** Whether the skills that a site offers are what their digests say. */
export const agentSkills = defineCheck({
  id: 'agent-skills',
  technique: 'agent-api',
  topic: 'Agent skills',
  titles: {
    pass: 'Agent skills are there and match their digests',
    partial: 'Agent skills are listed incompletely',
    fail: 'Agent skills are missing or differ from their digests',
  },
  causes: ['agent-files'],
  why: 'A skill is an instruction that an agent takes into its own hands. The digest is how it knows that it has the one that was offered.',
  reference: { title: 'Agent Skills discovery', url: 'https://github.com/cloudflare/agent-skills-discovery-rfc' },
  fix: ({ origin, exchanges }) => ({
    text: 'Write the index at build time, with the digest of the bytes that are served.',
    snippet: `{\n  "$schema": "https://schemas.agentskills.io/discovery/0.2.0/schema.json",\n  "skills": [\n    {\n      "name": "read-this-site",\n      "type": "skill-md",\n      "description": "How to find and cite pages of ${new URL(origin).host}.",\n      "url": "${origin}/.well-known/agent-skills/read-this-site/SKILL.md",\n      "digest": "sha256:${exchanges['skill:1']?.bodySha256 ?? '<64 hexadecimal digits>'}"\n    }\n  ]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const exchange = requireServed(evidence, 'agent-skills', 'An index of agent skills');
    const { value, problem } = jsonOf(exchange);
    const skills = find(value, 'skills', '*');
    const line = (note: string) =>
      lineOf(exchange, note, { excerpt: findStrings(value, 'skills', '*', 'name').join(', ') });
    if (problem !== null || skills.length === 0) {
      return fail(line(problem ?? 'The index lists no skill.'));
    }
    const asked = evidence.exchanges['skill:1'] ?? null;
    if (asked === null || asked.outcome !== 'ok') {
      return partial(line(`The index lists ${counted(skills.length, 'skill')}. None could be read: declared only.`));
    }
    if (!isSuccess(asked)) {
      return fail(
        line(`The index lists ${counted(skills.length, 'skill')}.`),
        lineOf(asked, 'The first one is not there.'),
      );
    }
    const first = skills.find((skill) =>
      findStrings(skill, 'url').some(
        (url) => URL.canParse(url, exchange.url) && new URL(url, exchange.url).href === asked.request.url,
      ),
    );
    const digest = findStrings(first, 'digest')[0]
      ?.toLowerCase()
      .replace(/^sha256:/, '');
    if (digest !== undefined && digest !== asked.bodySha256 && !asked.truncated) {
      return fail(
        line(`The index lists ${counted(skills.length, 'skill')}, with digests.`),
        lineOf(asked, `The bytes have the digest sha256:${asked.bodySha256}, not the one given.`, { excerpt: digest }),
      );
    }
    const flawed = skills.filter((skill) => !isWhole(skill)).length;
    return flawed === 0
      ? pass(
          line(`${counted(skills.length, 'skill')}, each with name, description and digest.`),
          lineOf(asked, 'The bytes match the digest.'),
        )
      : partial(
          line(
            `${flawed} of ${skills.length} skills lack a name in lower case, a description, an address or a digest.`,
          ),
        );
  },
});
