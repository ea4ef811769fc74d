import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BotType } from '#almanac/datasets/crawlers.ts';
import { crawlers, models, protocols, state } from '#almanac/datasets/index.ts';
import { Layer } from '#almanac/datasets/protocols.ts';
import { Topic } from '#almanac/datasets/state.ts';
import { atLeast } from '#site/charts/at-least.ts';
import { layoutBarChart } from '#site/charts/bar-chart.ts';
import { toCsvFile, toSvgFile } from '#site/charts/chart-file.ts';
import { layoutCrawlerMatrix, toCrawlerMatrix } from '#site/charts/crawler-matrix.ts';
import { layoutLargeChart } from '#site/charts/large-chart.ts';
import { layoutProtocolMap } from '#site/charts/protocol-map.ts';
import { toRelationships } from '#site/charts/relationships.ts';
import { layoutSparkline, toMonth, toShortValue } from '#site/charts/sparkline.ts';
import { findings, seriesOf } from '#site/charts/state-findings.ts';
import { seriesTitles, toSeries } from '#site/charts/state-series.ts';
import { textWidth } from '#site/charts/text-width.ts';
import { createTimeScale, toFraction } from '#site/charts/time-scale.ts';
import { layoutTimeline, type Timeline } from '#site/charts/timeline.ts';
import { toModelEvents, toProtocolEvents } from '#site/charts/timeline-events.ts';

interface Box {
  name: string;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function assertApart(boxes: readonly Box[]): void {
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top;
      assert.ok(apart, `"${a.name}" meets "${b.name}"`);
    }
  });
}

function assertInside(boxes: readonly Box[], { width, height }: { width: number; height: number }): void {
  for (const { name, left, right, top, bottom } of boxes) {
    assert.ok(left >= 0 && right <= width && top >= 0 && bottom <= height, `"${name}" leaves the picture`);
  }
}

/** Numbers only: a coordinate that was never worked out would read NaN, undefined or Infinity. */
function assertDrawable(drawing: unknown): void {
  assert.doesNotMatch(JSON.stringify(drawing), /NaN|undefined|Infinity|null,|:null/);
}

describe('the width of text', () => {
  it('is no smaller than what the face measures', () => {
    const measured: [string, number][] = [
      ['MCP', 0.844 + 0.614 + 0.562],
      ['llms.txt', 0.253 * 2 + 0.835 + 0.405 + 0.291 + 0.331 * 2 + 0.484],
      ['GPT-4.1', 0.661 + 0.562 + 0.567 + 0.368 + 0.455 + 0.291 + 0.359],
    ];
    for (const [text, em] of measured) {
      const width = textWidth(text, 100);
      assert.ok(width >= em * 100 && width <= em * 100 * 1.2, `${text}: ${width} for ${em * 100}`);
    }
  });
});

describe('relationships', () => {
  const link = (predicate: 'governs' | 'governed_by' | 'complements', target: string) => ({
    predicate,
    target,
    note: 'n',
  });

  it('are told once, whichever end states them', () => {
    const told = toRelationships([
      { id: 'body', relationships: [link('governs', 'a')] },
      { id: 'a', relationships: [link('governed_by', 'body'), link('complements', 'b')] },
      { id: 'b', relationships: [link('complements', 'a')] },
    ]);
    assert.deepEqual(
      told.map(({ from, predicate, to, kind }) => [from, predicate, to, kind]),
      [
        ['a', 'governed_by', 'body', 'governed'],
        ['a', 'complements', 'b', 'complements'],
      ],
    );
  });
});

