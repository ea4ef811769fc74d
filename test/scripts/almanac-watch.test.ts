import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { datasets, models } from '#almanac/datasets/index.ts';
import { recordChanges } from '#almanac/record-changes.ts';
import { addressLists, watchLog } from '#almanac/watch/log.ts';
import { takeCommand } from '../../scripts/almanac-take.ts';
import { watchCommand } from '../../scripts/almanac-watch.ts';
import {
  createCopyReader,
  createNetworkReader,
  type DocumentReader,
  type NetworkOptions,
} from '../../scripts/support/almanac/documents.ts';
import { almanacRecords as records } from '../../scripts/support/almanac/records.ts';
import { toMarkdown } from '../../scripts/support/almanac/report.ts';
import { TakenReport, takeChanges } from '../../scripts/support/almanac/take.ts';
import type { Finding } from '../../scripts/support/almanac/upstream.ts';
import { upstreams } from '../../scripts/support/almanac/upstreams/index.ts';
import { type WatchState, watch } from '../../scripts/support/almanac/watch.ts';
import type { Terminal } from '../../scripts/support/command-line.ts';

const root = join(import.meta.dirname, '../..');
const copies = join(root, 'test/fixtures/upstreams');
const day = '2026-11-21';
const nothingSeen: WatchState = { log: { reads: {}, records: {} }, addressLists, seen: {} };
const readCopy = await createCopyReader(copies);

/** The recorded copies, with the text of some addresses replaced; an Error is thrown. */
const withCopies =
  (replaced: Readonly<Record<string, string | Error>>): DocumentReader =>
  async (address) => {
    const text = replaced[address];
    if (text instanceof Error) {
      throw text;
    }
    return text === undefined ? await readCopy(address) : { text, version: null };
  };

const watchCopies = (read: DocumentReader = readCopy, state: WatchState = nothingSeen) =>
  watch(upstreams, { records, state, read, day, via: 'network' });

const idsOf = (findings: readonly Finding[], kind: Finding['kind'], upstream: string): string[] =>
  findings.filter((finding) => finding.kind === kind && finding.upstream === upstream).map(({ id }) => id);

const problemOf = (findings: readonly Finding[], address: string): string | undefined =>
  findings.find(({ kind, source }) => kind === 'unreadable' && source === address)?.message;

const robots = 'https://raw.githubusercontent.com/ai-robots-txt/ai.robots.txt/main/robots.json';
const agents = 'npm:crawler-user-agents/crawler-user-agents.json';
const catalogue = 'https://models.dev/api.json';
const gptbot = 'https://openai.com/gptbot.json';
const draft = 'https://datatracker.ietf.org/api/v1/doc/document/draft-ietf-webbotauth-httpsig-protocol/?format=json';
const a2aTags = 'https://api.github.com/repos/a2aproject/a2a/tags?per_page=100';
const wellKnown = 'https://www.iana.org/assignments/well-known-uris/well-known-uris-1.csv';

