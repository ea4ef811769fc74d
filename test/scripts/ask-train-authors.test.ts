import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { authorOf, authors, createProgress } from '../../scripts/support/ask-train-authors.ts';

const questions = join(import.meta.dirname, '..', 'questions');

test('each author in the table is one of the files of questions, by its name', () => {
  for (const [letter, { name }] of Object.entries(authors)) {
    const file = `${name}.json`;
    assert.ok(readdirSync(questions).includes(file), file);
    assert.equal(JSON.parse(readFileSync(join(questions, file), 'utf8')).author, letter, file);
  }
});

test('somebody who is not in the table goes by the letter, and each question counts once', () => {
  assert.deepEqual(authorOf('zz'), { name: 'zz', share: 1, isAlsoNew: true });
  assert.equal(authorOf('b').name, 'lookups');
});

test('progress is a line for each step', () => {
  let [written, time] = ['', 0];
  const tell = createProgress(
    2,
    (line) => {
      written += line;
    },
    () => time,
  );
  tell('reading');
  time = 12_400;
  tell('learning');
  assert.equal(written, '[1/2] 0 s: reading\n[2/2] 12 s: learning\n');
});
