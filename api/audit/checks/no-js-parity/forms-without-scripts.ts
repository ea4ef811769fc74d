import { defineCheck } from '../../check.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { contentPages } from '../../judging/sampled-pages.ts';
import { byShare, type Judged, notApplicable } from '../../judging/verdicts.ts';

/** Whether forms can be sent without scripts. */
export const formsWithoutScripts = defineCheck({
  id: 'forms-without-scripts',
  technique: 'no-js-parity',
  topic: 'Forms without scripts',
  titles: {
    pass: 'Forms work without JavaScript',
    partial: 'Some forms or fields need JavaScript',
    fail: 'Forms need JavaScript',
  },
  causes: ['forms-need-scripts'],
  why: 'A form with an action and named fields is an interface that any client can use. Without names it sends nothing.',
  reference: {
    title: 'HTML Standard: form submission',
    url: 'https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-form-data-set',
  },
  fix: () => ({
    text: 'Give each form an action that the server answers, and each field a name.',
    snippet:
      '<form action="/search" method="get" role="search">\n  <label for="q">Search</label>\n  <input id="q" name="q" type="search" required>\n  <button>Search</button>\n</form>',
    language: 'html',
  }),
  judge(evidence) {
    const judged = contentPages(evidence).flatMap(({ exchange, facts }) =>
      facts.forms
        .filter((form) => form.fields.length > 0)
        .map((form): Judged => {
          const unnamed = form.fields.filter((field) => field.name === null);
          const isScript = /^javascript:/i.test(form.action);
          const what = `<form method="${form.method}" action="${form.action}">`;
          const note = isScript
            ? 'The action is a script.'
            : unnamed.length > 0
              ? `${unnamed.length} of ${form.fields.length} fields have no name and are not sent.`
              : 'The form has an action and its fields have names.';
          const credit = isScript || unnamed.length === form.fields.length ? 0 : unnamed.length > 0 ? 0.5 : 1;
          return { credit, line: lineOf(exchange, note, { excerpt: what }) };
        }),
    );
    return judged.length === 0
      ? notApplicable(bareLine(evidence, 'The sampled pages have no form with fields.'))
      : byShare(judged);
  },
});
