import { defineCheck } from '../../check.ts';
import { find, jsonOf } from '../../facts/json.ts';
import { addressesIn, answersNamedBy, isGone } from '../../judging/advertisements.ts';
import { isObject, isText, requireServed } from '../../judging/claims.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

/** Whether the site's own manifest for agents is true. */
export const agentsJson = defineCheck({
  id: 'agents-json',
  technique: 'agent-api',
  topic: 'agents.json',
  titles: {
    pass: 'agents.json names what is there',
    partial: 'agents.json could not be confirmed',
    fail: 'agents.json is missing or names what is not there',
  },
  causes: ['agent-files'],
  why: 'A manifest saves an agent the search, as long as every address in it answers.',
  reference: { title: 'RFC 8615: well-known addresses', url: 'https://www.rfc-editor.org/rfc/rfc8615' },
  contested:
    'No standard defines /.well-known/agents.json: the format of that name (wild-card-ai) is dormant, and sites have shapes of their own. We take any object, and judge by whether the addresses in it, at whatever depth, answer.',
  fix: ({ origin }) => ({
    text: 'Make the manifest from the list by which the service routes requests, so that nothing is named that does not answer.',
    snippet: `{\n  "name": "${new URL(origin).host}",\n  "description": "What the site is, in a sentence.",\n  "url": "${origin}/",\n  "discovery": [{ "rel": "describedby", "href": "${origin}/llms.txt", "type": "text/markdown" }]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const exchange = requireServed(evidence, 'agents-json', 'A manifest for agents');
    const { value, problem } = jsonOf(exchange);
    const line = (note: string) =>
      lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 200) });
    if (problem !== null || !isObject(value) || Object.keys(value).length === 0) {
      return fail(line(problem ?? 'The manifest is no object, or an empty one.'));
    }
    const asked = answersNamedBy(evidence, exchange);
    const dead = asked.filter(isGone);
    if (dead.length > 0) {
      return fail(
        line(`${dead.length} of ${asked.length} addresses that we asked for are not there.`),
        ...dead.map((one) => lineOf(one, 'The manifest names this, and it is not there.')),
      );
    }
    if (asked.length === 0) {
      return partial(
        line(
          `The manifest names ${counted(addressesIn(exchange).size, 'address')}, none of them one that we asked for: declared only.`,
        ),
      );
    }
    const isNamed =
      ['name', 'title'].some((key) => find(value, key).some(isText)) && find(value, 'description').some(isText);
    return isNamed
      ? pass(line(`${asked.length} of ${addressesIn(exchange).size} addresses were asked for, and all are there.`))
      : partial(line('The manifest has no name or no description at its top.'));
  },
});
