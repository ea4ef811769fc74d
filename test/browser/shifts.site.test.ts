import { launchBrowser } from '../support/browser.ts';
import { pageTypes } from '../support/site-under-test.ts';
import { testShifts } from './shifts.ts';

/** The home page, and kinds whose text or tables once moved the most when fonts and scripts came. */
const moved = new Set(['home', 'dataset', 'change-list', 'tool-list', 'problem-list']);

testShifts(await launchBrowser(), [
  ...pageTypes.filter(({ kind }) => moved.has(kind)),
  { kind: 'narrowed dataset', path: '/crawlers?bot_type=training' },
  { kind: 'answer', path: '/ask?q=Who+runs+GPTBot' },
]);
