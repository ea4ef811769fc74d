import { registrableDomain } from '../fetch/registrable-domain.ts';
import { mayBePrivate, type TargetPolicy } from '../fetch/target.ts';
import type { Counters } from '../stores/counters.ts';
import { TooManyAudits } from './errors.ts';
import { auditPolicy } from './policy.ts';

/** How often sites are audited, whoever asks: an audit costs its site up to 60 requests. */
export interface SiteBudget {
  /**
   * What an address belongs to, whatever its scheme, subdomain, path and query: its registrable domain. A host that the
   * configuration names is a site of its own on each port.
   */
  siteOf(url: URL): string;
  /**
   * Counts an audit of a host and of its site. Resolves with what takes it back, for an audit that sent nothing. Throws
   * TooManyAudits when either is used up, StorageUnavailable when nothing can be counted. Hosts that the configuration
   * names are the operator's own, and are not counted.
   */
  take(url: URL): Promise<() => Promise<void>>;
}

/** Builds the budget; windows begin with the first audit in them. */
export function createSiteBudget({
  policy,
  counters,
  now,
}: {
  policy: TargetPolicy;
  counters: Counters;
  now: () => Date;
}): SiteBudget {
  const isOwn = (url: URL): boolean => mayBePrivate(url, policy);
  const { perHost, perDomain, budgetSeconds } = auditPolicy;

  async function count(kind: 'host' | 'domain', name: string, limit: number): Promise<() => Promise<void>> {
    const key = `audited-${kind} ${name}`;
    const { granted, endsAt } = await counters.take(key, { limit, windowSeconds: budgetSeconds });
    if (!granted) {
      const seconds = Math.max(1, Math.ceil((endsAt - now().getTime()) / 1000));
      throw new TooManyAudits(
        `${name} was audited ${limit} times within an hour, which is as often as it is.`,
        seconds,
      );
    }
    return () => counters.giveBack(key, endsAt);
  }

  return {
    siteOf: (url) => (isOwn(url) ? url.host : registrableDomain(url)),

    async take(url) {
      if (isOwn(url)) {
        return async () => undefined;
      }
      const giveBackHost = await count('host', url.hostname, perHost);
      try {
        const giveBackDomain = await count('domain', registrableDomain(url), perDomain);
        return async () => {
          await giveBackDomain();
          await giveBackHost();
        };
      } catch (error) {
        await giveBackHost();
        throw error;
      }
    },
  };
}
