import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type AskedField, countAsked, oddsOfFields } from '#almanac/ask/asked-fields.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';

const toAsked = (ask: string, field: string): AskedField => ({ stems: [...new Set(stemsOf(ask))], field });

/** The fields that words of a question ask for, the likeliest first. */
const likeliest = (dataset: string, ask: string): string[] =>
  [...oddsOfFields(dataset, stemsOf(ask))].sort(([, a], [, b]) => b - a).map(([field]) => field);

describe('which fields the words of a question ask for', () => {
  it('counts fields, and the words that more than one question has', () => {
    const { fields, words } = countAsked([
      toAsked('shut the door', 'opt_out_mechanism'),
      toAsked('keep the door closed', 'opt_out_mechanism'),
      toAsked('lose visitors behind a door', 'blocking_effect'),
    ]);
    assert.deepEqual(fields, { opt_out_mechanism: 2, blocking_effect: 1 });
    assert.deepEqual(words['door'], { opt_out_mechanism: 2, blocking_effect: 1 });
    assert.equal(Object.hasOwn(words, 'visitor'), false);
  });

  it("counts any word, however it's spelt", () => {
    const asked = { stems: ['__proto__', 'constructor'], field: 'note' };
    const { words } = countAsked([asked, asked]);
    assert.deepEqual(Object.keys(words), ['__proto__', 'constructor']);
    assert.equal(Object.getOwnPropertyDescriptor(words, '__proto__')?.value.note, 2);
  });

  it('knows words that no field is named by', () => {
    assert.equal(likeliest('crawlers', 'what would my shop lose if we turned it away')[0], 'blocking_effect');
    assert.equal(likeliest('crawlers', 'who is behind that bot')[0], 'operator');
    assert.equal(likeliest('protocols', 'which companies are already on board')[0], 'notable_adopters');
  });

  it('tells likelihoods that are 1 together', () => {
    const odds = oddsOfFields('crawlers', stemsOf('who is behind it'));
    const sum = [...odds.values()].reduce((all, one) => all + one, 0);
    assert.ok(Math.abs(sum - 1) < 1e-9, String(sum));
  });

  it('leaves out the question that it is asked to', () => {
    const own = toAsked('who is behind it', 'operator');
    const known = oddsOfFields('crawlers', own.stems).get('operator') ?? 0;
    const unknown = oddsOfFields('crawlers', own.stems, own).get('operator') ?? 0;
    assert.ok(unknown < known, `${unknown} and ${known}`);
    // One that was not counted takes nothing away from others.
    const stranger = { stems: ['zzz'], field: 'purpose' };
    assert.ok([...oddsOfFields('crawlers', ['zzz'], stranger).values()].every((one) => one >= 0));
  });

  it('tells nothing of datasets without such questions, and takes hostile words as unknown', () => {
    assert.equal(oddsOfFields('models', ['price']).size, 0);
    assert.deepEqual([...oddsOfFields('crawlers', ['__proto__', 'constructor'])], [...oddsOfFields('crawlers', [])]);
  });
});
