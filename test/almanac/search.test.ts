import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { datasets } from '#almanac/datasets/index.ts';
import type { PageContent } from '#almanac/pages.ts';
import { createSearch, type SearchableDataset } from '#almanac/search.ts';
import { anyCharacter } from '../support/any-character.ts';

const search = createSearch(datasets);

const top = (query: string, options = {}): string => {
  const [best] = search(query, options);
  return best === undefined ? '(nothing)' : `${best.dataset}/${best.id}`;
};

describe('the best match', () => {
  const rows: [query: string, best: RegExp][] = [
    // ids, names and other names
    ['gptbot', /^crawlers\/gptbot$/],
    ['GPTBot', /^crawlers\/gptbot$/],
    ['gpt bot', /^crawlers\/gptbot$/],
    ['chatgpt-user', /^crawlers\/chatgpt-user$/],
    ['ChatGPT User', /^crawlers\/chatgpt-user$/],
    ['mcp', /\/mcp$/],
    ['Model Context Protocol', /\/mcp$/],
    ['llms.txt', /\/llms-txt$/],
    ['llmstxt', /\/llms-txt$/],
    ['x402', /\/x402$/],
    ['Web Bot Auth', /\/web-bot-auth$/],
    ['gpt-4.1', /^models\/gpt-4\.1$/],
    ['Prompt Injection', /^glossary\/prompt-injection$/],
    ['Agent2Agent', /\/a2a$/],
    ['cloudflare-402-responses-2026-04', /^state-of-the-agentic-web\/cloudflare-402-responses-2026-04$/],
    // beginnings
    ['gptb', /^crawlers\/gptbot$/],
    ['prompt inj', /^glossary\/prompt-injection$/],
    ['perplexityb', /^crawlers\/perplexitybot$/],
    // typing errors
    ['gptbt', /^crawlers\/gptbot$/],
    ['gptbto', /^crawlers\/gptbot$/],
    ['gtpbot', /^crawlers\/gptbot$/],
    ['promtp injection', /^glossary\/prompt-injection$/],
    ['anthropc', /./],
    ['perplexty', /perplexity/],
    ['promt injecton', /^glossary\/prompt-injection$/],
    // a name in a sentence, and words of a sentence
    ['what is webmcp', /\/webmcp$/],
    ['how do I block GPTBot in robots.txt', /gptbot|robots-txt/],
    ['crawl to refer ratio', /^glossary\/crawl-to-refer-ratio$/],
  ];
  for (const [query, best] of rows) {
    it(`of "${query}"`, () => {
      assert.match(top(query), best);
    });
  }
});

