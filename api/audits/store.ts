import { z } from 'zod';
import { origin } from '../http/origin.ts';
import { openStore, type StoreOptions } from '../stores/durable-store.ts';
import { createStore, type Store, type StoreDefinition } from '../stores/store.ts';

/** How much is kept: the newest reports that fit. */
export const auditsPolicy = {
  maxReports: 200,
  /** JSON of all reports together, in UTF-8. */
  maxBytes: 8 * 1024 * 1024,
  /** JSON of one report. */
  maxReportBytes: 256 * 1024,
} as const;

const storedAudit = z.strictObject({
  origin,
  recorded_at: z.iso.datetime({ precision: 3 }),
  /** The report as JSON. As text it is written and read without being looked through. */
  report: z.string(),
  /** Its length in UTF-8. */
  bytes: z.int().min(0),
});
type StoredAudit = z.infer<typeof storedAudit>;

/** Newest first. */
const auditsState = z.strictObject({ audits: z.array(storedAudit) });
type AuditsState = z.infer<typeof auditsState>;

const definition: StoreDefinition<AuditsState, StoredAudit> = {
  version: 1,
  state: auditsState,
  empty: () => ({ audits: [] }),
  apply({ audits }, change) {
    let bytes = 0;
    const kept = [change, ...audits.filter((each) => each.origin !== change.origin)].slice(0, auditsPolicy.maxReports);
    const firstTooMuch = kept.findIndex((each) => {
      bytes += each.bytes;
      return bytes > auditsPolicy.maxBytes;
    });
    return { audits: firstTooMuch === -1 ? kept : kept.slice(0, firstTooMuch) };
  },
};

/** The last audit of a site. */
export interface RecordedAudit<Report> {
  report: Report;
  /** ISO 8601, UTC, with milliseconds. */
  recorded_at: string;
  /** Whole seconds since then: the `Age` of an answer from here. */
  ageSeconds: number;
}

/** The last report on each site. Reads are answered from memory. */
export interface Audits<Report> {
  /** The last report on an origin. Null when there is none, or the one that is kept has the shape of an earlier version. */
  get(origin: string): RecordedAudit<Report> | null;
  /**
   * Keeps a report in place of the last one on this origin; resolves once it is durable. False when it is longer than
   * 256 KiB of JSON and was not kept; an earlier one then stays. Throws an Error when the origin is none,
   * StorageUnavailable when it could not be stored.
   */
  record(origin: string, report: Report): Promise<boolean>;
  /** Origins with a report, the newest report first. */
  list(): readonly { origin: string; recorded_at: string }[];
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

function toAudits<Report>(
  store: Store<AuditsState, StoredAudit>,
  { report: schema, now }: AuditsOptions<Report>,
): Audits<Report> {
  return {
    get(given) {
      const stored = store.state.audits.find((each) => each.origin === given);
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

    async record(given, report) {
      if (!origin.safeParse(given).success) {
        throw new Error(`${JSON.stringify(given)} is not an origin, as https://example.com is.`);
      }
      const text = JSON.stringify(report);
      const bytes = Buffer.byteLength(text);
      if (bytes > auditsPolicy.maxReportBytes) {
        return false;
      }
      return store.update(() => ({
        change: { origin: given, recorded_at: now().toISOString(), report: text, bytes },
        result: true,
      }));
    },

    list: () => store.state.audits.map(({ origin: site, recorded_at }) => ({ origin: site, recorded_at })),

    onChange: (listener) => store.onChange(listener),

    close: () => store.close(),
  };
}
