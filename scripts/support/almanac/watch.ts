import { createHash } from 'node:crypto';
import type { AddressLists, WatchLog } from '#almanac/watch/log.ts';
import type { AlmanacRecords } from './check.ts';
import type { DocumentReader } from './documents.ts';
import type { Edition, Entries, Finding, Upstream } from './upstream.ts';
import { addressListUpstream, prefixesOf } from './upstreams/address-lists.ts';

/** What the watcher keeps between runs. `seen` has the entries of each document, by upstream and address. */
export interface WatchState {
  log: WatchLog;
  addressLists: AddressLists;
  seen: Readonly<Record<string, Readonly<Record<string, Entries>>>>;
}

/** What a run found. */
export interface WatchReport {
  /** The day of the run, YYYY-MM-DD. */
  day: string;
  /** `network`, or `copies` for a run on recorded copies, which proves nothing about today. */
  via: 'network' | 'copies';
  upstreams: {
    id: string;
    title: string;
    licence: string;
    compares: string;
    read: number;
    unreadable: number;
    entries: number;
  }[];
  findings: Finding[];
  /** Records that no upstream speaks about, as "<dataset>/<id>". */
  unwatched: string[];
}

interface UnderstoodDocument {
  edition: Edition;
  hash: string;
}

/** Requests at once; each host sees fewer, since the documents of an upstream are in one row. */
const atOnce = 4;

/** A list this much shorter than last time is taken for a fault: nothing is concluded from it. */
const leastShare = 0.5;
const smallList = 10;

function refuseShrunk(edition: Edition, before: Entries | undefined): void {
  const [now, then] = [Object.keys(edition.entries).length, Object.keys(before ?? {}).length];
  if (then >= smallList && now < then * leastShare) {
    throw new Error(
      `it has ${now} entries and had ${then} last time: nothing is taken from it until somebody has looked`,
    );
  }
}

const unreadable = (upstream: Upstream, address: string, error: unknown): Finding => ({
  id: `${upstream.id}/unreadable/${address}`,
  kind: 'unreadable',
  upstream: upstream.id,
  source: address,
  message: error instanceof Error ? error.message : String(error),
});

async function readUpstream(
  upstream: Upstream,
  records: AlmanacRecords,
  read: DocumentReader,
  previous: Readonly<Record<string, Entries>>,
): Promise<{ documents: UnderstoodDocument[]; problems: Finding[] }> {
  const queue = upstream.addresses(records);
  const documents: UnderstoodDocument[] = [];
  const problems: Finding[] = [];
  const work = async (): Promise<void> => {
    for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
      try {
        const { text, version } = await read(address);
        const parsed = upstream.parse(text, address);
        const edition = { ...parsed, version: parsed.version ?? version };
        refuseShrunk(edition, previous[address]);
        documents.push({ edition, hash: `sha256:${createHash('sha256').update(text).digest('hex')}` });
      } catch (error) {
        problems.push(unreadable(upstream, address, error));
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  const byAddress = (one: { address: string }, other: { address: string }): number =>
    one.address < other.address ? -1 : 1;
  documents.sort((one, other) => byAddress(one.edition, other.edition));
  problems.sort((one, other) => byAddress({ address: one.source }, { address: other.source }));
  return { documents, problems };
}

const keyOf = ({ dataset, id }: { dataset: string; id: string }): string => `${dataset}/${id}`;

/** Where upstreams give different values for one field, none of them is simply right. */
function markContradictions(findings: readonly Finding[]): Finding[] {
  const places = Map.groupBy(
    findings.filter(({ difference }) => difference !== undefined),
    ({ record, difference }) => `${record === undefined ? '' : keyOf(record)}/${difference?.field}`,
  );
  const disputed = new Set(
    [...places.values()]
      .filter((group) => new Set(group.map(({ difference }) => JSON.stringify(difference?.theirs))).size > 1)
      .flat(),
  );
  return findings.map((finding) => (disputed.has(finding) ? { ...finding, kind: 'contradiction' } : finding));
}

function renewLog(log: WatchLog, run: UpstreamRun[], agreed: ReadonlyMap<string, string[]>, day: string): WatchLog {
  const reads = { ...log.reads };
  for (const { upstream, documents } of run) {
    for (const { edition, hash } of documents) {
      const entries = Object.keys(edition.entries).length;
      reads[edition.address] = { upstream: upstream.id, day, version: edition.version, hash, entries };
    }
  }
  const records = { ...log.records };
  for (const [key, upstreams] of agreed) {
    records[key] = { day, upstreams };
  }
  return { reads: sortKeys(reads), records: sortKeys(records) };
}

const sortKeys = <Value>(values: Readonly<Record<string, Value>>): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).sort(([one], [other]) => (one < other ? -1 : 1)));

