import { launchBrowser } from '../support/browser.ts';
import { layoutPages } from '../support/site-under-test.ts';
import { testAgentLinks, testWithoutScripts } from './no-scripts.ts';

const browser = await launchBrowser();

testWithoutScripts(browser, layoutPages);
// A page that isn't there has no twin at an address of its own.
testAgentLinks(
  browser,
  layoutPages.filter(({ status }) => status === 200),
);
