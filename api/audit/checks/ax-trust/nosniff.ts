import { defineCheck } from '../../check.ts';
import { tokensOf } from '../../facts/headers.ts';
import { lineOf } from '../../judging/lines.ts';
import { fail, pass, requireVisible } from '../../judging/verdicts.ts';

/** Whether types are declared to be true. */
export const nosniff = defineCheck({
  id: 'nosniff',
  technique: 'ax-trust',
  topic: 'nosniff',
  titles: {
    pass: 'Content types are to be believed (nosniff)',
    partial: 'The nosniff header is missing on some answers',
    fail: 'The nosniff header is missing',
  },
  causes: ['response-headers'],
  why: 'With nosniff a client takes the declared type at its word, and text that a visitor wrote is never run as a script.',
  reference: {
    title: 'Fetch Standard: X-Content-Type-Options',
    url: 'https://fetch.spec.whatwg.org/#x-content-type-options-header',
  },
  fix: () => ({
    text: 'Send the header with every response.',
    snippet: 'add_header X-Content-Type-Options nosniff always;',
    language: 'nginx',
  }),
  judge(evidence) {
    const home = requireVisible(evidence, 'home');
    const line = (note: string) => lineOf(home, note, { header: 'x-content-type-options' });
    return tokensOf(home, 'x-content-type-options')[0] === 'nosniff'
      ? pass(line('The header is right.'))
      : fail(line('The header is missing or has another value.'));
  },
});
