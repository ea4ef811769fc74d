import { isIP } from 'node:net';
import { domainToUnicode } from 'node:url';
import { reasonNotPublic } from './public-address.ts';

/** Which addresses a fetch may go to. */
export interface TargetPolicy {
  /** Ports allowed beyond 80 and 443. */
  ports: number[];
  /**
   * Hosts that may be private, for people who audit their own machine: `host` (on the allowed ports) or `host:port`
   * (on that port). Matched exactly; IPv6 in brackets.
   */
  allowPrivate: string[];
}

/** The policy of a public service: ports 80 and 443 of public hosts. */
export const publicPolicy: TargetPolicy = { ports: [], allowPrivate: [] };

/** What is wrong with a target. */
export type TargetRefusal =
  | 'not-a-url'
  | 'too-long'
  | 'scheme'
  | 'user-info'
  | 'port'
  | 'single-label-host'
  | 'special-use-host'
  | 'invalid-host'
  | 'private-address';

/** Thrown when an address may not be fetched. The message is a sentence for the person who typed it. */
export class TargetRefused extends Error {
  readonly code: TargetRefusal;
  constructor(code: TargetRefusal, message: string) {
    super(message);
    this.name = 'TargetRefused';
    this.code = code;
  }
}

const maxUrlCharacters = 2048;

// RFC 6761 and its registry, RFC 9476 (alt), RFC 8375 (home.arpa), ICANN's internal, and names that private networks
// use for themselves. `example.com` and its kin are not here: they are real hosts.
const specialUseSuffixes = [
  'alt',
  'arpa',
  'corp',
  'example',
  'home',
  'internal',
  'intranet',
  'invalid',
  'lan',
  'local',
  'localdomain',
  'localhost',
  'mail',
  'onion',
  'private',
  'test',
];

const normalizedEntry = (entry: string): string => {
  const match = /^(.*?)(:\d+)?$/.exec(entry);
  const [host = '', port = ''] = [match?.[1], match?.[2]];
  return URL.canParse(`http://${host}`) ? `${new URL(`http://${host}`).hostname}${port}` : entry.toLowerCase();
};

const portOf = (url: URL): number => Number(url.port || (url.protocol === 'https:' ? 443 : 80));

const hostsByPolicy = new WeakMap<readonly string[], ReadonlySet<string>>();

/** The hosts that a policy names, read once for all addresses that are checked against it. */
function namedHosts({ allowPrivate }: TargetPolicy): ReadonlySet<string> {
  const known = hostsByPolicy.get(allowPrivate) ?? new Set(allowPrivate.map(normalizedEntry));
  hostsByPolicy.set(allowPrivate, known);
  return known;
}

const allowedByHost = (url: URL, policy: TargetPolicy): boolean => namedHosts(policy).has(url.hostname);

const allowedByPort = (url: URL, policy: TargetPolicy): boolean =>
  namedHosts(policy).has(`${url.hostname}:${portOf(url)}`);

/** True when the policy names this host (or host and port) as one that may be private. */
export const mayBePrivate = (url: URL, policy: TargetPolicy): boolean =>
  allowedByHost(url, policy) || allowedByPort(url, policy);

/** The address in a URL's host, without the brackets of IPv6, or null when the host is a name. */
export const literalAddress = (url: URL): string | null => {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  return isIP(host) === 0 ? null : host;
};

function checkName(host: string): void {
  const labels = host.split('.');
  if (host.length > 253 || labels.some((label) => label === '' || label.length > 63)) {
    throw new TargetRefused('invalid-host', `The host ${host.slice(0, 80)} is not a valid domain name.`);
  }
  if (!/^[a-z0-9_-]+(\.[a-z0-9_-]+)*$/.test(host)) {
    throw new TargetRefused('invalid-host', `The host ${host.slice(0, 80)} has characters that no domain name has.`);
  }
  const last = labels.at(-1) ?? '';
  if (specialUseSuffixes.includes(last)) {
    throw new TargetRefused('special-use-host', `Names under ".${last}" do not exist on the public internet.`);
  }
  if (labels.length < 2) {
    throw new TargetRefused('single-label-host', `The host ${host} is one label: give the full domain name.`);
  }
}

/**
 * Reads an absolute http or https address that a stranger typed or a site sent, and checks all of it that can be checked
 * without looking the name up. Decimal, octal and hexadecimal forms of an IPv4 address, full-width digits and percent
 * escapes come out of the URL parser as the address they mean, and are checked as that. Internationalised hosts come
 * out in ASCII. The fragment is dropped, trailing dots of the host too. Throws TargetRefused.
 */
export function parseTarget(text: string, policy: TargetPolicy): URL {
  if (text.length > maxUrlCharacters) {
    throw new TargetRefused(
      'too-long',
      `The address has ${text.length} characters; at most ${maxUrlCharacters} are read.`,
    );
  }
  // The URL parser would drop tabs and line ends and turn backslashes into slashes: what was typed must be what is meant.
  if (/[\u0000-\u0020\u007f\\]/.test(text)) {
    throw new TargetRefused('not-a-url', 'The address contains a space, a backslash or a control character.');
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== undefined && scheme !== 'http' && scheme !== 'https' && text.includes('://')) {
    throw new TargetRefused('scheme', `The scheme "${scheme}" is not fetched: give an http or https address.`);
  }
  if (!/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) {
    throw new TargetRefused('not-a-url', 'Give an absolute address such as https://example.com/.');
  }
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || /^[^:]+:\/\/[^/?#]*@/.test(text)) {
    throw new TargetRefused('user-info', 'The address carries a user name or password: leave it out.');
  }
  url.hash = '';
  const bare = url.hostname.replace(/\.+$/, '');
  if (bare !== url.hostname) {
    if (bare === '') {
      throw new TargetRefused('invalid-host', 'The address names no host.');
    }
    url.hostname = bare;
  }
  if (url.href.length > maxUrlCharacters) {
    throw new TargetRefused(
      'too-long',
      `The address is longer than ${maxUrlCharacters} characters once it is encoded.`,
    );
  }
  const port = portOf(url);
  if (port !== 80 && port !== 443 && !policy.ports.includes(port) && !allowedByPort(url, policy)) {
    throw new TargetRefused('port', `Port ${port} is not fetched: only 80 and 443 are.`);
  }
  if (mayBePrivate(url, policy)) {
    return url;
  }
  const address = literalAddress(url);
  if (address === null) {
    checkName(url.hostname);
    return url;
  }
  const reason = reasonNotPublic(address);
  if (reason !== null) {
    throw new TargetRefused('private-address', `The address ${address} ${reason}.`);
  }
  return url;
}

/** A host for people: `bücher.example (xn--bcher-kva.example)` where the two differ, since letters can deceive. */
export function toDisplayHost(url: URL): string {
  const unicode = domainToUnicode(url.hostname);
  return unicode === '' || unicode === url.hostname ? url.host : `${unicode} (${url.host})`;
}
