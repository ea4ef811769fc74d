import type { Protocol } from '#almanac/datasets/protocols.ts';
import { type Relationship, type RelationshipKind, relationshipKinds, toRelationships } from './relationships.ts';
import { round } from './round.ts';
import { textWidth } from './text-width.ts';

type Layer = Protocol['layer'];
type Side = 'left' | 'right';

/** A protocol on the map: its name is outside its column's bar, its threads leave the bar towards the middle. */
export interface MapNode {
  id: string;
  name: string;
  layer: Layer;
  side: Side;
  /** The bar: x of both columns' inner edge, y of its middle, and its height, which grows with the number of threads. */
  x: number;
  y: number;
  barHeight: number;
  /** Where the name begins and how wide it is at most. */
  textX: number;
  textWidth: number;
  degree: number;
  /** Path of all its threads and a stroke under the name at each far end: what lights up when a reader points at it. */
  lit: string;
}

/** The head of a layer: where its name is and how many protocols it has. */
export interface MapLayer {
  layer: Layer;
  side: Side;
  x: number;
  y: number;
  count: number;
}

/** The threads of one kind as one path, and what marks their ends as another. */
export interface MapThreads {
  kind: RelationshipKind;
  count: number;
  path: string;
  heads: string;
}

/** The whole picture in the units of its view box. */
export interface ProtocolMap {
  width: number;
  height: number;
  fontSize: number;
  layers: MapLayer[];
  nodes: MapNode[];
  threads: MapThreads[];
  relationships: Relationship[];
}

const width = 760;
const fontSize = 14;
const rowPitch = 26;
const headPitch = 44;
/** Between a name and its bar, and between a bar and the first bend of a thread. */
const nameGap = 8;
const portPitch = 2.4;
const barMost = 21;

/** Layers are on facing pages: odd ones left, even ones right, and a last odd one on the shorter page. */
function toSides(layers: readonly Layer[], counts: ReadonlyMap<Layer, number>): Map<Layer, Side> {
  const rows = { left: 0, right: 0 };
  return new Map(
    layers.map((layer, index) => {
      const unpaired = index === layers.length - 1 && index % 2 === 0;
      const shorter: Side = rows.left <= rows.right ? 'left' : 'right';
      const side: Side = unpaired ? shorter : index % 2 === 0 ? 'left' : 'right';
      rows[side] += counts.get(layer) ?? 0;
      return [layer, side] as const;
    }),
  );
}

/** Gives each id its row: y by id, from the order within each layer. */
function toRows(order: ReadonlyMap<Layer, readonly string[]>, sides: ReadonlyMap<Layer, Side>) {
  const next = { left: 0, right: 0 };
  const rows = new Map<string, number>();
  const heads = new Map<Layer, number>();
  for (const [layer, ids] of order) {
    const side = sides.get(layer) ?? 'left';
    const top = next[side] + (next[side] === 0 ? 22 : headPitch);
    heads.set(layer, top);
    ids.forEach((id, index) => {
      rows.set(id, top + (index + 1) * rowPitch);
    });
    next[side] = top + ids.length * rowPitch;
  }
  return { rows, heads, height: Math.max(next.left, next.right) + 14 };
}

