import { otherPages } from '../support/site-under-test.ts';
import { testWeight } from './weight.ts';

testWeight(otherPages);
