import { defineCheck } from '../../check.ts';
import { mediaTypeOf } from '../../facts/headers.ts';
import { find, jsonOf } from '../../facts/json.ts';
import { claimsApi, isObject, isText } from '../../judging/claims.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isSoft404 } from '../../judging/missing-page.ts';
import { absent, fail, notApplicable, partial, pass, requireFile, requireVisible } from '../../judging/verdicts.ts';

/** Whether errors can be read by a program. */
export const structuredErrors = defineCheck({
  id: 'structured-errors',
  technique: 'agent-api',
  topic: 'Errors of the API',
  titles: {
    pass: 'Errors are structured (problem+json)',
    partial: 'Errors are JSON of a form of their own',
    fail: 'Errors of the API are not JSON',
  },
  causes: ['api-errors'],
  why: 'A client that asks for JSON and gets a page of HTML knows that something failed, and not what to do next.',
  reference: { title: 'RFC 9457: Problem Details for HTTP APIs', url: 'https://www.rfc-editor.org/rfc/rfc9457' },
  fix: ({ origin }) => ({
    text: 'Answer errors in the type that was asked for. A detail that says what to do next is worth more than a code.',
    snippet: `HTTP/1.1 404 Not Found\nContent-Type: application/problem+json\n\n{\n  "type": "${origin}/problems/not-found",\n  "title": "Not found",\n  "status": 404,\n  "detail": "No such address. The API is described at ${origin}/openapi.json."\n}`,
    language: 'http',
  }),
  judge(evidence) {
    const api = claimsApi(evidence);
    if (api === null) {
      requireFile(evidence, 'openapi');
      requireFile(evidence, 'agents-json');
      return notApplicable(bareLine(evidence, 'No API is claimed.'));
    }
    const missing = requireVisible(evidence, 'missing-json');
    const { value } = jsonOf(missing);
    const line = (note: string) =>
      lineOf(missing, note, { header: 'content-type', excerpt: missing.body.slice(0, 240) });
    if (missing.status !== null && missing.status < 400) {
      const note = 'An address that cannot exist is not answered as an error.';
      return isSoft404(evidence) ? absent('real-404', api, line(note)) : fail(api, line(note));
    }
    if (!isObject(value)) {
      return fail(api, line('JSON was asked for, and the error is not JSON.'));
    }
    if (mediaTypeOf(missing) !== 'application/problem+json') {
      return partial(api, line('The error is JSON of a form of its own.'));
    }
    const isWhole = isText(value['title']) && (value['status'] === undefined || value['status'] === missing.status);
    return isWhole && find(value, 'detail').some(isText)
      ? pass(api, line('The error is a problem document that says what is wrong.'))
      : partial(api, line('The problem document lacks a title or a detail, or has another status than the response.'));
  },
});