interface UpstreamRun {
  upstream: Upstream;
  documents: UnderstoodDocument[];
  problems: Finding[];
  findings: Finding[];
  covered: string[];
}

/** The addresses that a record cites, by "<dataset>/<id>". */
const citedAddresses = ({ protocols, ...others }: AlmanacRecords): Map<string, string[]> =>
  new Map([
    ...protocols.map(({ id, source }): [string, string[]] => [`protocols/${id}`, [source]]),
    ...Object.entries(others).flatMap(
      ([dataset, rows]: [string, readonly { id: string; sources: { url: string }[] }[]]) =>
        rows.map(({ id, sources }): [string, string[]] => [`${dataset}/${id}`, sources.map(({ url }) => url)]),
    ),
  ]);

/** For each record that was compared and about which nothing differed: the upstreams that it was compared with. */
function agreements(
  run: readonly UpstreamRun[],
  findings: readonly Finding[],
  records: AlmanacRecords,
): Map<string, string[]> {
  const cited = citedAddresses(records);
  const disputed = new Set(findings.flatMap(({ record }) => (record === undefined ? [] : [keyOf(record)])));
  const agreed = new Map<string, string[]>();
  for (const { upstream, covered } of run) {
    for (const key of new Set(covered)) {
      const isCited = upstream.cited === null || (cited.get(key) ?? []).some((url) => upstream.cited?.test(url));
      if (isCited && !disputed.has(key)) {
        agreed.set(key, [...(agreed.get(key) ?? []), upstream.id]);
      }
    }
  }
  return agreed;
}

/**
 * Reads every upstream and compares it with the records. Nothing is written: the caller gets the report and, for a run over
 * the network, the state to keep. A document that can't be read or understood leaves what was known about it.
 */
export async function watch(
  upstreams: readonly Upstream[],
  options: { records: AlmanacRecords; state: WatchState; read: DocumentReader; day: string; via: WatchReport['via'] },
): Promise<{ report: WatchReport; state: WatchState }> {
  const { records, state, read, day, via } = options;
  const run: UpstreamRun[] = [];
  for (const upstream of upstreams) {
    const previous = state.seen[upstream.id] ?? {};
    const { documents, problems } = await readUpstream(upstream, records, read, previous);
    const editions = documents.map(({ edition }) => edition);
    run.push({ upstream, documents, problems, ...upstream.compare(editions, { records, previous, today: day }) });
  }
  const findings = markContradictions(run.flatMap(({ findings: found, problems }) => [...found, ...problems]));
  const covered = new Set(run.flatMap((each) => each.covered));
  const report: WatchReport = {
    day,
    via,
    upstreams: run.map(({ upstream: { id, title, licence, compares }, documents, problems }) => ({
      id,
      title,
      licence,
      compares,
      read: documents.length,
      unreadable: problems.length,
      entries: documents.reduce((sum, { edition }) => sum + Object.keys(edition.entries).length, 0),
    })),
    findings,
    unwatched: Object.entries(records).flatMap(([dataset, rows]: [string, readonly { id: string }[]]) =>
      rows.map(({ id }) => keyOf({ dataset, id })).filter((key) => !covered.has(key)),
    ),
  };
  return { report, state: via === 'copies' ? state : renewState(state, run, agreements(run, findings, records), day) };
}

function renewState(
  state: WatchState,
  run: UpstreamRun[],
  agreed: ReadonlyMap<string, string[]>,
  day: string,
): WatchState {
  const seen = { ...state.seen };
  const addressLists = { ...state.addressLists };
  for (const { upstream, documents } of run) {
    for (const { edition } of documents) {
      if (upstream.id === addressListUpstream.id) {
        addressLists[edition.address] = { seen: day, prefixes: prefixesOf(edition.entries) };
      } else {
        const kept = Object.entries(edition.entries).map(
          ([name, fields]) => [name, upstream.keep?.(fields) ?? fields] as const,
        );
        seen[upstream.id] = { ...seen[upstream.id], [edition.address]: Object.fromEntries(kept) };
      }
    }
  }
  return { log: renewLog(state.log, run, agreed, day), addressLists: sortKeys(addressLists), seen };
}
