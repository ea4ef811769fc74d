import type { Model } from '#almanac/datasets/models.ts';
import type { Protocol } from '#almanac/datasets/protocols.ts';
import { atLeast } from './at-least.ts';
import type { TimelineEvent } from './timeline.ts';

/** What a time line needs of a dataset: its rows, the dated records, and those without a confirmed date. */
export interface TimelineData {
  lanes: string[];
  events: TimelineEvent[];
  undated: { label: string; href: string }[];
}

const lanesMost = 12;
const otherMakers = 'Other makers';

/** Protocols by the date of first publication, in lanes by layer. An annotated date counts when it holds a value. */
export function toProtocolEvents(
  layers: readonly Protocol['layer'][],
  records: readonly Pick<Protocol, 'id' | 'name' | 'layer' | 'launch_date'>[],
): TimelineData {
  const all = records.map(({ id, name, layer, launch_date: launch }) => ({
    date: typeof launch === 'string' ? launch : (launch?.value ?? null),
    label: name,
    href: `/protocols/${id}`,
    lane: layer,
  }));
  return split([...layers], all);
}

/** Models by the date of release, in lanes by maker; makers with few models share the last lane. */
export function toModelEvents(records: readonly Pick<Model, 'id' | 'name' | 'provider' | 'released'>[]): TimelineData {
  const counts = new Map<string, number>();
  for (const { provider, released } of records) {
    if (released !== null) {
      counts.set(provider, (counts.get(provider) ?? 0) + 1);
    }
  }
  const makers = atLeast(counts, lanesMost).names;
  const all = records.map(({ id, name, provider, released }) => ({
    date: released,
    label: name,
    href: `/models/${id}`,
    lane: makers.includes(provider) ? provider : otherMakers,
    group: provider,
  }));
  const others = all.some(({ date, lane }) => date !== null && lane === otherMakers);
  return split([...makers, ...(others ? [otherMakers] : [])], all);
}

function split(lanes: string[], all: readonly (Omit<TimelineEvent, 'date'> & { date: string | null })[]): TimelineData {
  return {
    lanes,
    events: all.flatMap(({ date, ...event }) => (date === null ? [] : [{ ...event, date }])),
    undated: all.flatMap(({ date, label, href }) => (date === null ? [{ label, href }] : [])),
  };
}
