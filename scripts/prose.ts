import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { projectDir } from './support/build/stamp.ts';
import { checkMarkdown, checkSource } from './support/prose-rules.ts';

/** Holds the texts of pages and documents to plain English; the rules are in scripts/support/prose-rules.ts. */
const checked = [
  'site/pages/*.astro',
  'site/components/*.astro',
  'site/layouts/*.astro',
  'site/*.ts',
  'site/almanac/*.ts',
  'site/content/techniques/*.md',
  'site/content/recipes/*.md',
  'site/content/skills/*.md',
  'site/content/playbook/*.md',
  'site/content/signing/*.md',
  'site/content/paying/*.md',
  'almanac/**/*.ts',
  'almanac/**/*.json',
  ':!almanac/ask/data',
  ':!almanac/editions',
  ':!almanac/watch',
  ':!almanac/changes.json',
  ':!almanac/record-changes.json',
  'api/contract/problem-types.ts',
  'docs/*.md',
  ':(glob)*.md',
  ':!CHANGELOG.md',
];

const files = execFileSync('git', ['ls-files', ...checked], { cwd: projectDir, encoding: 'utf8' })
  .trim()
  .split('\n');
let faults = 0;
for (const file of files) {
  const text = await readFile(join(projectDir, file), 'utf8');
  for (const { line, found, say } of file.endsWith('.md') ? checkMarkdown(text) : checkSource(text)) {
    faults += 1;
    console.error(`${file}:${line}: "${found}": ${say}`);
  }
}
console.log(`${files.length} files read, ${faults} turns of phrase to change.`);
process.exitCode = faults === 0 ? 0 : 1;
