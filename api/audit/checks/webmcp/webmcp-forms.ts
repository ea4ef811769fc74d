import { defineCheck } from '../../check.ts';
import type { HtmlForm } from '../../facts/html.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { byShare, type Judged, notApplicable } from '../../judging/verdicts.ts';

/** What is wrong with the annotations of a form, worst first; null when nothing is. */
function flawOf(form: HtmlForm): { credit: 0 | 0.5; note: string } | null {
  if (!form.toolName || !form.toolDescription) {
    return { credit: 0, note: 'Of toolname and tooldescription one is missing.' };
  }
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(form.toolName)) {
    return { credit: 0, note: 'The toolname has characters that browsers refuse.' };
  }
  if (form.fields.some(({ name, required }) => required && name === null)) {
    return { credit: 0, note: 'A required field has no name and cannot be filled in.' };
  }
  const bare = form.fields.find(({ name, labelled, toolParameter }) => name === null || (!labelled && !toolParameter));
  return bare === undefined
    ? null
    : {
        credit: 0.5,
        note: `The field ${bare.name ?? '(without a name)'} has neither a description nor a label, or no name.`,
      };
}

/** Whether forms that are annotated as tools are whole. */
export const webmcpForms = defineCheck({
  id: 'webmcp-forms',
  technique: 'webmcp',
  topic: 'Forms as tools',
  titles: {
    pass: 'Forms that are tools are annotated in full',
    partial: 'Some annotated forms are incomplete',
    fail: 'Annotated forms are incomplete',
  },
  causes: ['webmcp'],
  why: 'A browser makes a tool of an annotated form without a script. A field without a name or a description is left out of it.',
  reference: {
    title: 'WebMCP: explainer of declarative tools',
    url: 'https://github.com/webmachinelearning/webmcp/blob/main/declarative-api-explainer.md',
  },
  contested:
    'Lighthouse lists every form without an annotation, and takes off no points for it. We judge the annotated ones alone: a form to log out or to choose a colour needs to be no tool.',
  fix: ({ origin }) => ({
    text: 'Give the form a toolname and a tooldescription, and each field a name and a description.',
    snippet: `<form action="${origin}/search" method="get" toolname="search_site" tooldescription="Search the pages of this site">\n  <label for="q">Words</label>\n  <input id="q" name="q" type="search" required toolparamdescription="The words to search for">\n  <button>Search</button>\n</form>`,
    language: 'html',
  }),
  judge(evidence) {
    const judged = pagesToJudge(evidence).flatMap(({ exchange, facts }) =>
      facts.forms
        .filter(({ toolName, toolDescription }) => toolName !== null || toolDescription !== null)
        .map((form): Judged => {
          const flaw = flawOf(form);
          const excerpt = `<form toolname="${form.toolName ?? ''}" tooldescription="${form.toolDescription ?? ''}">`;
          return {
            credit: flaw?.credit ?? 1,
            line: lineOf(
              exchange,
              flaw?.note ?? `The form has ${counted(form.fields.length, 'field')}, each described.`,
              { excerpt },
            ),
          };
        }),
    );
    return judged.length === 0
      ? notApplicable(bareLine(evidence, 'No form of the sampled pages is annotated as a tool.'))
      : byShare(judged);
  },
});