describe('the watcher over recorded copies', async () => {
  const { report, state } = await watchCopies();
  const { findings } = report;

  it('finds a record for every token of ai.robots.txt', () => {
    assert.equal(report.upstreams.find(({ id }) => id === 'ai-robots-txt')?.entries, 166);
    assert.deepEqual(idsOf(findings, 'new', 'ai-robots-txt'), []);
  });

  it('says where the list contradicts what an operator documents', () => {
    assert.deepEqual(idsOf(findings, 'contradiction', 'ai-robots-txt'), [
      'ai-robots-txt/crawlers/google-agent/respects_robots',
    ]);
  });

  it('finds an AI crawler that no record recognises, and leaves other bots alone', () => {
    assert.deepEqual(idsOf(findings, 'new', 'crawler-user-agents'), ['crawler-user-agents/new/KilnReaderBot']);
  });

  it("finds a new model, a limit other than the maker's, and nothing at resellers", () => {
    assert.deepEqual(idsOf(findings, 'new', 'models-dev'), ['models-dev/new/anthropic/claude-kiln-1']);
    assert.deepEqual(idsOf(findings, 'contradiction', 'models-dev'), ['models-dev/models/claude-opus-4-7/max_output']);
  });

  it('finds a new revision of a draft with its day and its expiry', () => {
    assert.deepEqual(
      findings
        .filter(({ upstream }) => upstream === 'datatracker')
        .flatMap(({ difference }) => difference?.theirs ?? []),
      ['draft-ietf-webbotauth-httpsig-protocol-02', '2026-11-16', '2027-05-20'],
    );
  });

  it('finds a newer version among the tags, and takes no release candidate for one', () => {
    assert.deepEqual(
      findings.flatMap(({ upstream, difference }) => (upstream === 'github-tags' ? (difference?.theirs ?? []) : [])),
      ['1.1.0'],
    );
  });

  it('refreshes address lists in each of their forms', () => {
    assert.deepEqual(state.addressLists[gptbot], {
      seen: day,
      prefixes: ['192.0.2.0/24', '198.51.100.0/25', '2001:db8:20::/48'],
    });
    assert.deepEqual(state.addressLists['https://www.facebook.com/peering/geofeed']?.prefixes, [
      '192.0.2.0/24',
      '2001:db8:face::/48',
    ]);
    assert.deepEqual(state.addressLists['https://developer.amazon.com/amazonbot/ip-addresses/']?.prefixes, [
      '203.0.113.0/28',
      '203.0.113.64/28',
    ]);
  });

  it('says what it could not read, and keeps the last good copy', () => {
    assert.match(problemOf(findings, 'https://openai.com/searchbot.json') ?? '', /0\.0\.0\.0\/0 is wider than \/8/);
    assert.match(problemOf(findings, 'https://openai.com/chatgpt-user.json') ?? '', /did not answer within 30 seconds/);
    assert.match(
      problemOf(findings, 'https://claude.com/crawling/bots.json') ?? '',
      /a page without a list of prefixes/,
    );
    assert.match(problemOf(findings, 'https://www.perplexity.ai/perplexitybot.json') ?? '', /it was cut off/);
    for (const address of ['https://openai.com/searchbot.json', 'https://claude.com/crawling/bots.json']) {
      assert.deepEqual(state.addressLists[address], addressLists[address]);
      assert.equal(state.log.reads[address], undefined);
    }
  });

  it('puts down what it read, and which records agreed', () => {
    assert.deepEqual(state.log.reads[draft], {
      upstream: 'datatracker',
      day,
      version: '02',
      hash: state.log.reads[draft]?.hash,
      entries: 1,
    });
    assert.deepEqual(state.log.records['crawlers/gptbot'], {
      day,
      upstreams: ['crawler-user-agents', 'address-lists'],
    });
    assert.deepEqual(state.log.records['protocols/aipref'], { day, upstreams: ['datatracker'] });
    for (const key of ['protocols/web-bot-auth', 'protocols/a2a', 'models/claude-opus-4-7', 'crawlers/google-agent']) {
      assert.equal(state.log.records[key], undefined, key);
    }
  });

  it('keeps what it saw of each document but the User-Agent strings of others', () => {
    assert.deepEqual(state.seen['ai-robots-txt']?.[robots]?.['GPTBot'], { operator: 'OpenAI', respects_robots: true });
    assert.deepEqual(state.seen['crawler-user-agents']?.[agents]?.['CCBot'], {
      url: 'https://commoncrawl.org/faq/',
      is_ai_crawler: true,
    });
  });

  it('names the licence of each upstream and what it compares', () => {
    for (const { id, licence, compares } of upstreams) {
      assert.ok(licence.length >= 10 && compares.endsWith('.'), id);
      assert.ok(readFileSync(join(root, 'almanac/README.md'), 'utf8').includes(`\`${id}\``), id);
    }
  });
});

