import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeSentence, listChanges } from '#almanac/change-list.ts';

const day = { date: '2026-11-20', source: 'https://example.com/', kind: 'changed' } as const;
const unconfirmed = (value: string | null) => ({ value, verify_status: 'unconfirmed', source_hint: null });

// biome-ignore format: one change a line
const cases: [name: string, field: string, old: never, now: never, sentence: string][] = ([
  ['a text', 'status', 'draft', 'final', 'status was draft and is now final.'],
  ['a text of words', 'creator', 'A B', 'C D.', 'creator was “A B” and is now “C D.”'],
  ['a first value', 'open_weights', null, false, 'openness of the weights had no value and is now no.'],
  ['a large number', 'context_window', 128000, 8192, 'context window was 128,000 and is now 8192.'],
  ['a value that is gone', 'cut_off', '2025-01', null, 'cut off was January 2025 and has none now.'],
  ['a list that grew and shrank', 'methods', ['a', 'b'], ['b', 'c'], 'methods gained c and lost a.'],
  ['a list in another order', 'methods', ['a', 'b'], ['b', 'a'], 'methods was a, b and is now b, a.'],
  ['a list that is new', 'methods', null, ['a'], 'methods had no value and is now a.'],
  ['what sources disagree on', 'conflicts', [], [{ field: 'status', values: [{ value: 'current', source: 'https://a.example/' }, { value: 'retired', source: 'https://b.example/' }], note: 'n' }], 'conflicts gained status current or retired.'],
  ['a long text that ends otherwise', 'note', `${'a'.repeat(300)}, two.`, `${'a'.repeat(300)}, three.`, `note now reads “…${'a'.repeat(57)}, three.”`],
  ['a long text that goes on', 'note', `${'a '.repeat(150)}.`, `${'a '.repeat(150)}. More.`, `note now reads “…${' a'.repeat(29)} . More.”`],
  ['a long text that begins otherwise', 'note', 'b', `${'a '.repeat(150)}`, `note was b and is now “${'a '.repeat(99)}…”`],
  ['a list of versions', 'releases', [], [{ version: '1.0', date: '2026-05-08' }], 'releases gained 1.0 (8 May 2026).'],
  ['a list of libraries', 'sdks', [], [{ name: 'a-kit', language: 'Go', repository: 'https://a.example/', version: '1.2' }], 'libraries gained a-kit (Go 1.2).'],
  ['a list of adopters', 'notable_adopters', [], [{ value: 'A Company', source: 'https://a.example/' }], 'adopters gained A Company.'],
  ['members of an object', 'price', { input: 1, output: 4, long_context: [] }, { input: 1, output: 5, long_context: null }, 'price changed: output was 4 and is now 5.'],
  ['an unconfirmed value', 'spec_date', unconfirmed('2026-09'), unconfirmed(null), 'date of the specification was September 2026 (unconfirmed) and is now unconfirmed.'],
  ['an example in JSON', 'code_example', '{ "a": 1 }', '{\n  "a": 2\n}', 'code example changed.'],
  ['a long text that becomes short', 'note', `${'x '.repeat(150)}`, 'y', `note was “${'x '.repeat(99)}…” and is now y.`],
] as [string, string, never, never, string][]);

for (const [name, field, old, now, sentence] of cases) {
  test(`the sentence of a change: ${name}`, () => {
    assert.equal(changeSentence({ ...day, field, old, new: now }, 'GPTBot'), `GPTBot: ${sentence}`);
  });
}

test('no sentence of a recorded change holds JSON', () => {
  const sentences = listChanges({}).changes.map((change) => changeSentence(change, change.id));
  assert.ok(sentences.length > 500);
  assert.deepEqual(
    sentences.filter((sentence) => /[{[]"|":/.test(sentence)),
    [],
  );
});
