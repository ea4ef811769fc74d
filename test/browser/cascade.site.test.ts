import { launchBrowser } from '../support/browser.ts';
import { layoutPages } from '../support/site-under-test.ts';
import { testFrameColours } from './cascade.ts';

await testFrameColours(await launchBrowser(), layoutPages);
