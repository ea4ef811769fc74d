import { innerLooks, outerLooks, testWithAxe } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';
import { layoutPages, otherPages } from '../support/site-under-test.ts';

const browser = await launchBrowser();

testWithAxe(browser, layoutPages, innerLooks);
testWithAxe(browser, otherPages, [...outerLooks, ...innerLooks]);