describe('the protocol map', () => {
  const map = layoutProtocolMap(Layer.options, protocols.records);
  const boxes = map.nodes.map((node): Box => {
    return {
      name: node.name,
      left: node.textX,
      right: node.textX + node.textWidth,
      top: node.y - 11,
      bottom: node.y + 11,
    };
  });

  it('has a place for every protocol and every layer', () => {
    assert.deepEqual(map.nodes.map(({ id }) => id).sort(), protocols.records.map(({ id }) => id).sort());
    assert.deepEqual(
      map.layers.map(({ layer }) => layer),
      Layer.options,
    );
    for (const { layer, count } of map.layers) {
      assert.equal(count, protocols.records.filter((record) => record.layer === layer).length);
    }
    assertInside(boxes, map);
    assertDrawable(map.nodes);
  });

  it('keeps names and bars apart', () => {
    assertApart(boxes);
    for (const { id, barHeight } of map.nodes) {
      assert.ok(barHeight < 26, `the bar of ${id} reaches the next row`);
    }
  });

  it('leaves 24 pixels for each link at the narrowest the picture is drawn', () => {
    const rows = map.nodes.filter(({ side }) => side === 'left').map(({ y }) => y);
    const least = Math.min(...rows.slice(1).map((y, index) => y - (rows[index] ?? 0)));
    assert.ok((least * 722) / map.width >= 24);
  });

  it('draws every relationship, inside the picture', () => {
    const relationships = toRelationships(protocols.records);
    const drawn = map.threads.flatMap(({ path }) => path.split('M').slice(1));
    assert.equal(drawn.length, relationships.length);
    assert.equal(
      map.threads.reduce((sum, { count }) => sum + count, 0),
      relationships.length,
    );
    assert.equal(
      map.nodes.reduce((sum, { degree }) => sum + degree, 0),
      relationships.length * 2,
    );
    const numbers = (text: string) => (text.match(/-?\d+(\.\d+)?/g) ?? []).map(Number);
    for (const thread of drawn) {
      const [x = -1, y = -1, bend = 0, , , , dx = 0, dy = 0] = numbers(thread);
      for (const at of [x, x + dx, x + bend * 0.75]) {
        assert.ok(at >= 0 && at <= map.width, `thread ${thread} leaves the picture`);
      }
      assert.ok(
        y >= 0 && y + dy >= 0 && y <= map.height && y + dy <= map.height,
        `thread ${thread} leaves the picture`,
      );
    }
  });

  it('joins bars of the protocols it names', () => {
    const [mcp] = map.nodes.filter(({ id }) => id === 'mcp');
    assert.ok(mcp);
    assert.equal(mcp.lit.match(/c/g)?.length, mcp.degree);
  });

  it('refuses a relationship without an end', () => {
    const broken = { id: 'a', name: 'A', layer: 'interop' as const };
    const relationships = [{ predicate: 'extends' as const, target: 'gone', note: 'n' }];
    assert.throws(() => layoutProtocolMap(Layer.options, [{ ...broken, relationships }]), /no place for "gone"/);
  });

  it('is the same each time', () => {
    assert.deepEqual(layoutProtocolMap(Layer.options, protocols.records), map);
  });
});

describe('the time scale', () => {
  it('puts a date at the middle of what it names', () => {
    const table: [string, number][] = [
      ['2025', 2025.5],
      ['2025-01', 2025 + 15.5 / 365],
      ['2025-12-31', 2025 + 364.5 / 365],
      ['2024-12', 2024 + (335 + 15.5) / 366],
    ];
    for (const [date, expected] of table) {
      assert.ok(Math.abs(toFraction(date) - expected) < 1e-9, date);
    }
    assert.throws(() => toFraction('soon'), /"soon" is not a date/);
  });

  it('fills its width, gives busy years more of it, and keeps the order', () => {
    const scale = createTimeScale(['1994', '2025-01', '2025-06', '2025-07-01', '2026-03'], 100, 700);
    const last = scale.years.at(-1);
    assert.equal(scale.years[0]?.x, 100);
    assert.ok(last && Math.abs(last.x + last.width - 700) < 1e-6);
    const widthOf = (year: number) => scale.years.find((band) => band.year === year)?.width ?? 0;
    assert.ok(widthOf(2025) > widthOf(2026) && widthOf(2026) > widthOf(2000));
    const xs = ['1994', '2025-01', '2025-06', '2025-07-01', '2026-03'].map((date) => scale.toX(date));
    assert.deepEqual(
      [...xs].sort((a, b) => a - b),
      xs,
    );
    assert.throws(() => scale.toX('1980'), /outside the time line/);
  });
});

