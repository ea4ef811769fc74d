import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toJsonPieces } from '#api/stores/json-pieces.ts';

const written = async (document: unknown): Promise<string> => Buffer.concat(await toJsonPieces(document)).toString();

test('the pieces are what JSON.stringify writes', async () => {
  const documents = [
    { version: 1, sequence: 0, state: { entries: [] } },
    { state: { entries: [{ id: 'a', text: 'two\nlines', tags: ['x', { y: null }] }, 7, 'é\u2028', [[], {}]] } },
    { left: undefined, kept: { left: undefined }, list: [undefined, [undefined]] },
    [],
    null,
  ];
  for (const document of documents) {
    assert.equal(await written(document), `${JSON.stringify(document, null, 2)}\n`);
  }
  await fc.assert(
    fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (document) => {
      assert.equal(await written(document), `${JSON.stringify(document, null, 2)}\n`);
    }),
  );
});

test('a long document comes in many pieces, and other work has its turn between them', async () => {
  const state = { entries: Array.from({ length: 2000 }, (_, id) => ({ id, text: 'lamp '.repeat(200) })) };
  let turns = 0;
  const pulse = (): void => {
    turns += 1;
    handle = setImmediate(pulse);
  };
  let handle = setImmediate(pulse);
  const pieces = await toJsonPieces({ version: 1, state });
  clearImmediate(handle);
  assert.ok(pieces.length > 20, `${pieces.length} pieces`);
  assert.ok(turns >= pieces.length - 1, `${turns} turns for ${pieces.length} pieces`);
});