describe('the second run', async () => {
  const first = await watchCopies();
  const list = JSON.parse((await readCopy(robots)).text) as Record<string, unknown>;
  const { GPTBot: _, ...withoutGptbot } = list;
  const tags = JSON.parse((await readCopy(a2aTags)).text) as { name: string }[];
  const { report, state } = await watchCopies(
    withCopies({
      [robots]: JSON.stringify({ ...withoutGptbot, 'Kiln-Walker': { operator: 'Kilns', respect: 'Yes' } }),
      [a2aTags]: JSON.stringify([{ ...tags[0], name: 'docs-2026-11' }, ...tags.slice(2)]),
      [wellKnown]: 'URI Suffix,Change Controller,Reference\nacme-challenge,IETF,[RFC8555]\nucp,UCP,https://ucp.dev\n',
    }),
    first.state,
  );

  it('tells what is new and what is gone', () => {
    assert.deepEqual(idsOf(report.findings, 'new', 'ai-robots-txt'), ['ai-robots-txt/new/Kiln-Walker']);
    assert.deepEqual(idsOf(report.findings, 'gone', 'ai-robots-txt'), ['ai-robots-txt/gone/GPTBot']);
    assert.deepEqual(idsOf(report.findings, 'new', 'github-tags'), [
      'github-tags/new/https://github.com/a2aproject/a2a/tags/docs-2026-11',
    ]);
    assert.ok(idsOf(report.findings, 'new', 'iana').includes('iana/new/ucp'));
    assert.ok(idsOf(report.findings, 'gone', 'iana').includes('iana/gone/api-catalog'));
  });

  it('keeps what the first run saw of documents that it could not read', async () => {
    const third = await watchCopies(withCopies({ [robots]: new Error('it answered 503') }), state);
    assert.equal(problemOf(third.report.findings, robots), 'it answered 503');
    assert.deepEqual(third.state.seen['ai-robots-txt'], state.seen['ai-robots-txt']);
    assert.deepEqual(third.state.log.reads[robots], state.log.reads[robots]);
  });

  it('concludes nothing from a list that lost half of its entries', async () => {
    const few = Object.fromEntries(Object.entries(list).slice(0, 40));
    const third = await watchCopies(withCopies({ [robots]: JSON.stringify(few) }), state);
    assert.match(problemOf(third.report.findings, robots) ?? '', /it has 40 entries and had 166 last time/);
    assert.deepEqual(idsOf(third.report.findings, 'gone', 'ai-robots-txt'), []);
  });
});