describe('time lines', () => {
  const cases = [
    { name: 'protocols', data: toProtocolEvents(Layer.options, protocols.records), all: protocols.records },
    { name: 'models', data: toModelEvents(models.records), all: models.records },
  ];
  const boxesOf = ({ events }: Timeline): Box[] =>
    events.map(({ label, x, y, side, textX, textWidth: wide }) => ({
      name: label,
      left: side === 'right' ? x - 4 : textX - wide,
      right: side === 'right' ? textX + wide : x + 4,
      top: y - 12,
      bottom: y + 12,
    }));

  for (const { name, data, all } of cases) {
    const line = layoutTimeline(data.lanes, data.events);
    it(`shows every record of ${name}, dated or not`, () => {
      assert.equal(data.events.length + data.undated.length, all.length);
      assert.equal(new Set([...line.events, ...data.undated].map(({ href }) => href)).size, all.length);
      assert.deepEqual(
        line.lanes.map(({ label }) => label),
        data.lanes,
      );
      assertDrawable(line.events);
    });
    it(`keeps the labels of ${name} apart, in their lanes and inside the picture`, () => {
      const boxes = boxesOf(line);
      assertApart(boxes);
      assertInside(boxes, line);
      for (const event of line.events) {
        const lane = line.lanes.find(({ label }) => label === event.lane);
        assert.ok(lane && event.y - 12 >= lane.y && event.y + 12 <= lane.y + lane.height, event.label);
        assert.ok(event.x >= line.left, event.label);
      }
    });
    it(`runs from left to right in ${name} and is the same each time`, () => {
      const inTime = [...line.events].sort((a, b) => toFraction(a.date) - toFraction(b.date)).map(({ x }) => x);
      assert.deepEqual(
        [...inTime].sort((a, b) => a - b),
        inTime,
      );
      assert.deepEqual(layoutTimeline(data.lanes, data.events), line);
    });
  }

  it('makes room for many entries on one day', () => {
    const events = Array.from({ length: 30 }, (_, index) => {
      return { date: '2026-11-20', label: `A model with a long name ${index}`, href: `/${index}`, lane: 'One' };
    });
    const line = layoutTimeline(['One', 'Empty'], events);
    assertApart(boxesOf(line));
    assertInside(boxesOf(line), line);
    assert.equal(line.lanes.length, 2);
  });

  it('refuses an entry of a lane that is not drawn', () => {
    const event = { date: '2026', label: 'Stray', href: '/', lane: 'Elsewhere' };
    assert.throws(() => layoutTimeline(['One'], [event]), /"Stray" is in the lane "Elsewhere"/);
  });
});

describe('rows of their own', () => {
  it('go to all names with as many, or to none of them', () => {
    const counts = new Map([
      ['b', 5],
      ['c', 2],
      ['a', 5],
      ['d', 2],
      ['e', 1],
    ]);
    assert.deepEqual(atLeast(counts, 5), { names: ['a', 'b', 'c', 'd', 'e'], threshold: 1 });
    assert.deepEqual(atLeast(counts, 3), { names: ['a', 'b'], threshold: 3 });
    assert.deepEqual(atLeast(counts, 1), { names: [], threshold: 6 });
  });
});

