import assert from 'node:assert/strict';
import { test } from 'node:test';
import { measureOf } from '#almanac/ask/measures.ts';

const cases: [plain: string, has: string, lacks: string][] = [
  [
    'how many entries does the guestbook keep',
    'The newest 500 entries are kept.',
    'Entries are public. Names have 80 characters.',
  ],
  ['how many of the audits are free', 'Three audits an hour are free.', 'A look counts as well.'],
  ['how long do you hold my address', 'It is kept for 2 minutes.', 'It is a hash of the address.'],
  ['how much does the playbook cost', 'It costs 0.10 US dollars.', 'A second button pays it.'],
  ['when was llms txt published', 'It was first published in September 2024.', 'It is a markdown file.'],
  ['what share of files is never read', '97% were not requested once.', 'Few programs read them.'],
];
for (const [plain, has, lacks] of cases) {
  test(`"${plain}" asks for a measure`, () => {
    const measure = measureOf({ plain });
    assert.equal(measure?.(has), true);
    assert.equal(measure?.(lacks), false);
  });
}

test('what asks for no measure has none', () => {
  assert.equal(measureOf({ plain: 'how do i block gptbot' }), null);
});
