import { defineCheck } from '../../check.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { answersNamedBy, isGone } from '../../judging/advertisements.ts';
import { claimOf, isObject, isText, notServed } from '../../judging/claims.ts';
import { lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const rootKeys = ['specVersion', 'host', 'entries', '$schema'];

const isWhole = (entry: unknown): boolean =>
  isObject(entry) &&
  /^urn:air:[^:\s]+:[^\s]+$/i.test(findStrings(entry, 'identifier')[0] ?? '') &&
  isText(entry['displayName']) &&
  isText(entry['type']) &&
  Object.hasOwn(entry, 'url') !== Object.hasOwn(entry, 'data');

/** Whether the catalog of what a site offers to agents has its form. */
export const aiCatalog = defineCheck({
  id: 'ai-catalog',
  technique: 'machine-discovery',
  topic: 'Catalog of agentic resources',
  titles: {
    pass: 'The ARD catalog has its form, and its entries answer',
    partial: 'The ARD catalog has faults of form',
    fail: 'The ARD catalog is missing or names what is not there',
  },
  causes: ['agent-files'],
  why: 'It lists servers, skills and agents of a host in one form that registries read.',
  reference: { title: 'Agentic Resource Discovery: specification', url: 'https://github.com/ards-project/ard-spec' },
  contested:
    'The format is a draft (0.9). Lighthouse judges it and Cloudflare looks for it; most other scanners do not know it. We judge it only where there is one or something points to it.',
  fix: ({ origin }) => ({
    text: 'Give each entry an identifier, a name, a type, and either an address or the data itself.',
    snippet: `{\n  "specVersion": "1.0",\n  "host": { "displayName": "${new URL(origin).host}" },\n  "entries": [\n    {\n      "identifier": "urn:air:${new URL(origin).hostname}:site:mcp",\n      "displayName": "MCP server",\n      "type": "application/mcp-server-card+json",\n      "url": "${origin}/mcp/server-card"\n    }\n  ]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const claim = claimOf(evidence, 'ai-catalog');
    if (claim.state !== 'served') {
      return notServed(claim, 'A catalog of agentic resources');
    }
    const { exchange } = claim;
    const { value, problem } = jsonOf(exchange);
    const entries = find(value, 'entries', '*');
    const types = findStrings(value, 'entries', '*', 'type');
    const line = (note: string) => lineOf(exchange, note, { header: 'content-type', excerpt: types.join(', ') });
    if (problem !== null || !isObject(value) || entries.length === 0) {
      return fail(line(problem ?? 'The catalog has no entries.'));
    }
    const dead = answersNamedBy(evidence, exchange).find(isGone);
    if (dead !== undefined) {
      return fail(line('The catalog names what is not there.'), lineOf(dead, 'It is not there.'));
    }
    const flawed = entries.filter((entry) => !isWhole(entry)).length;
    const strange = Object.keys(value).filter((key) => !rootKeys.includes(key));
    const isHeaded = isText(value['specVersion']) && findStrings(value, 'host', 'displayName').some(isText);
    if (flawed > 0 || strange.length > 0 || !isHeaded) {
      const parts = [
        ...(isHeaded ? [] : ['specVersion or host.displayName is missing']),
        ...(strange.length > 0 ? [`unknown: ${strange.slice(0, 3).join(', ')}`] : []),
        ...(flawed > 0
          ? [`${flawed} of ${entries.length} entries lack identifier, displayName, type, or one of url and data`]
          : []),
      ];
      return partial(line(`${parts.join('; ')}.`));
    }
    return pass(line(`Entries in their form: ${entries.length}.`));
  },
});