describe('crawlers by operator and type', () => {
  const matrix = toCrawlerMatrix(BotType.options, crawlers.records);
  const picture = layoutCrawlerMatrix(matrix);

  it('counts every crawler once', () => {
    const sum = (list: readonly number[]) => list.reduce((total, one) => total + one, 0);
    assert.equal(matrix.total, crawlers.records.length);
    assert.equal(sum(matrix.totals), matrix.total);
    assert.equal(sum(matrix.rows.map(({ total }) => total)), matrix.total);
    for (const { label, counts, total } of matrix.rows) {
      assert.equal(sum(counts), total, label);
    }
    assert.equal(sum(picture.rows.flatMap(({ dots }) => dots.map(({ count }) => count))), matrix.total);
  });

  it('keeps dots, counts and heads apart and inside the picture', () => {
    const dots = picture.rows.flatMap(({ label, dots: own }) =>
      own.map(({ x, y, radius, count, textX }): Box => {
        const right = textX === null ? x + radius : textX + textWidth(String(count), 12.5);
        return { name: `${label} ${count}`, left: x - radius, right, top: y - radius, bottom: y + radius };
      }),
    );
    const labels = picture.rows.map(({ label, y }): Box => {
      return { name: label, left: 0, right: textWidth(label, 14), top: y - 10, bottom: y + 10 };
    });
    const heads = picture.columns.flatMap(({ lines, x }) =>
      lines.slice(-1).map((line): Box => {
        const half = textWidth(line, 12.5) / 2.1;
        return { name: line, left: x - half, right: x + half, top: 30, bottom: 50 };
      }),
    );
    assertApart([...dots, ...labels, ...heads]);
    assertInside([...dots, ...labels, ...heads], picture);
  });

  it('makes the area of a dot the count', () => {
    const dots = picture.rows.flatMap(({ dots: own }) => own);
    // Radii are rounded, which counts least in the largest dot.
    const [largest = assert.fail()] = dots.toSorted((one, other) => other.count - one.count);
    const unit = largest.radius / Math.sqrt(largest.count);
    for (const { radius, count } of dots) {
      assert.ok(Math.abs(radius - unit * Math.sqrt(count)) < 0.1, `${count}: ${radius}`);
    }
  });
});

describe('the small charts', () => {
  const series = toSeries(Topic.options, state.records);

  it('hold every series of two points or more, with all of its points', () => {
    const counted = Map.groupBy(state.records, ({ series: id }) => id);
    for (const [id, rows] of counted) {
      const shown = series.find((one) => one.id === id);
      if (id !== null && rows.length >= 2) {
        assert.deepEqual(shown?.points.map((point) => point.id).sort(), rows.map((row) => row.id).sort());
        assert.equal(new Set(rows.map(({ unit }) => unit)).size, 1, `${id} mixes units`);
      } else {
        assert.equal(shown, undefined);
      }
    }
  });

  it('have a title in words', () => {
    for (const { id } of series) {
      assert.ok(id in seriesTitles, `site/charts/state-series.ts: expected a title for "${id}"`);
    }
    assert.equal(new Set(series.map(({ title }) => title)).size, series.length);
  });

  for (const one of series) {
    it(`draw ${one.id} inside the picture, with labels apart`, () => {
      const line = layoutSparkline(one);
      const box = (label: typeof line.first, size: number): Box => {
        const wide = textWidth(label.text, size) / 1.05;
        const left = label.anchor === 'start' ? label.x : label.x - wide;
        return { name: label.text, left, right: left + wide, top: label.y - size * 0.7, bottom: label.y };
      };
      const boxes = [box(line.first, 15), box(line.last, 15), box(line.firstDate, 12), box(line.lastDate, 12)];
      assertInside(boxes, line);
      assertApart(boxes);
      assert.equal(line.dots.length, one.points.length);
      assertInside(
        line.dots.map(({ x, y }) => ({ name: one.id, left: x - 3.5, right: x + 3.5, top: y - 3.5, bottom: y + 3.5 })),
        line,
      );
    });
  }

  it('say values and dates in short', () => {
    const values: [number, string, string][] = [
      [97_000_000, 'downloads per month', '97 million'],
      [1_500_000_000, 'downloads', '1.5 billion'],
      [286_930, 'pages per referral', '286,930'],
      [-38, '% difference from other visits', '−38%'],
      [49.6, '% of traffic', '49.6%'],
    ];
    for (const [value, unit, expected] of values) {
      assert.equal(toShortValue(value, unit), expected);
    }
    assert.deepEqual(['2025', '2025-06', '2025-06-09'].map(toMonth), ['2025', 'Jun 2025', 'Jun 2025']);
  });

  it('put a figure about a year in that year', () => {
    const automated = series.find(({ id }) => id === 'imperva-automated-share');
    assert.deepEqual(
      automated?.points.map(({ at }) => at),
      ['2023', '2024', '2025'],
    );
  });

  it('refuse a single point', () => {
    const [one] = series;
    assert.ok(one);
    assert.throws(() => layoutSparkline({ ...one, points: one.points.slice(0, 1) }), /has 1 points/);
  });
});