/** Orders the protocols of each layer so that threads are short: neighbours' means first, then swaps while they help. */
function toOrder(
  start: ReadonlyMap<Layer, readonly string[]>,
  sides: ReadonlyMap<Layer, Side>,
  links: readonly Relationship[],
): Map<Layer, string[]> {
  const order = new Map<Layer, string[]>([...start].map(([layer, ids]) => [layer, [...ids]]));
  const cost = (): number => {
    const { rows } = toRows(order, sides);
    return links.reduce((sum, { from, to }) => sum + Math.abs((rows.get(from) ?? 0) - (rows.get(to) ?? 0)), 0);
  };
  const neighbours = new Map<string, string[]>();
  for (const { from, to } of links) {
    neighbours.set(from, [...(neighbours.get(from) ?? []), to]);
    neighbours.set(to, [...(neighbours.get(to) ?? []), from]);
  }
  let best = cost();
  for (let sweep = 0; sweep < 8; sweep += 1) {
    const before = best;
    for (const [layer, ids] of order) {
      const { rows } = toRows(order, sides);
      const mean = (id: string): number => {
        const near = neighbours.get(id) ?? [id];
        return near.reduce((sum, other) => sum + (rows.get(other) ?? 0), 0) / near.length;
      };
      const means = new Map(ids.map((id) => [id, mean(id)]));
      order.set(
        layer,
        [...ids].sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0)),
      );
      const sorted = cost();
      if (sorted < best) {
        best = sorted;
      } else {
        order.set(layer, ids);
      }
    }
    for (const ids of order.values()) {
      for (let index = 0; index + 1 < ids.length; index += 1) {
        ids.splice(index, 2, ids[index + 1] ?? '', ids[index] ?? '');
        const swapped = cost();
        if (swapped < best) {
          best = swapped;
        } else {
          ids.splice(index, 2, ids[index + 1] ?? '', ids[index] ?? '');
        }
      }
    }
    if (best === before) {
      break;
    }
  }
  return order;
}

interface End {
  side: Side;
  y: number;
}

/** Which of two threads leaves a bar higher, so that threads part without crossing each other at the bar. */
function departure(node: End, other: End): number {
  const rise = other.y - node.y;
  if (node.side !== other.side) {
    return rise / 1e4;
  }
  return rise < 0 ? -2 - 1 / (1 - rise) : 2 + 1 / (1 + rise);
}

/** Where each thread leaves each bar, by `id index`, and how high the bars are for it. */
function toPorts(
  records: readonly Pick<Protocol, 'id'>[],
  relationships: readonly Relationship[],
  endOf: (id: string) => End,
) {
  const ports = new Map<string, number>();
  const bars = new Map<string, { degree: number; barHeight: number }>();
  for (const { id } of records) {
    const node = endOf(id);
    const leaving = relationships.flatMap(({ from, to }, index) =>
      from === id ? [{ index, other: endOf(to) }] : to === id ? [{ index, other: endOf(from) }] : [],
    );
    leaving.sort((a, b) => departure(node, a.other) - departure(node, b.other) || a.index - b.index);
    const pitch = Math.min(portPitch, (barMost - 3) / Math.max(1, leaving.length - 1));
    leaving.forEach(({ index }, place) => {
      ports.set(`${id} ${index}`, round(node.y + (place - (leaving.length - 1) / 2) * pitch));
    });
    bars.set(id, { degree: leaving.length, barHeight: round(Math.max(4, (leaving.length - 1) * pitch + 3)) });
  }
  return { ports, bars };
}

const inward = (side: Side): number => (side === 'left' ? 1 : -1);

/** Draws a thread between two bars, and what marks its end, as paths. */
function createPen(edge: Record<Side, number>, ports: ReadonlyMap<string, number>, endOf: (id: string) => End) {
  const thread = (index: number, from: string, to: string): string => {
    const [a, b] = [endOf(from), endOf(to)];
    const y = ports.get(`${from} ${index}`) ?? a.y;
    const fall = round((ports.get(`${to} ${index}`) ?? b.y) - y);
    const x = edge[a.side];
    if (a.side !== b.side) {
      const across = (edge.right - edge.left) * inward(a.side);
      const half = Math.round(across / 2);
      return `M${x} ${y}c${half} 0 ${half} ${fall} ${across} ${fall}`;
    }
    const depth = Math.round(inward(a.side) * Math.min((edge.right - edge.left) * 0.95, 22 + Math.abs(fall) * 0.5));
    return `M${x} ${y}c${depth} 0 ${depth} ${fall} 0 ${fall}`;
  };
  /** An arrow head; a bead where a body governs; an upright stroke at both ends of rivals. Threads end level. */
  const head = (index: number, { from, predicate, to, kind }: Relationship): string => {
    const at = (id: string): [number, number, number] => {
      const { side } = endOf(id);
      return [edge[side], ports.get(`${id} ${index}`) ?? 0, inward(side)];
    };
    if (kind === 'complements') {
      return '';
    }
    if (kind === 'competes') {
      return [from, to]
        .map((id) => at(id))
        .map(([x, y, inside]) => `M${x + 5 * inside} ${round(y - 3)}v6`)
        .join('');
    }
    const [x, y, inside] = at(predicate === 'stewards' ? from : to);
    return kind === 'governed' ? `M${x + 4 * inside} ${y}h0` : `M${x + inside} ${y}l${7 * inside} -2.8v5.6z`;
  };
  return { thread, head };
}

