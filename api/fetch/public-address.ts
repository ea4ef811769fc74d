import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = [cidr: string, reason: string];

// The IANA IPv4 special-purpose address registry (RFC 6890 and its updates), multicast, and one cloud provider's host
// address. Blocks that are reachable in part (192.0.0.0/24, AS112) are refused whole: no website lives there.
const refusedV4: Range[] = [
  ['0.0.0.0/8', 'names this host or network (RFC 791)'],
  ['10.0.0.0/8', 'is private (RFC 1918)'],
  ['100.64.0.0/10', 'is shared by carriers (RFC 6598)'],
  ['127.0.0.0/8', 'is loopback (RFC 1122)'],
  ['169.254.0.0/16', 'is link-local, where clouds serve metadata (RFC 3927)'],
  ['172.16.0.0/12', 'is private (RFC 1918)'],
  ['192.0.0.0/24', 'is kept for protocols (RFC 6890)'],
  ['192.0.2.0/24', 'is for documentation (RFC 5737)'],
  ['192.31.196.0/24', 'is an AS112 sink (RFC 7535)'],
  ['192.52.193.0/24', 'is a multicast tunnel relay (RFC 7450)'],
  ['192.88.99.0/24', 'is a 6to4 relay (RFC 7526)'],
  ['192.168.0.0/16', 'is private (RFC 1918)'],
  ['192.175.48.0/24', 'is an AS112 sink (RFC 7534)'],
  ['198.18.0.0/15', 'is for benchmarks (RFC 2544)'],
  ['198.51.100.0/24', 'is for documentation (RFC 5737)'],
  ['203.0.113.0/24', 'is for documentation (RFC 5737)'],
  ['224.0.0.0/4', 'is multicast (RFC 5771)'],
  ['240.0.0.0/4', 'is reserved or broadcast (RFC 1112)'],
  ['168.63.129.16/32', 'is the host agent of a cloud provider'],
];

// Inside 2000::/3. Whatever lies outside it (loopback, mapped, NAT64, unique local, link-local, …) is refused anyway.
const refusedV6: Range[] = [
  ['2001::/32', 'is Teredo, which carries an IPv4 address (RFC 4380)'],
  ['2001:2::/48', 'is for benchmarks (RFC 5180)'],
  ['2001:10::/28', 'is ORCHID, an identifier and no locator (RFC 4843)'],
  ['2001:20::/28', 'is ORCHIDv2, an identifier and no locator (RFC 7343)'],
  ['2001::/23', 'is kept for protocols (RFC 2928)'],
  ['2001:db8::/32', 'is for documentation (RFC 3849)'],
  ['2002::/16', 'is 6to4, which carries an IPv4 address (RFC 3056)'],
  ['2620:4f:8000::/48', 'is an AS112 sink (RFC 7534)'],
  ['3ffe::/16', 'belonged to the 6bone and was given back (RFC 3701)'],
  ['3fff::/20', 'is for documentation (RFC 9637)'],
];

const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');
const v4Ranges = refusedV4.map(([cidr, reason]) => ({ cidr: ipaddr.IPv4.parseCIDR(cidr), reason }));
const v6Ranges = refusedV6.map(([cidr, reason]) => ({ cidr: ipaddr.IPv6.parseCIDR(cidr), reason }));

/**
 * Says why an address must not be connected to on behalf of a stranger, or null when it may be. Takes IPv4 in dotted
 * decimal and IPv6 without a zone id; anything else is refused. The reason reads on after "the address 10.0.0.1 …".
 */
export function reasonNotPublic(address: string): string | null {
  const family = address.includes('%') ? 0 : isIP(address);
  if (family === 4) {
    const parsed = ipaddr.IPv4.parse(address);
    return v4Ranges.find(({ cidr }) => parsed.match(cidr))?.reason ?? null;
  }
  if (family !== 6) {
    return 'is not a plain IPv4 or IPv6 address';
  }
  const parsed = ipaddr.IPv6.parse(address);
  if (!parsed.match(globalUnicast)) {
    return 'is outside the global unicast space 2000::/3 (RFC 4291)';
  }
  // RFC 5214 section 6.1: the interface id 0000:5efe or 0200:5efe carries an IPv4 address that a router tunnels to.
  if (parsed.parts[5] === 0x5efe && (parsed.parts[4] === 0 || parsed.parts[4] === 0x0200)) {
    return 'is ISATAP, which carries an IPv4 address (RFC 5214)';
  }
  return v6Ranges.find(({ cidr }) => parsed.match(cidr))?.reason ?? null;
}

/** True when an address is a public unicast one that may be connected to on behalf of a stranger. */
export const isPublicAddress = (address: string): boolean => reasonNotPublic(address) === null;
