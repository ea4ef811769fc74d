import { otherHtml } from '../support/site-under-test.ts';
import { testTwins } from './twins.ts';

testTwins(otherHtml());
