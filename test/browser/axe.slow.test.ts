import { testKindsWithAxe } from '../support/axe.ts';
import { launchBrowser } from '../support/browser.ts';

testKindsWithAxe(await launchBrowser(), [
  { width: 820, colorScheme: 'light' },
  { width: 1440, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  { width: 820, colorScheme: 'dark' },
]);
