import { globSync } from 'node:fs';
import { clientDir, otherHtml } from '../support/site-under-test.ts';
import { testLinks } from './links.ts';

// Pages of one kind are made alike: one of each with its twins, and what belongs to no page. The slow tests read all files.
const others = new Set(otherHtml().flatMap((file) => ['html', 'md', 'json'].map((end) => file.replace(/html$/, end))));
testLinks(
  globSync('**/*', { cwd: clientDir })
    .filter((file) => !others.has(file))
    .sort(),
);
