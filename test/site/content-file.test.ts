import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readContentFile } from '#site/content-file.ts';

const head = 'title: Bricks\nsummary: How houses are made of bricks.\nminutes: 30\nupdated: 2026-11-21';

test('a content file is its head, checked, and the markdown below it', () => {
  assert.deepEqual(readContentFile('chapter', 'playbook/bricks.md', `---\n${head}\n---\n\n# Bricks\n\n---\n\nEnd.\n`), {
    head: { title: 'Bricks', summary: 'How houses are made of bricks.', minutes: 30, updated: '2026-11-21' },
    markdown: '# Bricks\n\n---\n\nEnd.\n',
  });
});

const faults: readonly [what: string, text: string | undefined, message: RegExp][] = [
  ['that is missing', undefined, /^Error: site\/content\/playbook\/bricks\.md is missing$/],
  ['without a head', '# Bricks\n', /head of site\/content\/playbook\/bricks\.md is wrong:.*title/s],
  ['whose head is no YAML', '---\n"a: [\n---\n', /head of site\/content\/playbook\/bricks\.md is no YAML/],
  ['whose head lacks a member', `---\n${head.replace('minutes: 30\n', '')}\n---\n`, /is wrong:.*minutes/s],
  ['whose head has a member that nobody reads', `---\n${head}\nhours: 1\n---\n`, /is wrong:.*hours/s],
];

for (const [what, text, message] of faults) {
  test(`a content file ${what} is refused with its name`, () => {
    assert.throws(() => readContentFile('chapter', 'playbook/bricks.md', text), message);
  });
}
