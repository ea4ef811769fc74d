import type { AuditService } from '../audits/service.ts';
import type { Counters } from '../stores/counters.ts';
import type { Directory, Listing } from './store.ts';
import { recheckPolicy } from './time.ts';

const day = 24 * 60 * 60 * 1000;

/** What came of a look: nobody was due, no result could be had for now, or what the audit meant for the member. */
export type Recheck = { id: string; outcome: 'kept' | 'marked' | 'delisted' | 'later' };

/** Audits the members of the directory again, one at a time and after everybody else's audits. */
export interface Rechecker {
  /** Audits the member that has waited longest, if one is due. Resolves whatever the site does. */
  lookOnce(): Promise<Recheck | null>;
  /** Audits one member now. Null when there is none with this id. */
  check(id: string): Promise<Recheck | null>;
  /** Ends the looking, and the audit that runs. */
  close(): Promise<void>;
}

/** The members whose check is due, the longest overdue first. Pure. */
export function dueMembers(listings: readonly Listing[], now: Date): Listing[] {
  const before = now.getTime() - recheckPolicy.everyDays * day;
  const due = listings.filter(({ checked_at }) => Date.parse(checked_at) <= before);
  return due.toSorted((one, other) => (one.checked_at < other.checked_at ? -1 : 1));
}

/** Whether a member that has failed again has done so for too long. Pure. */
export const isOverdue = ({ below_since }: Listing, now: Date): boolean =>
  below_since !== null && now.getTime() - Date.parse(below_since) >= recheckPolicy.graceDays * day;

/** Builds the rechecker and begins to look. `counters` see to it that of several instances one audits a member. */
export function openRechecker({
  directory,
  auditService,
  counters,
  now,
  onError,
}: {
  directory: Directory;
  auditService: Pick<AuditService, 'start' | 'toTarget'>;
  counters: Counters;
  now: () => Date;
  onError(error: unknown): void;
}): Rechecker {
  const ending = new AbortController();
  let running: Promise<unknown> = Promise.resolve();

  async function certifiedBy(member: Listing): Promise<'later' | 'below' | { score: number; grade: string }> {
    try {
      const target = auditService.toTarget(`${member.url}/`);
      const result = await auditService.start(target, { signal: ending.signal, client: null });
      if (result.kind !== 'report') {
        return 'below';
      }
      const { certifiable, final_url, score, grade } = result.report;
      return certifiable && new URL(final_url).origin === member.url ? { score, grade } : 'below';
    } catch (error) {
      // A full queue, a service that stops, a fault of ours: it says nothing about the site.
      if (!ending.signal.aborted) {
        onError(error);
      }
      return 'later';
    }
  }

  async function audit(member: Listing): Promise<Recheck> {
    const { id, url, tier } = member;
    const found = await certifiedBy(member);
    const at = now().toISOString();
    if (found === 'later') {
      return { id, outcome: 'later' };
    }
    if (found !== 'below') {
      await directory.put({ url, tier, ...found, certified_at: at });
      return { id, outcome: 'kept' };
    }
    if (isOverdue(member, now())) {
      await directory.remove(id);
      return { id, outcome: 'delisted' };
    }
    await directory.mark(id, at);
    return { id, outcome: 'marked' };
  }

  const rechecker: Rechecker = {
    async lookOnce() {
      // A member whose audit couldn't be made stays due: within the hour its turn goes to the next one.
      for (const member of dueMembers(directory.list(), now())) {
        const { granted } = await counters.take(`recheck ${member.id}`, { limit: 1, windowSeconds: 3600 });
        if (granted) {
          return audit(member);
        }
      }
      return null;
    },

    async check(id) {
      const member = directory.get(id);
      return member === null ? null : audit(member);
    },

    async close() {
      clearInterval(timer);
      ending.abort();
      await running;
    },
  };

  const look = (): void => {
    running = running.then(() => rechecker.lookOnce()).catch(onError);
  };
  const timer = setInterval(look, recheckPolicy.lookMinutes * 60_000).unref();
  return rechecker;
}
