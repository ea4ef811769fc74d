import { isIPv4 } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * An IPv4 address, also one that is mapped into IPv6, or the network of an IPv6 address; what is no IP address as it is
 * written.
 */
function networkOf(address: string, bits: 48 | 64): string {
  // What most clients come from is settled without parsing it.
  if (isIPv4(address) || !ipaddr.isValid(address)) {
    return address;
  }
  const parsed = ipaddr.process(address);
  return parsed instanceof ipaddr.IPv6 ? `${parsed.parts.slice(0, bits / 16).join(':')}::/${bits}` : parsed.toString();
}

/** The network that counts as one client: the /64 of an IPv6 address, since one customer usually gets at least that much. */
export const toClientNetwork = (address: string): string => networkOf(address, 64);

/**
 * The network that counts as one where a few slots are shared: the /48 of an IPv6 address, which is what one site is given
 * (RFC 6177) and holds 65,536 of those above.
 */
export const toWideNetwork = (address: string): string => networkOf(address, 48);
