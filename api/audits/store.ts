import { z } from 'zod';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';
import { type AuditResult, auditResult, resultsKept, toPageKey } from './history.ts';

/** How much is kept: the newest reports that fit. */
export const auditsPolicy = {
  maxReports: 200,
  /** Pages of one origin that have a report, the home page among them. */
  maxReportsOfOrigin: 4,
  /** JSON of all reports together, in UTF-8. */
  maxBytes: 8 * 1024 * 1024,
  /** JSON of one report. */
  maxReportBytes: 256 * 1024,
  /** Addresses that are remembered to lead to a page. */
  maxAsked: 8,
  /** Home pages whose last results are kept. */
  maxHistories: 1000,
} as const;

const address = z.url({ protocol: /^https?$/ }).max(2048);

const storedAudit = z.strictObject({
  /** Where the page was found, see toPageKey. */
  home: address,
  /** The addresses that led there, the newest first. */
  asked: z.array(address).max(auditsPolicy.maxAsked),
  recorded_at: z.iso.datetime({ precision: 3 }),
  /** Whether enough could be judged. */
  isFull: z.boolean(),
  /** The report as JSON. As text it is written and read without being looked through. */
  report: z.string(),
  /** Its length in UTF-8. */
  bytes: z.int().min(0),
});
type StoredAudit = z.infer<typeof storedAudit>;

const storedHistory = z.strictObject({ home: address, results: z.array(auditResult).max(resultsKept) });
type StoredHistory = z.infer<typeof storedHistory>;

/** Both newest first. */
const auditsState = z.strictObject({ audits: z.array(storedAudit), histories: z.array(storedHistory) });
type AuditsState = z.infer<typeof auditsState>;

/** A report that is kept, a result that is added to the history of its page, or both. */
interface AuditsChange {
  audit: StoredAudit | null;
  history: { home: string; result: AuditResult } | null;
}

function withAudit(audits: readonly StoredAudit[], added: StoredAudit): StoredAudit[] {
  const { origin } = new URL(added.home);
  const isOfOrigin = ({ home }: StoredAudit): boolean => new URL(home).origin === origin;
  const others = audits.filter(({ home }) => home !== added.home);
  // The home page of an origin stays, whatever else is audited there.
  const further = others.filter((each) => isOfOrigin(each) && each.home !== `${origin}/`);
  const dropped = new Set(further.slice(auditsPolicy.maxReportsOfOrigin - 2));
  let bytes = 0;
  const kept = [added, ...others.filter((each) => !dropped.has(each))].slice(0, auditsPolicy.maxReports);
  const firstTooMuch = kept.findIndex((each) => {
    bytes += each.bytes;
    return bytes > auditsPolicy.maxBytes;
  });
  return firstTooMuch === -1 ? kept : kept.slice(0, firstTooMuch);
}

function withResult(
  histories: readonly StoredHistory[],
  { home, result }: { home: string; result: AuditResult },
): StoredHistory[] {
  const results = histories.find((each) => each.home === home)?.results ?? [];
  return [
    { home, results: [result, ...results].slice(0, resultsKept) },
    ...histories.filter((each) => each.home !== home),
  ].slice(0, auditsPolicy.maxHistories);
}

/** A state of version 1 had one report for an origin, and no histories. */
const firstState = z.object({
  audits: z.array(z.object({ origin: z.string(), recorded_at: z.string(), report: z.string(), bytes: z.int() })),
});
const anyReport = z.object({ url: address, final_url: address, provisional: z.boolean() });

const definition: StoreDefinition<AuditsState, AuditsChange> = {
  version: 2,
  state: auditsState,
  empty: () => ({ audits: [], histories: [] }),
  apply: ({ audits, histories }, { audit, history }) => ({
    audits: audit === null ? audits : withAudit(audits, audit),
    histories: history === null ? histories : withResult(histories, history),
  }),
  migrate(state) {
    const audits = firstState.parse(state).audits.flatMap(({ recorded_at, report, bytes }): StoredAudit[] => {
      const read = anyReport.safeParse(JSON.parse(report));
      return read.success
        ? [
            {
              home: toPageKey(read.data.final_url),
              asked: [toPageKey(read.data.url)],
              recorded_at,
              isFull: !read.data.provisional,
              report,
              bytes,
            },
          ]
        : [];
    });
    return {
      audits: audits.filter(({ home }, index) => audits.findIndex((each) => each.home === home) === index),
      histories: [],
    };
  },
};

/** A host without what people leave out: `example.com` for `www.example.com`, whatever the scheme. */
const bareHost = (page: string): string => new URL(page).host.replace(/^www\./, '');

/** What a report is about, and what is kept of it beyond the report. */
export interface RecordedAbout {
  /** Where the page was found. */
  home: string;
  /** The address that was asked for. */
  asked: string;
  /** Added to the history of the page; null for a result that could be judged too little. */
  result: AuditResult | null;
}