/**
 * Lays the protocols out on two facing columns, layer by layer, with their relationships as threads in the middle.
 * Throws when a relationship names a protocol that is not among the records.
 */
export function layoutProtocolMap(
  layers: readonly Layer[],
  records: readonly Pick<Protocol, 'id' | 'name' | 'layer' | 'relationships'>[],
): ProtocolMap {
  const relationships = toRelationships(records);
  const start = new Map(
    layers.map((layer) => [layer, records.filter((row) => row.layer === layer).map(({ id }) => id)]),
  );
  const counts = new Map([...start].map(([layer, ids]) => [layer, ids.length]));
  const sides = toSides(layers, counts);
  const { rows, heads, height } = toRows(toOrder(start, sides, relationships), sides);

  const widest = (side: Side): number =>
    Math.max(
      ...records.filter(({ layer }) => sides.get(layer) === side).map(({ name }) => textWidth(name, fontSize)),
      ...layers.filter((layer) => sides.get(layer) === side).map((layer) => textWidth(`${layer} 00`, 15, 0.09)),
      0,
    );
  const edge = {
    left: Math.ceil(widest('left') + nameGap + 2),
    right: Math.floor(width - widest('right') - nameGap - 2),
  };

  const ends = new Map<string, End>();
  for (const { id, layer } of records) {
    ends.set(id, { side: sides.get(layer) ?? 'left', y: rows.get(id) ?? 0 });
  }
  const endOf = (id: string): End => {
    const end = ends.get(id);
    if (end === undefined) {
      throw new Error(`The protocol map has no place for "${id}": expected the id of a protocol.`);
    }
    return end;
  };

  const { ports, bars } = toPorts(records, relationships, endOf);

  const { thread, head } = createPen(edge, ports, endOf);

  const nameWidth = new Map(records.map(({ id, name }) => [id, Math.ceil(textWidth(name, fontSize))]));
  const textX = (id: string): number => {
    const { side } = endOf(id);
    return side === 'left' ? edge.left - nameGap - (nameWidth.get(id) ?? 0) : edge.right + nameGap;
  };
  const underName = (id: string): string =>
    `M${endOf(id).side === 'left' ? edge.left - nameGap : edge.right + nameGap} ${endOf(id).y + 8}h${Math.round((nameWidth.get(id) ?? 0) * 0.94) * -inward(endOf(id).side)}`;

  return {
    width,
    height,
    fontSize,
    layers: layers.map((layer) => {
      const side = sides.get(layer) ?? 'left';
      const x = edge[side] - inward(side) * nameGap;
      return { layer, side, x, y: (heads.get(layer) ?? 0) - 2, count: counts.get(layer) ?? 0 };
    }),
    nodes: records
      .map(({ id, name, layer }): MapNode => {
        const { side, y } = endOf(id);
        const bar = bars.get(id) ?? { degree: 0, barHeight: 0 };
        const lit = relationships
          .flatMap(({ from, to }, index) =>
            from === id || to === id ? [thread(index, from, to) + underName(from === id ? to : from)] : [],
          )
          .join('');
        return {
          id,
          name,
          layer,
          side,
          x: edge[side],
          y,
          ...bar,
          textX: textX(id),
          textWidth: nameWidth.get(id) ?? 0,
          lit,
        };
      })
      .sort((a, b) => layers.indexOf(a.layer) - layers.indexOf(b.layer) || a.y - b.y),
    threads: relationshipKinds.map((kind) => {
      const own = relationships.flatMap((link, index) => (link.kind === kind ? [{ link, index }] : []));
      return {
        kind,
        count: own.length,
        path: own.map(({ link, index }) => thread(index, link.from, link.to)).join(''),
        heads: own.map(({ link, index }) => head(index, link)).join(''),
      };
    }),
    relationships,
  };
}
