import ipaddr from 'ipaddr.js';

/**
 * The network that counts as one client: an IPv4 address, also one that is mapped into IPv6, or the /64 of an IPv6
 * address, since one customer usually gets at least that much. What is no IP address counts as it is written.
 */
export function toClientNetwork(address: string): string {
  if (!ipaddr.isValid(address)) {
    return address;
  }
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 4).join(':')}::/64` : parsed.toString();
}

/**
 * The network that counts as one where a few slots are shared: an IPv4 address, or the /48 of an IPv6 address, which is
 * what one site is given (RFC 6177) and holds 65,536 of those above.
 */
export function toWideNetwork(address: string): string {
  if (!ipaddr.isValid(address)) {
    return address;
  }
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, 3).join(':')}::/48` : parsed.toString();
}