/** The last audit of a page. */
export interface RecordedAudit<Report> {
  report: Report;
  /** ISO 8601, UTC, with milliseconds. */
  recorded_at: string;
  /** Whole seconds since then: the `Age` of an answer from here. */
  ageSeconds: number;
}

/** The last report on each page that sites were audited at, and the results of before. Reads are answered from memory. */
export interface Audits<Report> {
  /**
   * The last report on an address: of that page, else of the page to which the address led, else of the home page of its
   * host (with or without www, whatever the scheme), else of the host at all. Null when there is none, or the one that is
   * kept has the shape of an earlier version.
   */
  get(url: string): RecordedAudit<Report> | null;
  /** The last results of a page, by where it was found, the newest first. */
  results(home: string): readonly AuditResult[];
  /**
   * Keeps a report in place of the last one on its page, and its result; resolves once both are durable. False when the
   * report is not kept, and an earlier one stays: it is longer than 256 KiB of JSON, or too little could be judged where
   * the earlier one is full. Throws an Error when an address is none, StorageUnavailable when it could not be stored.
   */
  record(about: RecordedAbout, report: Report): Promise<boolean>;
  /** Pages with a report, the newest report first. */
  list(): readonly { home: string; recorded_at: string }[];
  /** Calls back after each change. Returns the function that ends it. */
  onChange(listener: () => void): () => void;
  close(): Promise<void>;
}

interface AuditsOptions<Report> {
  /** What a report is: checked when one is read. */
  report: z.ZodType<Report>;
  now: () => Date;
}

/** Opens the reports; see openStore for what it throws. */
export async function openAudits<Report>({
  report,
  now,
  ...options
}: AuditsOptions<Report> & StoreOptions): Promise<Audits<Report>> {
  return toAudits(await openStore(definition, options), { report, now });
}

/** Builds reports in memory, with the same rules, for tests. */
export function createAudits<Report>(options: AuditsOptions<Report>): Audits<Report> {
  return toAudits(createStore(definition), options);
}

/** The report that an address is answered with; see Audits.get. */
function findAudit(audits: readonly StoredAudit[], url: string): StoredAudit | undefined {
  const key = toPageKey(url);
  const { origin } = new URL(url);
  const ofHost = audits.filter(({ home }) => bareHost(home) === bareHost(url));
  return (
    audits.find(({ home }) => home === key) ??
    audits.find(({ asked }) => asked.includes(key)) ??
    ofHost.find(({ home }) => home === `${origin}/`) ??
    ofHost.find(({ home }) => new URL(home).pathname === '/' && new URL(home).search === '') ??
    ofHost.find(({ home }) => new URL(home).pathname === '/') ??
    ofHost[0]
  );
}

function toAudits<Report>(
  store: Store<AuditsState, AuditsChange>,
  { report: schema, now }: AuditsOptions<Report>,
): Audits<Report> {
  return {
    get(url) {
      const stored = findAudit(store.state.audits, url);
      if (stored === undefined) {
        return null;
      }
      const result = schema.safeParse(JSON.parse(stored.report));
      if (!result.success) {
        return null;
      }
      const ageMs = now().getTime() - Date.parse(stored.recorded_at);
      return {
        report: result.data,
        recorded_at: stored.recorded_at,
        ageSeconds: Math.max(0, Math.floor(ageMs / 1000)),
      };
    },

    results: (home) => store.state.histories.find((each) => each.home === toPageKey(home))?.results ?? [],

    async record({ home, asked, result }, report) {
      for (const given of [home, asked]) {
        if (!address.safeParse(given).success) {
          throw new Error(`${JSON.stringify(given)} is not the address of a page, as https://example.com/ is.`);
        }
      }
      const text = JSON.stringify(report);
      const bytes = Buffer.byteLength(text);
      const key = toPageKey(home);
      const isFull = result !== null;
      return store.update(({ audits }) => {
        const earlier = audits.find((each) => each.home === key);
        const isKept = bytes <= auditsPolicy.maxReportBytes && (isFull || earlier?.isFull !== true);
        const known = [toPageKey(asked), ...(earlier?.asked ?? [])];
        const audit = {
          home: key,
          asked: [...new Set(known)].slice(0, auditsPolicy.maxAsked),
          recorded_at: now().toISOString(),
          isFull,
          report: text,
          bytes,
        };
        const change = { audit: isKept ? audit : null, history: isFull ? { home: key, result } : null };
        return { change: change.audit === null && change.history === null ? null : change, result: isKept };
      });
    },

    list: () => store.state.audits.map(({ home, recorded_at }) => ({ home, recorded_at })),

    onChange: (listener) => store.onChange(listener),

    close: () => store.close(),
  };
}