describe('a document of a wrong shape', () => {
  const rows: [name: string, address: string, text: string, problem: RegExp][] = [
    ['nothing', robots, '', /^it is not JSON$/],
    ['a page in its place', robots, '<!doctype html><title>Sign in</title>', /^it is not JSON$/],
    ['JSON that was cut off', robots, '{"GPTBot": {"oper', /^it begins as JSON and isn't: it was cut off/],
    ['a list where an object was', robots, '[]', /^it has another shape: the document: /],
    ['an empty list', robots, '{}', /the list is empty/],
    ['an operator that is a number', robots, '{"GPTBot":{"operator":1,"respect":"Yes"}}', /GPTBot\.operator: /],
    ['an object where a list was', agents, '{"pattern":"GPTBot"}', /^it has another shape/],
    ['instances that are no list', agents, '[{"pattern":"GPTBot","instances":"x"}]', /0\.instances/],
    ['no maker that is watched', catalogue, '{"reseller":{"models":{}}}', /no maker of the list is in it/],
    [
      'a price in words',
      catalogue,
      '{"openai":{"models":{"m":{"name":"M","cost":{"input":"1","output":2}}}}}',
      /openai\.models\.m\.cost\.input/,
    ],
    [
      'prefixes that are none',
      gptbot,
      '{"prefixes":[{"ipv4Prefix":"192.0.2.0/99"}]}',
      /"192\.0\.2\.0\/99" is not an address range/,
    ],
    ['prefixes under another name', gptbot, '{"prefixes":[{"cidr":"192.0.2.0/24"}]}', /"" is not an address range/],
    ['the whole IPv6 Internet', gptbot, '{"prefixes":[{"ipv6Prefix":"2000::/3"}]}', /2000::\/3 is wider than \/19/],
    [
      'too many prefixes',
      gptbot,
      JSON.stringify({ prefixes: Array(20_001).fill({ ipv4Prefix: '192.0.2.0/32' }) }),
      /more than 20000 are not taken/,
    ],
    [
      'another draft',
      draft,
      '{"name":"draft-other-thing","rev":"01","time":"2026-01-01T00:00:00Z"}',
      /it is about draft-other-thing/,
    ],
    [
      'a revision that is a number',
      draft,
      '{"name":"draft-ietf-webbotauth-httpsig-protocol","rev":2,"time":"2026-01-01"}',
      /: rev: /,
    ],
    ['an answer about limits', a2aTags, '{"message":"API rate limit exceeded"}', /^it has another shape/],
    ['a registry with other columns', wellKnown, 'Name,Reference\nucp,x\n', /the first column is "Name"/],
  ];
  for (const [name, address, text, problem] of rows) {
    it(`${name}: is said, and nothing is taken from it`, async () => {
      const { report, state } = await watchCopies(withCopies({ [address]: text }));
      assert.match(problemOf(report.findings, address) ?? '', problem);
      assert.equal(state.log.reads[address], undefined);
      assert.equal(
        report.findings.some(({ kind, source }) => source === address && kind !== 'unreadable'),
        false,
      );
    });
  }
});

describe('the network', () => {
  const options = (answer: NetworkOptions['fetch'], changes: Partial<NetworkOptions> = {}): NetworkOptions => ({
    timeout: 20,
    token: null,
    fetch: answer,
    ...changes,
  });
  const rows: [name: string, address: string, answer: NetworkOptions['fetch'], problem: RegExp][] = [
    [
      'an address without TLS',
      'http://example.com/list.json',
      async () => new Response('{}'),
      /only https addresses are read/,
    ],
    ['an error', 'https://example.com/', async () => new Response('', { status: 503 }), /^Error: it answered 503$/],
    [
      'bytes that are no text',
      'https://example.com/',
      async () => new Response(new Uint8Array([0xff, 0xfe, 0x80])),
      /not valid/,
    ],
    ['a package in another form', 'npm:../../etc/passwd', async () => new Response(''), /not of the form npm:/],
    [
      'no connection',
      'https://example.com/',
      async () => Promise.reject(new TypeError('fetch failed', { cause: new Error('ENOTFOUND example.com') })),
      /it could not be reached: ENOTFOUND/,
    ],
    [
      'no answer',
      'https://example.com/',
      (_, init) =>
        new Promise((_resolve, reject) => {
          init?.signal?.addEventListener('abort', () => reject(init.signal?.reason));
        }),
      /it did not answer within 0\.02 seconds/,
    ],
    [
      'no end',
      'https://example.com/',
      async () =>
        new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(4 * 1024 * 1024)) })),
      /it is longer than 33554432 bytes/,
    ],
  ];
  for (const [name, address, answer, problem] of rows) {
    it(`${name}: is said in a sentence`, async () => {
      await assert.rejects(createNetworkReader(options(answer))(address), problem);
    });
  }

  it('gives the token to GitHub and to nobody else', async () => {
    const seen: (string | null)[] = [];
    const read = createNetworkReader(
      options(
        async (_, init) => {
          seen.push(new Headers(init?.headers).get('authorization'));
          return new Response('[]');
        },
        { token: 'secret' },
      ),
    );
    await read(a2aTags);
    await read(gptbot);
    assert.deepEqual(seen, ['Bearer secret', null]);
  });
});

describe('the report', () => {
  it('shows text from outside as code that can do nothing', () => {
    const hostile = '`code` | [link](https://evil.example) @everyone <img src=x>\n## Heading \u202e';
    const report = toMarkdown({
      day,
      via: 'network',
      upstreams: [],
      findings: [
        { id: `x/new/${hostile}`, kind: 'new', upstream: 'x', source: 'https://example.com', message: hostile },
      ],
      unwatched: [],
    });
    const [line] = report.split('\n').filter((each) => each.startsWith('- '));
    assert.match(line ?? '', /^- `[^`\n|\u202e]*`: `[^`\n|\u202e]*`$/);
    assert.equal(report.includes('\n## Heading'), false);
  });
});

