import { launchBrowser } from '../support/browser.ts';
import { pageTypes } from '../support/site-under-test.ts';
import { testShifts } from './shifts.ts';

testShifts(await launchBrowser(), pageTypes);
