import { launchBrowser } from '../support/browser.ts';
import { otherPages } from '../support/site-under-test.ts';
import { testAgentLinks, testWithoutScripts } from './no-scripts.ts';

const browser = await launchBrowser();

testWithoutScripts(browser, otherPages);
// A page that isn't there has no twin at an address of its own.
testAgentLinks(
  browser,
  otherPages.filter(({ status }) => status === 200),
);
