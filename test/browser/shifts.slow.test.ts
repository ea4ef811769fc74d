import { launchBrowser } from '../support/browser.ts';
import { otherPages } from '../support/site-under-test.ts';
import { testShifts } from './shifts.ts';

testShifts(await launchBrowser(), otherPages);
