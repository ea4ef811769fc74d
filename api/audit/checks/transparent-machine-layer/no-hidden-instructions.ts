import { defineCheck } from '../../check.ts';
import type { HiddenText } from '../../facts/html.ts';
import { lineOf } from '../../judging/lines.ts';
import { pagesToJudge } from '../../judging/sampled-pages.ts';
import { byShare, capped, fail, type Judged } from '../../judging/verdicts.ts';

/** A comment is seen by developers and counts as hidden in full only when it sets itself above other instructions. */
const isGrave = ({ how, overrides }: HiddenText): boolean => overrides || how !== 'comment';

/** Whether the source speaks to models where people do not see it. */
export const noHiddenInstructions = defineCheck({
  id: 'no-hidden-instructions',
  technique: 'transparent-machine-layer',
  topic: 'Hidden instructions',
  titles: {
    pass: 'No hidden instructions to models',
    partial: 'Comments in the source address models',
    fail: 'Hidden text gives instructions to models',
  },
  causes: ['hidden-instructions'],
  why: 'Text that is out of sight of people and addresses a model is an attack on whoever reads the page for somebody, whoever put it there.',
  reference: { title: 'OWASP: LLM01 prompt injection', url: 'https://genai.owasp.org/llmrisk/llm01-prompt-injection/' },
  contested:
    'Some sites greet agents in a comment of the source and mean well. People do not see it, so that a comment which addresses a model counts half here; one that overrides instructions, and any text that is rendered out of sight, counts as hidden in full and caps the score.',
  fix: ({ origin }) => ({
    text: 'Remove the text, and find out how it came in: comments, reviews and other text of visitors are the usual way. What is meant for agents belongs where people see it.',
    snippet: `<p>For agents: <a href="${origin}/llms.txt">llms.txt</a> is the index of this site.</p>`,
    language: 'html',
  }),
  judge(evidence) {
    const judged = pagesToJudge(evidence).map(({ exchange, facts }): Judged => {
      const found = facts.hidden.filter(({ how, instruction }) => instruction && how !== 'aria-hidden');
      const worst = found.find(isGrave) ?? found[0];
      return {
        credit: worst === undefined ? 1 : isGrave(worst) ? 0 : 0.5,
        line:
          worst === undefined
            ? lineOf(exchange, 'No hidden text instructs a model.')
            : lineOf(exchange, `Hidden text (${worst.how}) reads like an instruction to a model.`, {
                excerpt: worst.text,
              }),
      };
    });
    const verdict = byShare(judged);
    return judged.some(({ credit }) => credit === 0) ? capped(fail(...verdict.evidence), 59) : verdict;
  },
});
