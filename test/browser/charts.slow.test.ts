import { launchBrowser } from '../support/browser.ts';
import { testCharts } from './charts.ts';

testCharts(await launchBrowser(), ['/crawlers', '/models', '/state']);
