import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { citedCount, citedPieces } from '#site/almanac/cited-value.ts';

const cite = (dataset: string, id: string, field: string, quote: string) => ({ dataset, id, fields: [field], quote });

describe('what a source says', () => {
  const cases: [cited: ReturnType<typeof cite>, pieces: unknown][] = [
    [cite('crawlers', 'google-agent', 'respects_robots', 'false'), ['no']],
    [cite('crawlers', 'gptbot', 'bot_type', 'training'), null],
    [cite('models', 'gpt-5', 'released', '2025-08-07'), ['7 August 2025']],
    [cite('models', 'claude-opus-4-5', 'context_window', '200000'), [{ number: '200,000' }]],
    [cite('crawlers', 'gptbot', 'note', 'Only a part of the note.'), null],
    [cite('crawlers', 'gptbot', 'opt_out_mechanism', 'Disallow GPTBot in robots.txt.'), null],
    [cite('crawlers', 'nobody', 'respects_robots', 'false'), null],
  ];
  for (const [cited, pieces] of cases) {
    it(`${cited.id}, ${cited.fields[0]}: ${pieces === null ? 'a quote' : 'as on the page of the record'}`, () => {
      const shown = citedPieces(cited, '', `/${cited.dataset}/${cited.id}`);
      assert.deepEqual(
        shown?.map((piece) => (typeof piece === 'string' ? piece.replaceAll('\u00a0', ' ') : piece)) ?? null,
        pieces,
      );
    });
  }

  it('is how many records there are, of a whole dataset', () => {
    assert.equal(citedCount(cite('models', 'models', 'id', '1414')), '1,414 records');
    assert.equal(citedCount(cite('crawlers', 'gptbot', 'id', 'gptbot')), null);
  });
});
