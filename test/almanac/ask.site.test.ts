import assert from 'node:assert/strict';
import { dirname } from 'node:path';
import { describe, it, test } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { readBuiltPassages } from '#api/almanac/passages.ts';
import { toPassages } from '../../scripts/support/build/passages.ts';
import { findMisquotes, findUngrounded } from '../support/ask-grounding.ts';
import { type Judged, judgeAnswer, measureCalibration, readQuestions, scoreJudged } from '../support/ask-questions.ts';
import { clientDir } from '../support/site-under-test.ts';

const content = await readBuiltPassages(dirname(clientDir));
const { ask } = createAnswerer(datasets, content);
const questions = readQuestions();
const judged: Judged[] = questions.map((asked) => {
  const answer = ask(asked.ask);
  return { asked, answer, fault: judgeAnswer(asked, answer) };
});

describe('the question set', () => {
  it('holds enough of both, a part of each held from training, each question once', () => {
    assert.ok(questions.filter(({ expect }) => expect !== null).length >= 600);
    assert.ok(questions.filter(({ expect }) => expect === null).length >= 200);
    assert.ok(questions.filter(({ part }) => part === 'held').length >= 200);
    assert.equal(new Set(questions.map((asked) => asked.ask)).size, questions.length);
  });

  for (const [part, accuracy, first, declined] of [
    ['dev', 0.85, 0.72, 0.93],
    ['held', 0.8, 0.75, 0.88],
  ] as const) {
    it(`is answered well (${part})`, () => {
      const own = judged.filter(({ asked }) => asked.part === part);
      const scores = scoreJudged(own);
      const faults = own.flatMap(({ asked, fault }) => (fault === null ? [] : `${asked.ask} – ${fault}`)).join('\n');
      assert.ok(scores.accuracy >= accuracy, `accuracy ${scores.accuracy}\n${faults}`);
      assert.ok(scores.first >= first, `says first what is asked: ${scores.first}`);
      assert.ok(scores.declined >= declined, `declined ${scores.declined}\n${faults}`);
    });
  }

  it('has confidences that come true: the expected error over ten bins is small', () => {
    const held = judged.filter(({ asked }) => asked.part === 'held');
    assert.ok(measureCalibration(held).expectedError <= 0.1, JSON.stringify(measureCalibration(held)));
  });

  it('is answered briefly', () => {
    const lengths = judged.filter(({ answer }) => answer.answered).map(({ answer }) => answer.answer.length);
    assert.ok((lengths.sort((a, b) => a - b)[lengths.length >> 1] ?? 0) < 600);
  });
});

test('what was changed here this week is no news of the day: the answer leads to the list of changes', () => {
  const { understood_as, grounded_in, alternatives } = ask('What did you add to the almanac this week?');
  assert.notEqual(understood_as.declined, 'outside');
  assert.ok([...grounded_in, ...alternatives].some(({ path }) => path === '/changes'));
});

test('an example is the code of the record', () => {
  const { answer, understood_as } = ask('Show me an example of MCP');
  assert.equal(understood_as.intent, 'field:protocols.code_example');
  assert.match(answer, /^An example of MCP: POST \/mcp HTTP\/1\.1\n/);
});

describe('how an answer begins and what belongs to it', () => {
  it('the recipe for a platform has its lines to paste, however it is asked for', () => {
    const { answer } = ask('caddy: markdown for bots that ask for it, html for everyone else');
    assert.match(answer, /^Markdown by content negotiation, Caddy: /);
    assert.match(answer, /header_regexp/);
  });

  it('a question about a platform is answered in words alone', () => {
    assert.doesNotMatch(ask('Which Caddy module does the markdown recipe need?').answer, /header_regexp/);
  });

  it('the sentence comes first that says what is asked', () => {
    const { answer } = ask('I lost the token of my guestbook message, can I still take it back?');
    assert.match(
      answer,
      /^The guestbook, Withdrawing: An entry is withdrawn with its token, with its key, or by the owner/,
    );
  });

  it('a setting goes with the question after it, and each of several questions is answered', () => {
    const { answer, unanswered } = ask(
      'In your rating, how much is a page worth that works with scripts switched off, and which single check counts most?',
    );
    assert.deepEqual(unanswered, []);
    assert.match(answer, /29\.5 points/);
    assert.match(answer, /content-without-scripts: weight: 25/);
  });
});

test('a name is not the beginning of a longer one', () => {
  const { answer } = ask('When was Claude Opus 4 retired and what did it cost?');
  assert.match(answer, /^Claude Opus 4 was retired on /);
  assert.doesNotMatch(answer, /Opus 4\.5/);
});

describe('grounding', () => {
  it('each citation is in its record or section letter for letter', () => {
    assert.deepEqual(
      judged.flatMap(({ answer }) => findMisquotes(answer, datasets, content)),
      [],
    );
  });

  it('each date, number and name of an answer is in what it cites', () => {
    const faults = judged
      .filter(({ answer }) => answer.answered)
      .flatMap(({ answer }) => {
        const missing = findUngrounded(answer, datasets);
        return missing.length === 0
          ? []
          : [`${answer.question} – ${missing.join(', ')} – ${answer.answer.slice(0, 200)}`];
      });
    assert.deepEqual(faults, []);
  });

  it('what is less sure than 0.3 is no answer, and what is no answer is less sure', () => {
    for (const { answer } of judged) {
      assert.equal(answer.answered, answer.confidence >= 0.3, answer.question);
    }
  });
});

test('the questions that pages are kept with name sections and sentences that the pages have', async () => {
  assert.deepEqual((await toPassages(clientDir)).stale, []);
});
