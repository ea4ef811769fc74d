import { globSync } from 'node:fs';
import { clientDir } from '../support/site-under-test.ts';
import { testLinks } from './links.ts';

testLinks(globSync('**/*', { cwd: clientDir }).sort());
