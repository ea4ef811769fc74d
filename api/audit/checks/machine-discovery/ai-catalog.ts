import { defineCheck } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { answersNamedBy, isGone } from '../../judging/advertisements.ts';
import { type Claim, claimOf, isObject, isText, notServed } from '../../judging/claims.ts';
import { lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const olderPlace =
  ' The file is at the address of earlier drafts alone; readers of version 0.91 look for /.well-known/ard.json first.';

const isWhole = (entry: unknown): boolean =>
  isObject(entry) &&
  /^urn:air:[^:\s]+:[^\s]+$/i.test(findStrings(entry, 'identifier')[0] ?? '') &&
  isText(entry['displayName']) &&
  isText(entry['type']) &&
  Object.hasOwn(entry, 'url') !== Object.hasOwn(entry, 'data');

/** The catalog at its present address, else at the one of earlier drafts. */
function catalogClaim(evidence: Evidence): { claim: Claim; isOld: boolean } {
  const present = claimOf(evidence, 'ard');
  const earlier = claimOf(evidence, 'ai-catalog');
  const isOld = present.state !== 'served' && (earlier.state === 'served' || present.state === 'silent');
  return { claim: isOld ? earlier : present, isOld };
}

/** What could be better about a catalog whose entries answer, as parts of a sentence. */
function faultsOf(value: Record<string, unknown>, entries: unknown[]): string[] {
  const flawed = entries.filter((entry) => !isWhole(entry)).length;
  return [
    ...(Object.hasOwn(value, 'collections') ? ['"collections" is gone since 0.91'] : []),
    ...(flawed > 0
      ? [`${flawed} of ${entries.length} entries lack identifier, displayName, type, or one of url and data`]
      : []),
  ];
}

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
    'The format is a draft (0.91), which moved the file from ai-catalog.json to ard.json and ignores everything but the entries. Lighthouse 13 still reads the older file, and Cloudflare asks for it. We read ard.json first, and take the older place with a note.',
  fix: ({ origin }) => ({
    text: 'Serve /.well-known/ard.json. Give each entry an identifier, a name, a type, and either an address or the data itself.',
    snippet: `{\n  "specVersion": "1.0",\n  "host": { "displayName": "${new URL(origin).host}" },\n  "entries": [\n    {\n      "identifier": "urn:air:${new URL(origin).hostname}:site:mcp",\n      "displayName": "MCP server",\n      "type": "application/mcp-server-card+json",\n      "url": "${origin}/mcp/server-card"\n    }\n  ]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const { claim, isOld } = catalogClaim(evidence);
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
    const faults = faultsOf(value, entries);
    return faults.length > 0
      ? partial(line(`Entries: ${entries.length}; ${faults.join('; ')}.`))
      : pass(line(`Entries in their form: ${entries.length}.${isOld ? olderPlace : ''}`));
  },
});