describe('a match', () => {
  it('says where it is and what matched', () => {
    const [match] = search('GPTBot', { dataset: 'crawlers' });
    assert.ok(match);
    assert.deepEqual(Object.keys(match), ['dataset', 'id', 'title', 'score', 'snippet', 'matched', 'path']);
    assert.equal(match.title, 'GPTBot');
    assert.equal(match.path, '/crawlers/gptbot');
    assert.ok(match.matched.includes('name') && match.matched.includes('ua_substring'));
    assert.ok(match.snippet.includes('GPTBot') && !match.snippet.includes('*'));
  });

  it('has the path of its dataset, which is not always its id', () => {
    const [match] = search('traffic', { dataset: 'state-of-the-agentic-web' });
    assert.match(match?.path ?? '', /^\/state\//);
  });

  it('counts: limit and dataset', () => {
    assert.equal(search('agent').length, 10);
    assert.equal(search('agent', { limit: 50 }).length, 50);
    assert.equal(search('agent', { limit: 0 }).length, 0);
    assert.ok(search('agent', { dataset: 'models', limit: 50 }).every(({ dataset }) => dataset === 'models'));
    assert.deepEqual(search('agent', { dataset: 'nowhere' }), []);
    assert.deepEqual(
      search('gptbot', { dataset: 'models' }).filter(({ id }) => id === 'gptbot'),
      [],
    );
  });

  it('is in order, and in the same one each time', () => {
    const matches = search('agent protocol', { limit: 50 });
    for (const [index, match] of matches.entries()) {
      const before = matches[index - 1];
      assert.equal(match.score, Math.round(match.score * 1000) / 1000);
      assert.ok(before === undefined || before.score >= match.score);
    }
    assert.deepEqual(createSearch(datasets)('agent protocol', { limit: 50 }), matches);
  });

  it('is nothing for words that say nothing, and for none', () => {
    for (const query of ['', '   ', 'the', 'who is it', '?!', '*', '😀', 'zzzzqqqq']) {
      assert.deepEqual(search(query), [], query);
    }
  });
});

type MadeRecord = { id: string; [field: string]: unknown };

const made = (id: string, ...records: MadeRecord[]): SearchableDataset => ({ id, path: id, records });

describe('ranking', () => {
  const order = (query: string, ...records: MadeRecord[]): string[] =>
    createSearch([made('made', ...records)])(query).map(({ id }) => id);

  it('goes from name to alias to beginning to text', () => {
    assert.deepEqual(
      order(
        'beacon',
        { id: 'd', name: 'Fourth', purpose: 'Says beacon, beacon and beacon.' },
        { id: 'c', name: 'Beacon Light' },
        { id: 'b', name: 'Second', aliases: ['Beacon'] },
        { id: 'a', name: 'Beacon' },
      ),
      ['a', 'b', 'c', 'd'],
    );
  });

  it('prefers the phrase to its words', () => {
    assert.deepEqual(
      order(
        'key directory',
        { id: 'words', name: 'A', purpose: 'A directory in which each key has a page.' },
        { id: 'phrase', name: 'B', purpose: 'Publishes a key directory for each page.' },
      ),
      ['phrase', 'words'],
    );
  });

  it('settles equal scores by dataset, then by id', () => {
    const twins = (id: string): SearchableDataset => made(id, { id: 'y', name: 'Same' }, { id: 'x', name: 'Same' });
    const matches = createSearch([twins('second'), twins('first')])('same');
    assert.deepEqual(
      matches.map(({ dataset, id }) => `${dataset}/${id}`),
      ['second/x', 'second/y', 'first/x', 'first/y'],
    );
  });

  it('folds case, accents, width and plurals', () => {
    for (const query of ['bibliotheque', 'BIBLIOTHÈQUE', 'bibliothe\u0300que', 'ｂibliothèque', 'bibliothèques']) {
      assert.deepEqual(order(query, { id: 'bnf', name: 'Bibliothèque' }), ['bnf'], query);
    }
  });

  it('finds words that objects know', () => {
    for (const word of ['constructor', 'toString', 'hasOwnProperty', '__proto__', 'valueOf']) {
      assert.deepEqual(order(word, { id: 'object', name: 'Object', purpose: `Has ${word} in it.` }), ['object']);
    }
  });
});

describe('a snippet', () => {
  const snippetOf = (query: string, text: string): string =>
    createSearch([made('made', { id: 'only', name: 'Only', definition: text })])(query)[0]?.snippet ?? '';

  it('is plain text, with the asterisks and backslashes that the record has', () => {
    const text = 'User-agent: * and **bold** and \\* and a\\ star ** here';
    assert.equal(snippetOf('bold star', text), text);
  });

  it('is cut between words, around the match', () => {
    const filler = 'word '.repeat(100);
    const text = snippetOf('lantern', `${filler}lantern ${filler}`);
    assert.ok(text.length <= 202, String(text.length));
    assert.match(text, /^…word .*lantern.*word…$/);
  });

  it('reads back as text of the record', () => {
    for (const query of ['robots token', 'user-agent', 'agent', '402 payment', 'training data']) {
      for (const match of search(query, { limit: 50 })) {
        const text = match.snippet.replace(/^…|…$/g, '');
        const record = datasets.find(({ id }) => id === match.dataset)?.get(match.id);
        assert.ok(
          Object.values(record ?? {}).some((value) => typeof value === 'string' && value.includes(text)),
          text,
        );
        assert.ok(text.length <= 200);
      }
    }
  });
});

describe('pages', () => {
  const content: PageContent = {
    sections: [
      {
        path: '/developers',
        page: 'The API for people',
        anchor: 'limits',
        heading: 'Limits',
        tokens: 120,
        parts: [
          { text: 'Reads: 600 requests a minute.', quote: 'Reads: 600 requests a minute.', isCode: false },
          { text: 'A recipe is a list.', quote: 'A recipe is a list.', isCode: false },
        ],
      },
    ],
    facts: [],
  };
  const both = createSearch(datasets, content);

  it('are found by section, with anchor and size, and only when asked for', () => {
    assert.deepEqual(both('limits 600 requests', { kind: 'page' }), [
      {
        page: '/developers',
        title: 'The API for people: Limits',
        anchor: 'limits',
        tokens: 120,
        score: both('limits 600 requests', { kind: 'page' })[0]?.score,
        snippet: 'Reads: 600 requests a minute. A recipe is a list.',
        path: '/developers#limits',
      },
    ]);
    assert.ok(both('limits 600 requests', { limit: 50 }).every((match) => 'dataset' in match));
    assert.ok(both('rate limit', { kind: 'all', limit: 50 }).some((match) => 'page' in match));
    assert.ok(both('rate limit', { kind: 'all', limit: 50 }).some((match) => 'dataset' in match));
  });

  it('are found by their heading in the singular as in the plural', () => {
    const score = (query: string): number => Math.floor(both(query, { kind: 'page' })[0]?.score ?? 0);
    assert.ok(score('limit') > 30 && score('limits') > 30, `${score('limit')} and ${score('limits')}`);
  });

  it('and records are not found by one word of a query whose other word is nowhere', () => {
    for (const kind of ['record', 'page', 'all'] as const) {
      assert.deepEqual(both('sourdough recipe', { kind }), [], kind);
    }
    assert.equal(both('recipe', { kind: 'page' }).length, 1);
  });
});

describe('hostile queries', () => {
  const rows: [name: string, query: string][] = [
    ['one long word', 'x'.repeat(500)],
    ['many short words', 'ab '.repeat(166)],
    ['one word again and again', 'agent '.repeat(83)],
    ['far too long', 'agent protocol '.repeat(100_000)],
    ['characters that grow', '\ufdfa'.repeat(500)],
    ['half characters', '\ud800'.repeat(500)],
    ['stacked marks', `a${'\u0301'.repeat(499)}`],
    ['control characters', '\u0000\u001b[31m\u202e agent'],
    ['query syntax', 'AND OR NOT (agent* ~2) "mcp" +x -y ^3 field:value'],
    ['names of object members', '__proto__ constructor toString'],
  ];
  for (const [name, query] of rows) {
    it(name, () => {
      for (const match of search(query, { limit: 50 })) {
        assert.ok(Number.isFinite(match.score));
      }
    });
  }

  it('any string', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 500 }), (query) => {
        assert.ok(search(query).length <= 10);
      }),
    );
  });
});