describe('the commands', () => {
  const folder = mkdtempSync(join(tmpdir(), 'porchlight-almanac-'));
  after(() => rmSync(folder, { recursive: true }));
  cpSync(join(root, 'almanac'), join(folder, 'almanac'), { recursive: true });
  // The copies are much shorter than what real runs saw, which would be taken for a fault.
  rmSync(join(folder, 'almanac/watch/seen'), { recursive: true });

  async function run(
    command: typeof watchCommand,
    args: string[],
  ): Promise<{ code: number; out: string; error: string }> {
    const written = { out: '', error: '' };
    const terminal: Terminal = {
      env: {},
      cwd: folder,
      isWatched: false,
      hasColours: false,
      out: (text) => {
        written.out += text;
      },
      error: (text) => {
        written.error += text;
      },
    };
    return { code: await command(args, terminal), ...written };
  }

  /** All files of the folder but the reports, with their text. */
  const filesOf = (): Record<string, string> =>
    Object.fromEntries(
      readdirSync(join(folder, 'almanac'), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && !entry.name.startsWith('report.'))
        .map((entry) => join(entry.parentPath, entry.name))
        .map((file) => [file, readFileSync(file, 'utf8')]),
    );
  const readJson = (file: string): unknown => JSON.parse(readFileSync(join(folder, 'almanac', file), 'utf8'));

  it('watch writes a report of the copies and edits nothing else', async () => {
    const before = filesOf();
    const { code, out } = await run(watchCommand, ['--copies', copies, '--today', day]);
    assert.equal(code, 0, out);
    assert.match(out, /models-dev: 1 read, 0 not/);
    assert.deepEqual(filesOf(), before);
    assert.match(readFileSync(join(folder, 'almanac/watch/report.md'), 'utf8'), /says nothing about today/);
  });

  const refused: [name: string, args: string[], code: number, error: RegExp][] = [
    ['no change', [], 2, /Which changes\?/],
    ['a change that is not in the report', ['models-dev/models/none/max_output'], 1, /The report has no change/],
    [
      'a change that holds nothing to take',
      ['address-lists/refreshed/https://www.facebook.com/peering/geofeed'],
      1,
      /there is nothing to take/,
    ],
    [
      'one good and one bad change',
      ['models-dev/models/claude-opus-4-7/max_output', 'x'],
      1,
      /The report has no change "x"/,
    ],
    ['a day that is none', ['x', '--today', 'tomorrow'], 2, /--today tomorrow: expected a day/],
  ];
  for (const [name, args, code, error] of refused) {
    it(`take refuses ${name} and writes nothing`, async () => {
      const before = filesOf();
      const result = await run(takeCommand, args);
      assert.equal(result.code, code);
      assert.match(result.error, error);
      assert.deepEqual(filesOf(), before);
    });
  }

  it('take refuses a value that does not fit the record, and writes nothing', async () => {
    const report = readJson('watch/report.json') as { findings: Finding[] };
    const finding = report.findings.find(({ id }) => id === 'models-dev/models/claude-opus-4-7/max_output');
    assert.ok(finding?.difference);
    const bad = { ...report, findings: [{ ...finding, difference: { ...finding.difference, theirs: 'a lot' } }] };
    writeFileSync(join(folder, 'almanac/watch/report.json'), JSON.stringify(bad));
    const before = filesOf();
    const result = await run(takeCommand, [finding.id]);
    writeFileSync(join(folder, 'almanac/watch/report.json'), JSON.stringify(report));
    assert.equal(result.code, 1);
    assert.match(result.error, /claude-opus-4-7: max_output/);
    assert.deepEqual(filesOf(), before);
  });

  it('take puts down the day on which an upstream was read over the network', () => {
    const report = TakenReport.parse({ ...(readJson('watch/report.json') as object), via: 'network' });
    const files = {
      crawlers: readJson('datasets/crawlers.json'),
      protocols: readJson('datasets/protocols.json'),
      models: readJson('datasets/models.json'),
      glossary: readJson('datasets/glossary.json'),
      state: readJson('datasets/state.json'),
    };
    const { documents } = takeChanges(['datatracker/protocols/web-bot-auth/spec_date'], report, files, '2026-11-30');
    const { records: rows } = documents.protocols as { records: Record<string, unknown>[] };
    assert.equal(rows.find(({ id }) => id === 'web-bot-auth')?.['source_as_of'], day);
  });

  it('take puts changes and new records in, with their source and a line for each', async () => {
    const ids = [
      'models-dev/models/claude-opus-4-7/max_output',
      'models-dev/new/anthropic/claude-kiln-1',
      'crawler-user-agents/new/KilnReaderBot',
      'datatracker/protocols/web-bot-auth/current_spec_version',
    ];
    const readBefore = models.records.find(({ id }) => id === 'claude-opus-4-7')?.source_as_of;
    const memberOrder = Object.fromEntries(
      ['crawlers', 'protocols', 'models', 'glossary', 'state'].map((name) => [
        name,
        Object.keys(readJson(`datasets/${name}.json`) as object),
      ]),
    );
    const { code, error } = await run(takeCommand, [...ids, '--today', '2026-11-30']);
    assert.equal(code, 0, error);
    const rows = (name: string) =>
      readJson(`datasets/${name}.json`) as { updated: string; records: Record<string, unknown>[] };
    const find = (name: string, id: string) => rows(name).records.find((row) => row['id'] === id);
    assert.equal(find('models', 'claude-opus-4-7')?.['max_output'], 96_000);
    assert.match(String(find('models', 'claude-opus-4-7')?.['summary']), /up to 96,000 of output/);
    assert.match(
      JSON.stringify(find('models', 'claude-opus-4-7')?.['sources']),
      /models\.dev\/blob\/dev\/providers\/anthropic/,
    );
    assert.equal(find('models', 'claude-kiln-1')?.['context_window'], 200_000);
    assert.equal(find('crawlers', 'kilnreaderbot')?.['ua_full'], 'KilnReaderBot/1.0 (+https://kilns.example/bot)');
    assert.equal(rows('models').updated, '2026-11-30');
    assert.equal(find('models', 'claude-opus-4-7')?.['source_as_of'], readBefore, 'a copy tells no day');
    for (const [name, order] of Object.entries(memberOrder)) {
      assert.deepEqual(Object.keys(rows(name)), order, `the members of ${name}.json keep their order`);
    }
    const changes = (readJson('record-changes.json') as unknown[]).slice(recordChanges.length);
    assert.deepEqual(
      changes.map((change) => [(change as { id: string }).id, (change as { kind: string }).kind]),
      [
        ['claude-opus-4-7', 'changed'],
        ['claude-kiln-1', 'added'],
        ['kilnreaderbot', 'added'],
        ['web-bot-auth', 'changed'],
      ],
    );
  });

  it('take refuses what was taken already', async () => {
    const before = filesOf();
    const result = await run(takeCommand, ['models-dev/models/claude-opus-4-7/max_output']);
    assert.match(result.error, /max_output is no longer what the report says/);
    assert.equal((await run(takeCommand, ['models-dev/new/anthropic/claude-kiln-1'])).code, 1);
    assert.deepEqual(filesOf(), before);
  });

  const usage: [args: string[], error: RegExp][] = [
    [['--only', 'everything'], /--only everything: expected ai-robots-txt/],
    [['now'], /What is "now"\? Only options/],
    [['--today', '2026-13-01'], /expected a day/],
    [['--copies', 'nowhere'], /ENOENT/],
  ];
  for (const [args, error] of usage) {
    it(`watch ${args.join(' ')} is refused`, async () => {
      const result = await run(watchCommand, args);
      assert.notEqual(result.code, 0);
      assert.match(result.error, error);
    });
  }
});

