import type { Identification } from '#almanac/identification.ts';
import { identifyUserAgent } from '#almanac/identify.ts';

export type { AddressFinding, CallerKind, Identification, Proof } from '#almanac/identification.ts';

/**
 * Says what a User-Agent claims to be, who operates it, and how to prove it. It looks nothing up: no DNS, no network. With
 * an address, IPv4 or IPv6, it compares the published ranges that came with the package; when that copy is older than 30
 * days, `ip.in_published_ranges` is "stale" and not a boolean. Takes any string, and reads the first 1,024 characters.
 */
export function identify(userAgent: string | null | undefined, ip?: string | null): Identification {
  return identifyUserAgent(userAgent ?? '', ip === undefined || ip === null ? {} : { ip });
}
