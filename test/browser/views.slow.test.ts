import { launchBrowser } from '../support/browser.ts';
import { otherPages } from '../support/site-under-test.ts';
import { testTwinsBeside } from './views.ts';

testTwinsBeside(await launchBrowser(), otherPages);
