import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck } from '../../check.ts';
import type { HtmlField, HtmlForm } from '../../facts/html.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
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
    const judged = contentPages(evidence).flatMap(({ exchange, facts }) => {
      const hasScripts = facts.scripts.some(({ isRun }) => isRun);
      return [
        ...facts.forms
          .filter((form) => form.fields.length > 0)
          .map((form): Judged => judgeForm(exchange, form, hasScripts)),
        ...(facts.looseFields.length > 0 && hasScripts ? [judgeLoose(exchange, facts.looseFields)] : []),
      ];
    });
    return judged.length === 0
      ? notApplicable(bareLine(evidence, 'The sampled pages have no form with fields.'))
      : byShare(judged);
  },
});

function judgeForm(exchange: Exchange, form: HtmlForm, hasScripts: boolean): Judged {
  const unnamed = form.fields.filter((field) => field.name === null).length;
  const excerpt = `<form method="${form.method}"${form.hasAction ? ` action="${form.action}"` : ''}>`;
  const judged = (credit: number, note: string): Judged => ({ credit, line: lineOf(exchange, note, { excerpt }) });
  if (/^javascript:/i.test(form.action)) {
    return judged(0, 'The action is a script.');
  }
  if (unnamed === form.fields.length) {
    return judged(0, 'No field has a name, so nothing is sent.');
  }
  // Without an action a form is sent to its own page. What answers there is, as a rule, a script. A server that takes a POST
  // there shows itself by the token that it put into the form.
  if (!form.hasAction && hasScripts && !(form.method === 'post' && form.hasToken)) {
    return judged(0.5, 'The form names no address: it is sent to its own page, where possibly only a script answers.');
  }
  return unnamed > 0
    ? judged(0.5, `${unnamed} of ${form.fields.length} fields have no name and are not sent.`)
    : judged(1, 'The form can be sent, and its fields have names.');
}

function judgeLoose(exchange: Exchange, fields: HtmlField[]): Judged {
  const [first] = fields;
  const note = `${counted(fields.length, 'field')} outside any form: only a script can use what is typed.`;
  const excerpt = first === undefined ? undefined : `<${first.tag} type="${first.type}">`;
  return { credit: 0, line: lineOf(exchange, note, { excerpt }) };
}
