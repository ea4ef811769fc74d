import { defineCheck } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { htmlOf } from '../../facts/html.ts';
import { isHtml, loginOf } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { capped, fail, pass, requireVisible } from '../../judging/verdicts.ts';

/** Whether an address that cannot exist is answered as one. */
export const real404 = defineCheck({
  id: 'real-404',
  technique: 'agent-api',
  topic: 'Missing pages',
  titles: {
    pass: 'Missing pages answer 404',
    partial: 'Some missing pages do not answer 404',
    fail: 'Missing pages do not answer 404',
  },
  causes: ['soft-404'],
  why: 'A page that says "not found" with status 200, or a redirect to the home page, is content to a machine: it is cited, indexed and believed.',
  reference: {
    title: 'RFC 9110, section 15.5.5: 404 Not Found',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5',
  },
  contested:
    'One public auditor wants status 200 with a helpful body for a missing page, so that clients which drop the bodies of errors can read it. RFC 9110 and all others want 404. We take the side of 404, with the helpful body in it.',
  fix: () => ({
    text: 'Answer unknown addresses with status 404 (410 for what was removed), in the application or the server, and without a redirect.',
    snippet:
      "// Express: after all routes\napp.use((request, response) => {\n  response.status(404).render('not-found');\n});",
    language: 'js',
  }),
  judge(evidence) {
    const missing = requireVisible(evidence, 'missing');
    const { status } = missing;
    if (status === 404 || status === 410) {
      return pass(lineOf(missing, 'An address that cannot exist is answered as missing.'));
    }
    if (isSuccess(missing)) {
      const where = missing.hops.length > 0 ? `a redirect to ${new URL(missing.url).pathname}` : 'a page';
      const line = lineOf(
        missing,
        `An address that cannot exist is answered with status ${status} and ${where}: a soft 404.`,
        {
          excerpt: isHtml(missing) ? (htmlOf(missing).title ?? undefined) : missing.body.slice(0, 200),
        },
      );
      return loginOf(missing) === null ? capped(fail(line), 59) : fail(line);
    }
    return fail(lineOf(missing, `An address that cannot exist is answered with ${status}, not with 404.`));
  },
});