describe('the log that is kept', () => {
  it('backs each claim that a machine checked a record', () => {
    for (const { path, records: rows } of datasets) {
      for (const { id, checked_by_machine } of rows) {
        const entry = watchLog.records[`${path}/${id}`];
        assert.equal(checked_by_machine, entry?.day ?? null, `${path}/${id}`);
        for (const upstream of entry?.upstreams ?? []) {
          assert.ok(
            Object.values(watchLog.reads).some((read) => read.upstream === upstream && read.day >= (entry?.day ?? '')),
            `${path}/${id}: no document of ${upstream} was read on ${entry?.day}`,
          );
        }
      }
    }
  });

  it('names records and upstreams that exist', () => {
    const known = new Set(datasets.flatMap(({ path, records: rows }) => rows.map(({ id }) => `${path}/${id}`)));
    const ids = new Set(upstreams.map(({ id }) => id));
    for (const [key, { upstreams: compared }] of Object.entries(watchLog.records)) {
      assert.ok(known.has(key), key);
      assert.ok(
        compared.every((id) => ids.has(id)),
        key,
      );
    }
    for (const { upstream, day: read } of Object.values(watchLog.reads)) {
      assert.ok(ids.has(upstream) && read <= new Date().toISOString().slice(0, 10));
    }
  });
});
