import { z } from 'zod';
import addressListDocument from './address-lists.json' with { type: 'json' };
import logDocument from './log.json' with { type: 'json' };

const Day = z.iso.date();

/** One document as the watcher last read it. The fields it took from it are in `seen/<upstream>.json`. */
const Read = z.strictObject({
  upstream: z.string().min(2).describe('the upstream, as scripts/support/almanac/upstreams names it'),
  day: Day.describe('the day of the run that read it'),
  version: z.string().min(1).nullable().describe('the edition it calls itself: a version, a day or a revision'),
  hash: z.string().regex(/^sha256:[0-9a-f]{64}$/),
  entries: z.int().nonnegative().describe('how many things it listed'),
});

/** What runs of the watcher saw. Only runs over the network are in it: a recorded copy proves nothing about today. */
export const WatchLog = z.strictObject({
  reads: z.record(z.string().min(8), Read).describe('by the address of the document'),
  records: z
    .record(
      z.string().regex(/^[a-z]+\/[a-z0-9.-]+$/),
      z.strictObject({ day: Day, upstreams: z.array(z.string()).min(1) }),
    )
    .describe('by "<path of the dataset>/<id>": the last day on which nothing differed, and the upstreams compared'),
});
export type WatchLog = z.infer<typeof WatchLog>;

/** The published address lists as last read, by the address they're published at. The watcher refreshes them. */
export const AddressLists = z.record(
  z.url(),
  z.strictObject({
    seen: Day.describe('the day on which the list read like this'),
    prefixes: z.array(z.union([z.cidrv4(), z.cidrv6()])).min(1),
  }),
);
export type AddressLists = z.infer<typeof AddressLists>;

export const watchLog: WatchLog = WatchLog.parse(logDocument);

export const addressLists: AddressLists = AddressLists.parse(addressListDocument);

/** The last day on which the watcher compared a record with an upstream and found no difference; null if it never has. */
export function checkedByMachine(path: string, id: string): string | null {
  const key = `${path}/${id}`;
  return Object.hasOwn(watchLog.records, key) ? (watchLog.records[key]?.day ?? null) : null;
}
