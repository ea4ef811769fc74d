import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createAnswerer } from '#almanac/ask/index.ts';
import type { PageContent, PagePart } from '#almanac/pages.ts';

const part = (text: string, isCode = false): PagePart => ({ text, quote: text, isCode });

const section = (anchor: string, heading: string, parts: PagePart[]) => ({
  ...{ path: '/kiln', page: 'The kiln', anchor, heading, tokens: 0, parts },
});

const content: PageContent = {
  sections: [
    section('door', 'Door', [
      part('The door has a window of glass.'),
      part('Its latch rusts in a wet winter.'),
      part('Oil the hinge every autumn with linseed.'),
      part('The gasket lasts for nine firings.'),
    ]),
    section('heat', 'Heat', [
      part(
        'The kiln stands in the yard. It was built of brick. A cone of clay bends at the peak. That tells the potter to stop. Let it cool.',
      ),
    ]),
    section('fire', 'Fire', [
      part(
        'The kiln is fired twice. Wood gives ash to the glaze. Gas burns clean and even. Open the tap of the gas like this:',
      ),
      part('turn tap', true),
    ]),
  ],
  facts: [
    {
      section: 0,
      parts: [1],
      ask: ['what happens to the latch when it is damp', 'why is the handle stiff', 'corrosion'],
      names: [],
    },
    { section: 0, parts: [2], ask: ['how to keep the hinges smooth', 'what stops the squeaking'], names: [] },
    { section: 0, parts: [3], ask: ['when is the seal due', 'life of the seal'], names: [] },
    { section: 1, parts: [0], ask: ['where do I find it'], names: [] },
    { section: 1, parts: [0], sentence: 4, ask: ['how soon can I take the pots out', 'open it at once'], names: [] },
  ],
};

const { rank } = createAnswerer([], content);

/** What is said of a section for a question, after its title. */
function say(anchor: string, question: string): string {
  const own = rank(question).ranked.find(({ candidate }) => candidate.intent === `page:/kiln#${anchor}`);
  return (own?.candidate.compose()?.text ?? '').replace(/^The kiln, \w+: /, '');
}

describe('of a section the part comes first', () => {
  for (const [why, question, expected] of [
    ['that a kept question is near to', 'how to keep the door hinges of the kiln smooth', 'Oil the hinge'],
    [
      'whose kept questions have a word that the others have not',
      'why is the handle of the kiln door stiff',
      'Its latch rusts',
    ],
    ['that has the words itself', 'how many firings does the gasket of the kiln door last', 'The gasket lasts'],
    ['that no question is kept with', 'kiln door window of glass', 'The door has a window'],
  ] as const) {
    it(why, () => assert.ok(say('door', question).startsWith(expected), say('door', question)));
  }
});

describe('of a part the sentence comes first', () => {
  it('that answers, with the next one', () => {
    assert.match(
      say('heat', 'which cone of clay bends at the peak of the kiln'),
      /^A cone of clay bends at the peak\. That tells the potter to stop\./,
    );
  });

  it('that a near question is kept with', () => {
    assert.match(say('heat', 'how soon can I take the pots out of the kiln'), /^Let it cool\./);
  });

  it('and what leads to lines to paste stays next to them', () => {
    assert.equal(
      say('fire', 'does gas burn clean in the kiln'),
      'Gas burns clean and even. Open the tap of the gas like this:\nturn tap',
    );
  });

  it('before the one that answers where that goes on with it', () => {
    assert.match(say('heat', 'what tells the potter of the kiln to stop'), /^A cone of clay bends/);
  });

  it('that the part begins with where no other is better', () => {
    assert.match(say('heat', 'in which yard stands the kiln'), /^The kiln stands in the yard\./);
  });

  it('and the others follow', () => {
    const said = say('heat', 'which cone of clay bends at the peak of the kiln');
    assert.match(said, / The kiln stands in the yard\. It was built of brick\. Let it cool\.$/);
  });
});
