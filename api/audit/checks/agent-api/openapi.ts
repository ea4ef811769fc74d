import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck, type Verdict } from '../../check.ts';
import type { Evidence } from '../../evidence.ts';
import { apiDescriptionOf } from '../../facts/api-description.ts';
import { isSuccess } from '../../facts/headers.ts';
import { find, findStrings } from '../../facts/json.ts';
import { isText, requireServed } from '../../judging/claims.ts';
import { isHtml } from '../../judging/gates.ts';
import { counted, lineOf } from '../../judging/lines.ts';
import { fail, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];

const operationsOf = (document: unknown): unknown[] =>
  find(document, 'paths', '*').flatMap((item) => methods.flatMap((method) => find(item, method)));

/** What is missing in a description, as parts of a sentence. */
function missingIn(document: unknown): string[] {
  const operations = operationsOf(document);
  const described = operations.filter((one) => ['summary', 'description'].some((key) => find(one, key).some(isText)));
  const answering = operations.filter((one) => find(one, 'responses', '*').length > 0);
  return [
    ...(/^3\.[0-2]\.\d+/.test(findStrings(document, 'openapi')[0] ?? '') ? [] : ['a version of OpenAPI 3']),
    ...(findStrings(document, 'info', 'title').some(isText) ? [] : ['a title']),
    ...(operations.length > 0 ? [] : ['any operation']),
    ...(described.length === operations.length
      ? []
      : [`a description of ${operations.length - described.length} operations`]),
    ...(answering.length === operations.length
      ? []
      : [`the answers of ${operations.length - answering.length} operations`]),
  ];
}

function judgeDocument(exchange: Exchange): Verdict {
  const { value, problem } = apiDescriptionOf(exchange);
  const line = (note: string) =>
    lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 160) });
  if (exchange.truncated) {
    return unchecked(line('The description is longer than we read.'));
  }
  if (problem !== null) {
    return fail(line(problem));
  }
  const operations = operationsOf(value).length;
  const missing = missingIn(value);
  if (missing.length === 0) {
    return pass(
      line(
        `OpenAPI ${findStrings(value, 'openapi')[0]}, ${counted(operations, 'operation')}, each described with its answers.`,
      ),
    );
  }
  return operations === 0
    ? fail(line(`The document lacks ${missing.join(', ')}.`))
    : partial(line(`The document lacks ${missing.join(', ')}.`));
}

/** The description that a catalog, a manifest or a Link header names, before the one at the customary address. */
function describedElsewhere(evidence: Evidence): Exchange | null {
  return evidence.exchanges['openapi:claimed'] === undefined ? null : requireFile(evidence, 'openapi:claimed');
}

/** Whether the API is described for machines. */
export const openapi = defineCheck({
  id: 'openapi',
  technique: 'agent-api',
  topic: 'OpenAPI',
  titles: {
    pass: 'The OpenAPI description parses and describes',
    partial: 'The OpenAPI description leaves things out',
    fail: 'The OpenAPI description is missing or broken',
  },
  causes: ['api-description'],
  why: 'With it a client is made without reading prose: addresses, inputs, answers and errors.',
  reference: { title: 'OpenAPI Specification 3.2.0', url: 'https://spec.openapis.org/oas/v3.2.0.html' },
  fix: ({ origin }) => ({
    text: 'Serve one description of the API as JSON or YAML, each operation with a summary and its answers, and point to it by Link header.',
    snippet: `{\n  "openapi": "3.1.1",\n  "info": { "title": "API of ${new URL(origin).host}", "version": "1.0.0" },\n  "servers": [{ "url": "${origin}" }],\n  "paths": {\n    "/api/search": {\n      "get": {\n        "summary": "Search the pages",\n        "parameters": [{ "name": "q", "in": "query", "required": true, "schema": { "type": "string" } }],\n        "responses": { "200": { "description": "Matches, best first" } }\n      }\n    }\n  }\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const elsewhere = describedElsewhere(evidence);
    if (elsewhere !== null) {
      return isSuccess(elsewhere) && !isHtml(elsewhere)
        ? judgeDocument(elsewhere)
        : fail(
            lineOf(elsewhere, 'A catalog, a manifest or a Link header names this description, and it is not there.'),
          );
    }
    return judgeDocument(requireServed(evidence, 'openapi', 'An OpenAPI description'));
  },
});
