import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { citationOf } from '#site/almanac/citation.ts';
import { compare, relationsBetween } from '#site/almanac/comparison.ts';
import { priceColumns, sortedBy } from '#site/almanac/model-prices.ts';
import { type Pair, pairs, pairsWith } from '#site/almanac/pairs.ts';

const pairAt = (path: string): Pair => {
  const pair = pairs.find((each) => each.path === path);
  assert.ok(pair, path);
  return pair;
};

describe('comparisons', () => {
  it('there are at least thirty pairs, each once in either order', () => {
    assert.ok(pairs.length >= 30);
    const keys = pairs.map(({ dataset, one, other }) => `${dataset} ${[one.id, other.id].sort().join(' ')}`);
    assert.equal(new Set(keys).size, pairs.length);
  });

  it('each field is in one list, and the lists say what the records hold', () => {
    for (const pair of pairs) {
      const { different, oneSided, same, neither } = compare(pair);
      const all = [...different, ...oneSided, ...same, ...neither];
      assert.equal(new Set(all).size, all.length, pair.path);
      assert.ok(different.length > 0, pair.path);
      const [one, other] = [pair.one, pair.other] as unknown as Record<string, unknown>[];
      for (const field of same) {
        assert.notEqual(one?.[field] ?? null, null, `${pair.path} ${field}`);
      }
      for (const field of different) {
        assert.notDeepEqual(one?.[field], other?.[field], `${pair.path} ${field}`);
      }
    }
  });

  it('an empty list and a missing figure count as no value', () => {
    const pair = pairAt('/compare/mcp-vs-a2a');
    const record = { ...pair.one, relationships: [], notable_adopters: [], license: null };
    const twin = { ...record, id: 'other', license: 'MIT' };
    const { different, oneSided, neither } = compare({ ...pair, one: record, other: twin });
    assert.deepEqual(different, []);
    assert.deepEqual(oneSided, ['license']);
    assert.ok(neither.includes('notable_adopters'));
  });

  it('relations come from either side', () => {
    const { one, other, ...pair } = pairAt('/compare/mcp-vs-a2a');
    const there = relationsBetween({ ...pair, one, other });
    const back = relationsBetween({ ...pair, one: other, other: one });
    assert.ok(there.length > 0);
    assert.deepEqual(there.map(String).sort(), back.map(String).sort());
  });

  it('a record knows its pairs', () => {
    assert.ok(pairsWith('protocols', 'mcp').every(({ path }) => /\bmcp\b/.test(path)));
    assert.deepEqual(pairsWith('models', 'mcp'), []);
  });
});

describe('the table of prices', () => {
  for (const column of priceColumns) {
    it(`${column.title}: sorted, models without a value last`, () => {
      const values = sortedBy(column).map((model) => column.value(model));
      const known = values.filter((value) => value !== null);
      assert.deepEqual(values.slice(0, known.length), known);
      const sorted = known.toSorted((one, other) =>
        typeof one === 'number' && typeof other === 'number'
          ? one - other
          : String(one).localeCompare(String(other), 'en'),
      );
      assert.deepEqual(known, column.isAscending ? sorted : sorted.toReversed());
    });
  }

  it('every order has the same models, none of them retired', () => {
    const ids = priceColumns.map((column) =>
      sortedBy(column)
        .map(({ id }) => id)
        .sort()
        .join(),
    );
    assert.equal(new Set(ids).size, 1);
    assert.ok(priceColumns.flatMap(sortedBy).every(({ status }) => status !== 'retired'));
  });
});

describe('citations', () => {
  it('name the version and the address, and BibTeX gets no commands from a title', () => {
    const { apa, bibtex } = citationOf({
      title: '97% of A & B {x} $y_z.',
      path: '/state/x-1',
      snapshot: { version: '2026-11-22.1', path: '/api/state/snapshots/2026-11-22.1?id=x-1' },
    });
    assert.match(
      apa,
      /\(2026\)\. 97% of A & B \{x\} \$y_z \(Version 2026-11-22\.1\) \[Data set\]\. http\S+\/snapshots\/2026-11-22\.1\?id=x-1$/,
    );
    assert.match(bibtex, /^@misc\{[a-z0-9-]+-state-x-1-2026-11-22-1,\n/);
    assert.match(bibtex, /title {3}= \{\{97\\% of A \\& B \\\{x\\\} \\\$y\\_z\}\},/);
  });
});
