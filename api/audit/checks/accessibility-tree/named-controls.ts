import { defineCheck } from '../../check.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
import { contentPages } from '../../judging/sampled-pages.ts';
import { byShare, type Judged, notApplicable } from '../../judging/verdicts.ts';

/** Whether what can be operated has a name. */
export const namedControls = defineCheck({
  id: 'named-controls',
  technique: 'accessibility-tree',
  topic: 'Names of controls',
  titles: {
    pass: 'Links, buttons and fields have names',
    partial: 'Some links, buttons or fields have no name',
    fail: 'Links, buttons or fields have no name',
  },
  causes: ['unnamed-elements'],
  why: 'An agent in a browser finds a control by its role and name. One without a name is a rectangle.',
  reference: {
    title: 'WCAG 2.2, success criterion 4.1.2: name, role, value',
    url: 'https://www.w3.org/TR/WCAG22/#name-role-value',
  },
  fix: () => ({
    text: 'Give each control text, a label or an aria-label.',
    snippet:
      '<button aria-label="Close">×</button>\n<label for="email">E-mail</label>\n<input id="email" name="email" type="email">',
    language: 'html',
  }),
  judge(evidence) {
    const judged = contentPages(evidence)
      .filter(({ facts }) => facts.controls > 0)
      .map(({ exchange, facts }): Judged => {
        const count = facts.unnamedControls.length;
        const possibly = facts.possiblyUnnamed.length;
        const note =
          count > 0
            ? `${count} of ${counted(facts.controls, 'control')} ${count === 1 ? 'has' : 'have'} no name.`
            : possibly > 0
              ? `Every control has a name, except ${possibly} of which only CSS tells whether they are exposed.`
              : 'Every control has a name.';
        return {
          credit: count === 0 ? 1 : count <= 2 ? 0.5 : 0,
          line: lineOf(exchange, note, { excerpt: facts.unnamedControls[0] ?? facts.possiblyUnnamed[0] }),
        };
      });
    return judged.length === 0
      ? notApplicable(bareLine(evidence, 'The sampled pages have no link, button or field.'))
      : byShare(judged);
  },
});
