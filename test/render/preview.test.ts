import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import sharp from 'sharp';
import { drawPreview, inTwoLines } from '#api/render/preview.ts';

const pixels = async (values: Record<string, string>): Promise<Buffer> =>
  sharp(await drawPreview('report', values))
    .raw()
    .toBuffer();

describe('a picture for previews', () => {
  for (const name of ['report', 'listed'] as const) {
    it(`of the template ${name} is a PNG of 1200 by 630`, async () => {
      const { format, width, height } = await sharp(await drawPreview(name, { score: '81', arc: '288' })).metadata();
      assert.deepEqual([format, width, height], ['png', 1200, 630]);
    });
  }

  it('shows its values: each makes another picture', async () => {
    const values = {
      score: '57',
      score_colour: '#e0ad45',
      arc: '203',
      host_line_1: 'shop.example',
      diagnosis_line_1: 'No llms.txt.',
      pane_1: '#f6c667',
    };
    const plain = await pixels(values);
    for (const [name, value] of Object.entries({
      score: '58',
      arc: '10',
      host_line_1: 'ship.example',
      pane_1: '#171628',
    })) {
      assert.notDeepEqual(await pixels({ ...values, [name]: value }), plain, name);
    }
  });

  it('takes markup as text, and leaves out what the font does not have', async () => {
    const hostile = '"/></text><image href="file:///etc/passwd"/><text>';
    const drawn = await pixels({ host_line_1: hostile, diagnosis_line_1: '灯\u0000\u202e&amp;' });
    assert.equal(drawn.length % (1200 * 630), 0);
    assert.notDeepEqual(drawn, await pixels({}), 'the text is drawn');
  });
});

describe('two lines', () => {
  for (const [text, length, lines] of [
    ['shop.example', 18, ['shop.example', '']],
    ['a short sentence of some words', 16, ['a short sentence', 'of some words']],
    ['one two three four five', 8, ['one two', 'three…']],
    ['abcdefghijkl', 5, ['abcde', 'fghi…']],
    ['', 5, ['', '']],
  ] as const) {
    it(`of ${length} characters: ${text}`, () => assert.deepEqual(inTwoLines(text, length), lines));
  }
});
