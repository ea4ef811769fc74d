import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toCsv } from '#api/text/csv.ts';

test('a field is what the value says, quoted where RFC 4180 asks for it', () => {
  const fields: [value: unknown, field: string][] = [
    ['plain', 'plain'],
    ['a "b", c', '"a ""b"", c"'],
    ['two\nlines', '"two\nlines"'],
    ['two\r\nlines', '"two\r\nlines"'],
    [null, ''],
    [-1.5, '-1.5'],
    [false, 'false'],
    [['a', 1], '"[""a"",1]"'],
    ['=1+1', "'=1+1"],
  ];
  for (const [value, field] of fields) {
    assert.equal(toCsv([['x', value]]), `x,${field}\r\n`);
  }
});
