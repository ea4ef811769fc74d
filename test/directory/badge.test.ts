import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { type DefaultTreeAdapterMap, parseFragment } from 'parse5';
import { gradeBands, gradeOf } from '#api/audit/grade.ts';
import { type Badge, badgeColours, badgeStyles, labelLooks, toBadgeSvg } from '#api/directory/badge.ts';

type Element = DefaultTreeAdapterMap['element'];

/** The elements of a badge in their order, each with its attributes and its text. */
function elementsOf(svg: string): { name: string; attributes: Record<string, string>; text: string }[] {
  const walk = (element: Element): ReturnType<typeof elementsOf> => [
    {
      name: element.tagName,
      attributes: Object.fromEntries(element.attrs.map(({ name, value }) => [name, value])),
      text: element.childNodes.map((node) => ('value' in node ? node.value : '')).join(''),
    },
    ...element.childNodes.filter((node): node is Element => 'tagName' in node).flatMap(walk),
  ];
  return parseFragment(svg)
    .childNodes.filter((node): node is Element => 'tagName' in node)
    .flatMap(walk);
}

const cases: [Badge, string, string][] = [
  [{ label: 'agent readiness', score: 100, grade: gradeOf(100) }, '100 exemplary', '100 of 100, exemplary'],
  [{ label: 'a', score: 85, grade: gradeOf(85) }, '85 agent-ready', '85 of 100, agent-ready (certifiable)'],
  [{ label: 'a', score: 40, grade: gradeOf(40) }, '40 hard to use', '40 of 100, hard to use'],
  [{ label: 'a', score: 0, grade: gradeOf(0) }, '0 closed to agents', '0 of 100, closed to agents'],
  [{ label: 'a', state: 'not-listed' }, 'not listed', 'not listed'],
  [{ label: 'a', state: 'expired', score: 85 }, 'expired, was 85', 'certification expired, the score was 85 of 100'],
  [
    { label: 'a', state: 'fell-back', score: 91 },
    'fell back from 91',
    'no longer certifiable, the certified score was 91 of 100',
  ],
];
describe('a badge says in words what it shows', () => {
  for (const [badge, short, long] of cases) {
    it(short, () => {
      const [svg, title, ...rest] = elementsOf(toBadgeSvg(badge));
      assert.equal(svg?.name, 'svg');
      assert.equal(svg.attributes['xmlns'], 'http://www.w3.org/2000/svg');
      assert.equal(svg.attributes['role'], 'img');
      assert.equal(svg.attributes['aria-label'], `${badge.label}: ${long}`);
      assert.equal(title?.name, 'title');
      assert.equal(title.text, `${badge.label}: ${long}`);
      const texts = rest.filter(({ name }) => name === 'text');
      assert.deepEqual(
        texts.map(({ text }) => text),
        [badge.label, short],
      );
      const width = Number(svg.attributes['width']);
      let end = 0;
      for (const { attributes } of texts) {
        assert.ok(Number(attributes['x']) >= end, 'texts do not overlap');
        end = Number(attributes['x']) + Number(attributes['textLength']);
      }
      assert.ok(end < width, 'the text ends within the badge');
      assert.ok(toBadgeSvg(badge).length < 2500);
    });
  }
});

const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
};

test('every grade has colours, and all text stands out by 7:1 (WCAG 2.2, 1.4.6)', () => {
  for (const { grade } of gradeBands) {
    assert.ok(badgeColours[grade]);
  }
  for (const [name, { ground, text }] of Object.entries({ ...badgeColours, ...labelLooks })) {
    assert.ok(contrast(ground, text) >= 7, name);
  }
});

test('a label from outside stays text, on one line, and not too long', () => {
  const labels: [string, string][] = [
    ['</text><script>alert(1)</script>', '</text><script>alert(1)</script>'],
    ['" onload="alert(1)', '" onload="alert(1)'],
    ["a & b 'c' &lt;", "a & b 'c' &lt;"],
    ['two\r\nlines\tand\u2028more', 'two lines and more'],
    ['\u202eturned\u202c \u200bhidden\u{e0041}', 'turned hidden'],
    ['null\u0000 and \ud800 half', 'null and \ufffd half'],
    ['x'.repeat(60), `${'x'.repeat(39)}…`],
    ['', ''],
  ];
  for (const [given, shown] of labels) {
    const svg = toBadgeSvg({ label: given, score: 90, grade: 'exemplary' });
    const elements = elementsOf(svg);
    assert.equal(elements.find(({ name }) => name === 'text')?.text, shown);
    assert.deepEqual([...new Set(elements.map(({ name }) => name))], ['svg', 'title', 'rect', 'path', 'g', 'text']);
    assert.ok(elements.every(({ attributes }) => Object.keys(attributes).every((name) => !name.startsWith('on'))));
    assert.match(svg, /^[\t\n\u0020-\ud7ff\ue000-\ufffd]*$/, 'holds only what XML allows');
  }
});

test('a badge says the same in each style, and looks different', () => {
  const badges = badgeStyles.map((style) => toBadgeSvg({ label: 'a', score: 85, grade: gradeOf(85) }, style));
  assert.equal(new Set(badges).size, badgeStyles.length);
  const wordsOf = (svg: string) => elementsOf(svg).map(({ name, text, attributes }) => [name, text, attributes['x']]);
  const [paper = '', ...others] = badges;
  for (const other of others) {
    assert.deepEqual(
      wordsOf(other).filter(([name]) => name !== 'path'),
      wordsOf(paper).filter(([name]) => name !== 'path'),
    );
  }
});

test('what is no score is refused', () => {
  for (const score of [-1, 101, 1.5, Number.NaN]) {
    assert.throws(() => toBadgeSvg({ label: 'a', score, grade: 'exemplary' }), /is not an integer from 0 to 100/);
  }
});
