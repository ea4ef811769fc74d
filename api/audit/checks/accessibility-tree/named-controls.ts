import { defineCheck } from '../../check.ts';
import { lineOf } from '../../judging/lines.ts';
import { judgePages } from '../../judging/sampled-pages.ts';

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
  judge: (evidence) =>
    judgePages(evidence, ({ exchange, facts }) => {
      const count = facts.unnamedControls.length;
      return {
        credit: count === 0 ? 1 : count <= 2 ? 0.5 : 0,
        line: lineOf(
          exchange,
          count === 0 ? 'All controls have names.' : `${count} control${count === 1 ? ' has' : 's have'} no name.`,
          {
            excerpt: facts.unnamedControls[0],
          },
        ),
      };
    }),
});
