import { defineCheck } from '../../check.ts';
import { mediaTypeOf } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { answersNamedBy, isGone } from '../../judging/advertisements.ts';
import { isText, requireServed } from '../../judging/claims.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const relations = ['service-desc', 'service-doc', 'service-meta', 'item', 'status'];

/** Whether the list of APIs is a linkset whose links are there. */
export const apiCatalog = defineCheck({
  id: 'api-catalog',
  technique: 'agent-api',
  topic: 'API catalog',
  titles: {
    pass: 'The API catalog is a linkset, and its links answer',
    partial: 'The API catalog has faults of form',
    fail: 'The API catalog is missing, or its links are dead',
  },
  causes: ['api-description'],
  why: 'One well-known address lists all APIs of a host, each with its description and its documentation.',
  reference: { title: 'RFC 9727: api-catalog', url: 'https://www.rfc-editor.org/rfc/rfc9727' },
  fix: ({ origin }) => ({
    text: 'Serve /.well-known/api-catalog as application/linkset+json.',
    snippet: `{\n  "linkset": [\n    {\n      "anchor": "${origin}/api",\n      "service-desc": [{ "href": "${origin}/openapi.json", "type": "application/vnd.oai.openapi+json" }],\n      "service-doc": [{ "href": "${origin}/developers", "type": "text/html" }]\n    }\n  ]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const exchange = requireServed(evidence, 'api-catalog', 'An API catalog');
    const { value, problem } = jsonOf(exchange);
    const entries = find(value, 'linkset', '*');
    const links = relations.flatMap((relation) => findStrings(value, 'linkset', '*', relation, '*', 'href'));
    const line = (note: string) => lineOf(exchange, note, { header: 'content-type', excerpt: links.join(' ') });
    if (problem !== null || entries.length === 0) {
      return fail(line(problem ?? 'The linkset is empty or missing.'));
    }
    const dead = answersNamedBy(evidence, exchange).find(isGone);
    if (dead !== undefined) {
      return fail(line('The catalog names what is not there.'), lineOf(dead, 'It is not there.'));
    }
    if (links.length === 0 || !entries.every((entry) => find(entry, 'anchor').some(isText))) {
      return partial(line('An entry has no anchor, or none has a link to a description or documentation.'));
    }
    return mediaTypeOf(exchange) === 'application/linkset+json'
      ? pass(line(`${counted(entries.length, 'API')} with ${counted(links.length, 'link')}.`))
      : partial(line('The type is not application/linkset+json.'));
  },
});
