import { getDomain } from 'tldts';

/**
 * What one owner can register, by the Public Suffix List with its private section: `example.co.uk` for
 * `www.example.co.uk`, `someone.github.io` for what lies below it. A host without one (an address, a public suffix, a
 * single label) is returned as it is.
 */
export const registrableDomain = ({ hostname }: URL): string =>
  getDomain(hostname, { allowPrivateDomains: true }) ?? hostname;