describe('a chart as a file', () => {
  const all = toSeries(Topic.options, state.records);

  it('every drawing is well-formed, in its own box, with its title, its source and no style sheet', () => {
    for (const series of all) {
      const svg = toSvgFile(series);
      assert.match(svg, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
      assert.doesNotMatch(svg, /<style|style=|NaN|undefined|&(?!amp;|lt;|gt;|quot;)/);
      assert.equal(svg.match(/<circle /g)?.length, series.points.length, series.id);
      const [, , height = 0] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)?.map(Number) ?? [];
      const lowest = Math.max(
        ...[...svg.matchAll(/<text x="[\d.]+" y="([\d.]+)" font-size="9"/g)].map(([, y]) => Number(y)),
      );
      assert.ok(lowest < height, series.id);
    }
  });

  it('markup in a title stays text', () => {
    const [series] = all;
    assert.ok(series);
    assert.match(toSvgFile({ ...series, title: 'A <b> & "c"' }), /A &lt;b&gt; &amp; &quot;c&quot;/);
  });

  it('the figures have a row for each point, with the address of its record', () => {
    for (const series of all) {
      const lines = toCsvFile(series).trimEnd().split('\r\n');
      assert.equal(lines[0], 'series,date,value,unit,period,record');
      assert.equal(lines.length, series.points.length + 1);
      for (const [index, { id }] of series.points.entries()) {
        assert.ok(lines[index + 1]?.endsWith(`/state/${id}`));
      }
    }
  });
});

describe('the large charts', () => {
  const all = toSeries(Topic.options, state.records);

  for (const finding of findings) {
    it(`"${finding.sentence}" is what the figures say, and stops the build when they don't`, () => {
      const named = seriesOf(finding, all);
      const chart = layoutLargeChart(named, { width: 400, height: 300, names: 76 });
      assert.equal(chart.lines.length, finding.lines.length);
      assert.equal(chart.grid[0]?.text.replace('%', ''), '0', 'the axis begins at zero');
      for (const [index, { dots, last }] of chart.lines.entries()) {
        assert.equal(dots.length, named[index]?.series.points.length);
        assert.ok(dots.every(({ x, y }) => x >= chart.left && x <= chart.right && y > 0 && y < chart.height));
        assert.ok(
          chart.lines.every((other) => other.last === last || Math.abs(other.last.y - last.y) >= 18),
          'labels',
        );
      }
      const bars = layoutBarChart(named, { width: 400, height: 300 }, { value: 50, words: 'half' });
      const base = bars.grid[0]?.y ?? 0;
      for (const [index, row] of bars.bars.entries()) {
        assert.equal(row.length, named[index]?.series.points.length);
        assert.ok(row.every(({ x, width }) => width > 0 && x >= bars.left && x + width <= bars.right));
        assert.ok(
          row.every(({ y, height }) => Math.abs(y + height - base) < 0.2),
          'each bar stands on zero',
        );
      }
      const turned = all.map((series) => ({
        ...series,
        points: series.points.map((point, at) => ({ ...point, value: at === 0 ? 90 : 100 / (2 + at) })),
      }));
      const grown = turned.map((series) => ({ ...series, points: series.points.toReversed() }));
      assert.throws(() => [seriesOf(finding, turned), seriesOf(finding, grown)], /don't say/);
    });
  }

  it('a series that is gone stops the build', () => {
    assert.throws(() => findings.map((finding) => seriesOf(finding, [])), /has no series/);
  });
});
