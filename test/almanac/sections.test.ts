import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAskable } from '#almanac/ask/askable.ts';
import { bestSentences, withoutSaid } from '#almanac/ask/candidate.ts';
import { toAskedWords } from '#almanac/ask/kept.ts';
import { stemsOf } from '#almanac/ask/lexicon.ts';
import type { Question } from '#almanac/ask/question.ts';
import { createRecords } from '#almanac/ask/records.ts';
import { createSectionIndex } from '#almanac/ask/section-index.ts';
import { readSections } from '#almanac/ask/sections.ts';
import { translate } from '#almanac/ask/translate.ts';
import type { PageContent, PageFact, PageSection } from '#almanac/pages.ts';

const section = (path: string, anchor: string, heading: string, ...texts: string[]): PageSection => ({
  ...{ path, page: path === '/kiln' ? 'The kiln' : 'The wheel', anchor, heading, tokens: 10 },
  parts: texts.map((text) => ({ text, quote: text, isCode: false })),
});

const fact = (index: number, ...ask: string[]): PageFact => ({ section: index, parts: [0], ask, names: [] });

const content: PageContent = {
  sections: [
    section('/kiln', 'heat', 'Heating', 'The kiln reaches its peak after nine hours.'),
    section('/kiln', 'door', 'Closing', 'The kiln has a door. Its latch rusts in winter.'),
    section('/wheel', 'speed', 'Speed', 'A wheel turns forty times a minute.'),
  ],
  facts: [fact(0, 'how hot does it get'), fact(2, 'how fast is the wheel')],
};

const records = createRecords([]);
const index = createSectionIndex(readSections(content, createAskable(records)), records);

const search = (text: string, nearest?: number) =>
  index.search(
    toAskedWords(stemsOf(text).map((stem) => ({ stem, weight: stem.length > 3 ? 1 : 0, rarity: 1 }))),
    nearest,
  ).sections;

describe('sections of pages', () => {
  it('are found by words that their page does not share, without a kept question', () => {
    assert.equal(search('kiln latch')[0]?.section.anchor, 'door');
    assert.equal(search('kiln peak hours')[0]?.section.anchor, 'heat');
  });

  it('are found by questions that are kept with them, unless these are nearer than training allows', () => {
    const [first] = search('how fast is the wheel');
    assert.equal(first?.section.anchor, 'speed');
    assert.ok((first?.near[0]?.nearness ?? 0) > 0.7);
    assert.deepEqual(search('how fast is the wheel', 0.5)[0]?.near, []);
  });
});

describe('the sentences that answer', () => {
  const question = (text: string): Question =>
    ({ words: stemsOf(text).map((stem) => ({ stem, weight: 1 })) }) as unknown as Question;
  const text = 'The kiln is old. It was built in May. Its latch rusts in winter. Oil the latch in autumn.';

  it('are those with the words of the question, and consecutive', () => {
    assert.equal(
      bestSentences(question('latch rusts'), text, 2),
      'Its latch rusts in winter. Oil the latch in autumn.',
    );
  });

  it('are the first ones where no others have more', () => {
    assert.equal(bestSentences(question('kiln'), text, 2), 'The kiln is old. It was built in May.');
  });
});

describe('a sentence that was said', () => {
  const said = 'Kiln A follows the rule. It writes text. No. Its licence is MIT.';

  it("isn't said again", () => {
    assert.deepEqual(withoutSaid('Kiln A follows the rule. Kiln B does not.', said), ['Kiln B does not.']);
  });

  it('says nothing twice because a label stands before it', () => {
    const text = 'Disallow Kiln A in robots.txt; its operator says that it follows it.';
    assert.deepEqual(withoutSaid(`To block Kiln A: ${text}`, `The token is Kiln A. ${text}`), []);
    assert.deepEqual(withoutSaid('Licence: MIT.', 'It was made by MIT.'), ['Licence: MIT.']);
  });

  it('is said again where it means something else: a verdict, or what a pronoun stands for', () => {
    assert.deepEqual(withoutSaid('No. It writes text. Its licence is MIT.', said), [
      'No.',
      'It writes text.',
      'Its licence is MIT.',
    ]);
  });
});

describe('questions in other languages', () => {
  it('are put into English with compounds that no dictionary has', () => {
    assert.deepEqual(translate('Wie prüfe ich mein Kontaktformular?'), {
      text: 'how check i my contact form?',
      isForeign: true,
    });
  });

  it('and several words that say one become one', () => {
    assert.equal(translate('how do agents log in').text, 'how do agents login');
    assert.match(translate('¿Cómo firmo el libro de visitas?').text, /guestbook/);
  });
});
