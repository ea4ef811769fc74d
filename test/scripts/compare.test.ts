import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AuditorResult, noResult, type Outcome, withoutAddress } from '../../scripts/support/compare/auditor.ts';
import {
  type Direction,
  directionOf,
  explanationOf,
  leftOver,
  outcomeOn,
  toComparisons,
} from '../../scripts/support/compare/differences.ts';
import type { Explanation } from '../../scripts/support/compare/explanations.ts';
import { rankCorrelation } from '../../scripts/support/compare/rank-correlation.ts';

const topic = { id: 'a', title: 'A', checks: { ours: ['one', 'two'], afdocs: ['three'] } };

const found = (outcomes: Record<string, Outcome>): AuditorResult => ({
  score: 1,
  grade: null,
  problem: null,
  checks: Object.entries(outcomes).map(([id, outcome]) => ({ id, outcome, note: '' })),
});

describe('the word of an auditor on a topic', () => {
  const table: [one: Outcome, two: Outcome, word: Outcome][] = [
    ['pass', 'fail', 'fail'],
    ['partial', 'fail', 'fail'],
    ['pass', 'partial', 'partial'],
    ['pass', 'no-result', 'pass'],
    ['pass', 'not-applicable', 'pass'],
    ['no-result', 'not-applicable', 'no-result'],
    ['not-applicable', 'not-applicable', 'not-applicable'],
  ];
  for (const [one, two, word] of table) {
    it(`${one} and ${two} are ${word}`, () => {
      assert.equal(outcomeOn(topic, 'ours', found({ one, two })), word);
      assert.equal(outcomeOn(topic, 'ours', found({ one: two, two: one })), word);
    });
  }

  it('is no result where a check did not come, and none where there is no check', () => {
    assert.equal(outcomeOn(topic, 'afdocs', noResult('too late')), 'no-result');
    assert.equal(outcomeOn(topic, 'lighthouse', found({})), null);
  });
});

describe('a difference', () => {
  const table: [ours: Outcome, theirs: Outcome, direction: Direction | null][] = [
    ['pass', 'pass', null],
    ['pass', 'fail', 'ours-pass'],
    ['pass', 'partial', 'ours-pass'],
    ['fail', 'pass', 'theirs-pass'],
    ['partial', 'pass', 'theirs-pass'],
    ['partial', 'fail', null],
    ['not-applicable', 'fail', 'ours-not-applicable'],
    ['not-applicable', 'partial', null],
    ['not-applicable', 'pass', null],
    ['fail', 'not-applicable', 'theirs-not-applicable'],
    ['partial', 'not-applicable', null],
    ['pass', 'not-applicable', null],
  ];
  for (const [ours, theirs, direction] of table) {
    it(`ours ${ours}, theirs ${theirs}: ${direction ?? 'none'}`, () => {
      assert.equal(directionOf(ours, theirs), direction);
    });
  }

  it('is not looked for where one of the two came to no result', () => {
    const nothing = noResult('forbidden');
    const all = { ours: nothing, afdocs: nothing, 'agent-readability': nothing, lighthouse: nothing };
    assert.deepEqual(toComparisons('site', all), []);
  });
});

describe('an explanation', () => {
  const difference = { topic: 'a', auditor: 'afdocs', direction: 'ours-pass', site: 'one' } as const;
  const explanation: Explanation = {
    topic: 'a',
    auditor: 'afdocs',
    direction: 'ours-pass',
    sites: ['one', 'two', 'not compared'],
    why: 'So.',
  };

  it('holds for the sites that it names', () => {
    assert.equal(explanationOf(difference, [explanation]), explanation);
    assert.equal(explanationOf({ ...difference, site: 'three' }, [explanation]), null);
    assert.equal(explanationOf({ ...difference, direction: 'theirs-pass' }, [explanation]), null);
  });

  it('stands alone', () => {
    assert.throws(
      () => explanationOf(difference, [explanation, { ...explanation, why: 'Or so.' }]),
      /Two explanations/,
    );
  });

  it('is left over on a compared site without its difference', () => {
    assert.deepEqual(leftOver([explanation], [difference], ['one', 'two']), ['a afdocs ours-pass two']);
  });
});

describe("Spearman's rank correlation", () => {
  const table: [pairs: [number, number][], correlation: number | null][] = [
    [
      [
        [1, 10],
        [2, 20],
        [3, 90],
      ],
      1,
    ],
    [
      [
        [1, 90],
        [2, 20],
        [3, 10],
      ],
      -1,
    ],
    // Two of three share a place: cov 1.5, spreads 1.5 and 2.
    [
      [
        [1, 1],
        [1, 2],
        [3, 3],
      ],
      1.5 / Math.sqrt(1.5 * 2),
    ],
    [
      [
        [1, 5],
        [2, 5],
        [3, 5],
      ],
      null,
    ],
    [
      [
        [1, 1],
        [2, 2],
      ],
      null,
    ],
  ];
  for (const [pairs, correlation] of table) {
    it(`of ${JSON.stringify(pairs)} is ${correlation}`, () => assert.equal(rankCorrelation(pairs), correlation));
  }
});

it('messages are freed of the address of the site', () => {
  assert.equal(
    withoutAddress('http://127.0.0.1:8080/a of 127.0.0.1:8080 at http://127.0.0.1:8080', 'http://127.0.0.1:8080'),
    '/a of the site at /',
  );
});
