import { launchBrowser } from '../support/browser.ts';
import { layoutPages, otherPages } from '../support/site-under-test.ts';
import { testShifts } from './shifts.ts';

/** Kinds whose text once moved the most when the fonts came. */
const moved = new Set(['change-list', 'tool-list', 'problem-list']);

testShifts(await launchBrowser(), [
  ...layoutPages,
  ...otherPages.filter(({ kind }) => moved.has(kind)),
  { kind: 'narrowed dataset', path: '/crawlers?bot_type=training' },
  { kind: 'answer', path: '/ask?q=Who+runs+GPTBot' },
]);
