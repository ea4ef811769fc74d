import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { defineDataset } from '#almanac/dataset.ts';
import { crawlers, datasets, glossary, models, protocols, state } from '#almanac/datasets/index.ts';
import { Statement } from '#almanac/datasets/state.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { checkCommand } from '../../scripts/almanac-check.ts';
import { type AlmanacRecords, checkAlmanac } from '../../scripts/support/almanac/check.ts';
import { almanacRecords as records } from '../../scripts/support/almanac/records.ts';
import { runHere } from '../support/command.ts';

const options = { today: new Date().toISOString().slice(0, 'YYYY-MM-DD'.length), identify: identifyUserAgent };

describe('the datasets', () => {
  const minimums: [dataset: { id: string; records: unknown[] }, minimum: number][] = [
    [crawlers, 220],
    [protocols, 90],
    [models, 240],
    [glossary, 240],
    [state, 180],
  ];
  for (const [dataset, minimum] of minimums) {
    it(`${dataset.id} has at least ${minimum} records`, () => {
      assert.ok(dataset.records.length >= minimum, String(dataset.records.length));
    });
  }

  it('name models of at least 15 providers', () => {
    assert.ok(new Set(models.records.map(({ provider }) => provider)).size >= 15);
  });

  it('list their fields in the order of the records', () => {
    for (const { id, fields, records: rows } of datasets) {
      for (const row of rows) {
        const known = Object.keys(row).filter((field) => fields.includes(field));
        assert.deepEqual(known, fields, `${id} ${row.id}`);
      }
    }
  });

  it('give at least one source for each record', () => {
    for (const { records: rows } of [crawlers, models, glossary, state]) {
      for (const { id, sources } of rows) {
        assert.ok(sources.length > 0, id);
      }
    }
    for (const { id, source } of protocols.records) {
      assert.match(source, /^https?:\/\//, id);
    }
  });

  it('find each record by its id', () => {
    for (const dataset of datasets) {
      for (const row of dataset.records) {
        assert.equal(dataset.get(row.id), row);
      }
      assert.equal(dataset.get('constructor'), undefined);
    }
  });

  it('refer to techniques of the catalog only', () => {
    const known: readonly string[] = techniqueIds;
    for (const { id, techniques } of glossary.records) {
      for (const technique of techniques) {
        assert.ok(known.includes(technique), `${id}: ${technique}`);
      }
    }
    for (const { id, agent_readiness_link } of protocols.records) {
      if (agent_readiness_link !== null) {
        assert.ok(known.includes(agent_readiness_link.replace('/techniques/', '')), `${id}: ${agent_readiness_link}`);
      }
    }
  });

  it('pass the check', () => {
    assert.deepEqual(checkAlmanac(records, options).errors, []);
  });

  it('say when they were last verified by the latest day they can prove', () => {
    for (const { path, records: rows } of datasets) {
      for (const { id, source_as_of, checked_by_machine, checked_by_person, last_verified } of rows) {
        const days = [source_as_of, checked_by_machine, checked_by_person].filter((day) => day !== null);
        assert.equal(last_verified, days.toSorted().at(-1) ?? null, `${path} ${id}`);
        assert.ok(
          last_verified === null || last_verified <= options.today,
          `${path} ${id}: last_verified ${last_verified} is in the future`,
        );
      }
    }
  });

  it('call no record primary whose sources nobody opened', () => {
    for (const { records: rows } of [crawlers, models, glossary, state]) {
      for (const { id, evidence, source_as_of } of rows) {
        assert.ok(source_as_of !== null || evidence === 'secondary', id);
      }
    }
  });

  it('hold no day of a price, a figure or an address list that is still to come', () => {
    for (const { id, pricing_usd_per_mtok: price } of models.records) {
      assert.ok(price === null || price.seen <= options.today, id);
    }
    for (const { id, ip_ranges } of crawlers.records) {
      assert.ok(ip_ranges === null || ip_ranges.seen <= options.today, id);
    }
    for (const { id, date, observed, published } of state.records) {
      assert.equal(date, observed ?? published, id);
      assert.ok(date <= options.today, id);
    }
  });

  it('refuse a field in the file that is worked out', () => {
    const [row] = state.records;
    assert.ok(row);
    const { date, last_verified, checked_by_machine, ...held } = row;
    const define = (record: object): unknown =>
      defineDataset({
        id: 'state-of-the-agentic-web',
        path: 'state',
        record: Statement,
        compact: ['id'],
        derive: () => ({ date }),
        nulls: {},
        document: {
          title: 'Test',
          description: 'A dataset with one record, made for a test of what a file may hold.',
          updated: options.today,
          fields: state.fields,
          records: [record],
        },
      });
    assert.doesNotThrow(() => define(held));
    assert.throws(() => define({ ...held, last_verified }), /last_verified: is worked out and must not be in the file/);
    assert.throws(
      () => define({ ...held, checked_by_machine: '2026-11-21' }),
      /checked_by_machine: is worked out and must not be in the file/,
    );
  });
});

describe('the check', () => {
  const [crawler] = crawlers.records;
  const [protocol] = protocols.records;
  const [model] = models.records;
  const [term] = glossary.records;
  const [statement] = state.records;
  assert.ok(crawler && protocol && model && term && statement);

  const rows: [name: string, change: Partial<AlmanacRecords>, error: RegExp][] = [
    [
      'a summary that names another successor than the field',
      { models: [{ ...model, replaced_by: null, summary: `Retired soon; ${model.name} is the named replacement.` }] },
      /^models .*: summary: says ".*", and replaced_by is nothing$/,
    ],
    [
      'a summary with another window than the field',
      { models: [{ ...model, replaced_by: null, summary: 'It has a context window of 1,234 tokens.' }] },
      /^models .*: summary: says "1,234", and context_window is /,
    ],
    [
      'a cut-off in the month of the release',
      { models: [{ ...model, replaced_by: null, released: '2026-11-09', knowledge_cutoff: '2026-11', note: null }] },
      /^models .*: knowledge_cutoff: 2026-11 is the month of the release or later, and no note explains it$/,
    ],
    [
      'a copy that is older than what the record shows',
      { protocols: [{ ...protocol, spec_date: '2026-08-17', source_as_of: '2026-03-24' }] },
      /^protocols .*: source_as_of: 2026-03-24 is older than 2026-08-17, which the record shows$/,
    ],
    ['an id used twice', { models: [...models.records, model] }, /^models .*: id: used more than once$/],
    [
      'a crawler that is replaced by nobody',
      {
        crawlers: [
          ...crawlers.records,
          { ...crawler, id: 'new', replaced_by: ['gone'], ua_full: null, ua_examples: { accepted: [], rejected: [] } },
        ],
      },
      /^crawlers new: replaced_by: crawlers has no record "gone"$/,
    ],
    [
      'half of a replacement',
      {
        crawlers: [
          ...crawlers.records,
          { ...crawler, id: 'new', replaces: ['ccbot'], ua_full: null, ua_examples: { accepted: [], rejected: [] } },
        ],
      },
      /^crawlers new: replaces: ccbot does not say replaced_by new$/,
    ],
    [
      'a relationship to nothing',
      {
        protocols: [
          ...protocols.records,
          { ...protocol, id: 'new', relationships: [{ predicate: 'extends', target: 'gone', note: 'made up' }] },
        ],
      },
      /^protocols new: relationships: protocols has no record "gone"$/,
    ],
    [
      'a model that is replaced by nothing',
      { models: [...models.records, { ...model, id: 'new', replaced_by: 'gone' }] },
      /^models new: replaced_by: models has no record "gone"$/,
    ],
    [
      'a term about nothing',
      { glossary: [...glossary.records, { ...term, id: 'new', protocols: ['gone'] }] },
      /^glossary new: protocols: protocols has no record "gone"$/,
    ],
    [
      'a statement about nothing',
      { state: [...state.records, { ...statement, id: 'new', entities: [{ dataset: 'models', id: 'gone' }] }] },
      /^state new: entities: models has no record "gone"$/,
    ],
    [
      'an example of another bot',
      {
        crawlers: [
          ...crawlers.records,
          { ...crawler, id: 'new', ua_full: null, ua_examples: { accepted: ['CCBot/2.0'], rejected: [] } },
        ],
      },
      /^crawlers new: ua_examples: "CCBot\/2\.0" is recognised as ccbot$/,
    ],
    [
      'evidence at second hand without a word about it',
      {
        state: [...state.records, { ...statement, id: 'new', evidence: 'secondary', primary_source: null, note: null }],
      },
      /^state new: evidence: second-hand, and neither/,
    ],
    [
      'an IP address as source',
      {
        state: [
          ...state.records,
          { ...statement, id: 'new', sources: [{ title: 'An address', url: 'http://192.0.2.1/paper' }] },
        ],
      },
      /^state new: sources: http:\/\/192\.0\.2\.1\/paper is an IP address/,
    ],
    [
      'a copy as source',
      {
        glossary: [
          ...glossary.records,
          {
            ...term,
            id: 'new',
            sources: [{ title: 'A copy', url: 'https://web.archive.org/web/2026/https://example.com/' }],
          },
        ],
      },
      /^glossary new: sources: https:\/\/web\.archive\.org\/.* is a copy: cite the original address$/,
    ],
  ];
  for (const [name, change, error] of rows) {
    it(`finds ${name}`, () => {
      const { errors } = checkAlmanac({ ...records, ...change }, options);
      assert.equal(errors.filter((line) => error.test(line)).length, 1, errors.join('\n'));
    });
  }

  it('takes the blog of the Internet Archive as an original', () => {
    const sources = [{ title: 'A post', url: 'https://blog.archive.org/2017/04/17/robots/' }];
    const { errors } = checkAlmanac(
      { ...records, glossary: [...glossary.records, { ...term, id: 'new', sources }] },
      options,
    );
    assert.deepEqual(
      errors.filter((line) => line.includes('is a copy')),
      [],
    );
  });

  it('warns of records that nobody has looked at for 180 days', () => {
    const old = { ...records, models: [{ ...model, replaced_by: null, last_verified: '2026-05-24' }] };
    const warningsOn = (today: string): string[] =>
      checkAlmanac(old, { ...options, today }).warnings.filter((line) => line.startsWith('models'));
    assert.deepEqual(warningsOn('2026-11-20'), []);
    assert.deepEqual(warningsOn('2026-11-21'), [
      'models: 1 of 1 records were last verified more than 180 days before 2026-11-21',
      `models ${model.id}: last_verified: 2026-05-24, 181 days ago`,
    ]);
  });

  const commands: [args: string[], status: number, output: RegExp][] = [
    [['--today', '2026-11-21'], 0, /^\d+ crawlers, \d+ protocols, .*: 0 errors, \d+ warnings$/m],
    [['--today', '2030-01-01'], 0, /^warning: crawlers: \d+ of \d+ records were last verified/m],
    [['--today', 'tomorrow'], 2, /^--today tomorrow: expected a day/],
    [['--now'], 2, /^Unknown option '--now'/],
  ];
  for (const [args, status, output] of commands) {
    it(`is a command: ${args.join(' ')}`, async () => {
      const { code, stdout, stderr } = await runHere(checkCommand, args, { cwd: import.meta.dirname });
      assert.match(stdout + stderr, output);
      assert.equal(code, status, stderr);
    });
  }
});
