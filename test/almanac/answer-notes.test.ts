import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { type AnswerPiece, withNotes } from '#site/almanac/answer-notes.ts';

const text = (words: string) => ({ text: words, isCode: false });
const read = (pieces: readonly AnswerPiece[]): string =>
  pieces
    .map((piece) => (typeof piece === 'string' ? piece : 'note' in piece ? `[${piece.note}]` : `<${piece.text}>`))
    .join('');
const page = (quote: string) => ({ title: 'A page', quote });
const crawler = (id: string, title: string, field: string, quote: string) => ({
  ...{ dataset: 'crawlers', id, title, quote },
  fields: [field],
});

describe('the numbers of citations', () => {
  it('are each noted once: where the words are, or at the end of the text; code has none', () => {
    const blocks = [text('One is run by Ada.'), { text: 'User-agent: One', isCode: true }, text('It reads pages.')];
    assert.deepEqual(
      withNotes(blocks, [page('It reads'), page('Ada'), page('User-agent: One')]).map(({ pieces }) => read(pieces)),
      ['One is run by Ada.[2]', 'User-agent: One', 'It reads pages.[1][3]'],
    );
    assert.deepEqual(withNotes([], [page('x')]), []);
  });

  it('stand behind the names of a list, also where a name begins another one or its value is in the sentence', () => {
    const blocks = [
      text('3 crawlers of Ada (of 9): Bot-Image, Bot Extra and Bot. All 9 are kept.'),
      text('Bots read.'),
    ];
    const citations = [
      crawler('crawlers', 'Crawlers', 'id', '9'),
      ...[crawler('bot-image', 'Bot-Image', 'operator', 'Ada'), crawler('bot-extra', 'Bot Extra', 'operator', 'Ada')],
      crawler('bot', 'Bot', 'operator', 'Ada'),
    ];
    assert.deepEqual(
      withNotes(blocks, citations).map(({ pieces }) => read(pieces)),
      ['3 crawlers of Ada (of 9): Bot-Image[2], Bot Extra[3] and Bot[4]. All 9 are kept.[1]', 'Bots read.'],
    );
  });

  it('stand with another field of the same record, rather than where its name is', () => {
    const blocks = [text('Some ignore robots.txt.'), text('It is a request.'), text('Nothing more.')];
    const robots = { dataset: 'protocols', id: 'robots-txt', title: 'robots.txt' };
    const citations = [
      { ...robots, fields: ['snippet'], quote: 'It is a request.' },
      { ...robots, fields: ['full_name'], quote: 'Robots Exclusion Protocol' },
    ];
    assert.deepEqual(
      withNotes(blocks, citations).map(({ pieces }) => read(pieces)),
      ['Some ignore robots.txt.', 'It is a request.[1][2]', 'Nothing more.'],
    );
  });
});

describe('what a list leaves out', () => {
  const ignoring = crawlers.records.filter(({ respects_robots }) => respects_robots === false);
  const cited = ignoring.slice(0, 3).map(({ id, name }) => crawler(id, name, 'respects_robots', 'false'));
  const listOf = (more: number) => text(`These: ${cited.map(({ title }) => title).join(', ')} and ${more} more.`);
  const links = (more: number) =>
    withNotes([listOf(more)], cited).flatMap(({ pieces }) =>
      pieces.filter((piece) => typeof piece === 'object' && 'href' in piece),
    );

  it('is a link to the page that has all of them', () => {
    assert.deepEqual(links(ignoring.length - 3), [
      { href: '/crawlers?respects_robots=false', text: `${ignoring.length - 3} more` },
    ]);
  });

  it('is text where no page has just those', () => assert.deepEqual(links(ignoring.length - 2), []));
});
