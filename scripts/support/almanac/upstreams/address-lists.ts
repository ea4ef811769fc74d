import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { type Comparison, type Edition, type Entries, type Finding, parseJson, type Upstream } from '../upstream.ts';

const id = 'address-lists';

/** More than any operator publishes today, and few enough to look through. */
const maxPrefixes = 20_000;
/** Nobody's crawler has a larger share of the address space: a wider prefix is a fault, or an attack on who trusts the list. */
const widest = { ipv4: 8, ipv6: 19 };

const Prefix = z.looseObject({
  ipv4Prefix: z.string().optional(),
  ipv6Prefix: z.string().optional(),
  ip_prefix: z.string().optional(),
  ipv6_prefix: z.string().optional(),
});
/** The form that Google began and most operators took over (draft-illyes-webbotauth-jafar). */
const PrefixList = z.looseObject({
  creationTime: z.string().optional(),
  prefixes: z.array(Prefix).min(1, 'the list is empty'),
});

/** RFC 8805: one prefix a line, then country, region, city and postal code. */
const geofeedPrefixes = (text: string): string[] =>
  text.split(/\r?\n/).flatMap((line) => (/^\s*(?:#|$)/.test(line) ? [] : [line.split(',')[0]?.trim() ?? '']));

/** The JSON in a page that shows its list inside HTML, as Amazon's do. */
function embeddedJson(html: string): string {
  const text = html.replace(/<[^>]*>/g, '').replaceAll('&quot;', '"');
  const start = text.search(/\{\s*"(?:creationTime|prefixes)"/);
  const end = text.lastIndexOf('}');
  if (start === -1 || end <= start) {
    throw new Error('it is a page without a list of prefixes');
  }
  return text.slice(start, end + 1);
}

/** One prefix in its usual form. Throws an Error for anything that isn't one, and for one that is too wide. */
function toPrefix(value: string): string {
  const text = value.includes('/') ? value : `${value}/${value.includes(':') ? 128 : 32}`;
  if (!ipaddr.isValidCIDR(text)) {
    throw new Error(`${JSON.stringify(value.slice(0, 60))} is not an address range`);
  }
  const [address, length] = ipaddr.parseCIDR(text);
  if (length < widest[address.kind()]) {
    throw new Error(`${text} is wider than /${widest[address.kind()]}, which no crawler has`);
  }
  return `${address.toString()}/${length}`;
}

function readPrefixes(text: string): { created: string | null; prefixes: string[] } {
  if (/^\s*</.test(text)) {
    return readPrefixes(embeddedJson(text));
  }
  const isGeofeed = !/^\s*[{[]/.test(text) && /^[0-9a-f.:]+\/\d+,/im.test(text);
  const list = isGeofeed ? null : parseJson(text, PrefixList);
  const values =
    list === null
      ? geofeedPrefixes(text)
      : list.prefixes.map(
          ({ ipv4Prefix, ipv6Prefix, ip_prefix, ipv6_prefix }) =>
            ipv4Prefix ?? ipv6Prefix ?? ip_prefix ?? ipv6_prefix ?? '',
        );
  if (values.length > maxPrefixes) {
    throw new Error(`it has ${values.length} prefixes, and more than ${maxPrefixes} are not taken`);
  }
  return { created: list?.creationTime ?? null, prefixes: [...new Set(values.map(toPrefix))] };
}

/** The prefixes of an edition. */
export const prefixesOf = (entries: Entries): string[] => {
  const prefixes = entries['list']?.['prefixes'];
  return Array.isArray(prefixes) ? prefixes.filter((each) => typeof each === 'string') : [];
};

function refreshed({ address, entries }: Edition, before: readonly string[]): Finding[] {
  const prefixes = prefixesOf(entries);
  const added = prefixes.filter((prefix) => !before.includes(prefix)).length;
  const dropped = before.filter((prefix) => !prefixes.includes(prefix)).length;
  return added === 0 && dropped === 0
    ? []
    : [
        {
          id: `${id}/refreshed/${address}`,
          kind: 'refreshed',
          upstream: id,
          source: address,
          message: `has ${prefixes.length} prefixes, ${added} of them new; ${dropped} are gone`,
        },
      ];
}

/** The lists that operators publish. They're data for the watcher alone: a good one replaces our copy without a person. */
export const addressListUpstream: Upstream = {
  id,
  title: 'Published address lists',
  licence: 'published by the operators to be used for this; facts, no texts',
  compares: 'Nothing: a list that reads well replaces our copy.',
  cited: null,
  addresses: ({ crawlers }) =>
    [...new Set(crawlers.flatMap(({ published_ip_range_url: url }) => (url === null ? [] : [url])))].sort(),
  parse: (text, address) => {
    const { created, prefixes } = readPrefixes(text);
    return { address, version: created, entries: { list: { prefixes } } };
  },
  compare: (editions, { records }) => {
    const result: Comparison = { findings: [], covered: [] };
    for (const edition of editions) {
      const crawlers = records.crawlers.filter(({ published_ip_range_url: url }) => url === edition.address);
      result.covered.push(...crawlers.map((crawler) => `crawlers/${crawler.id}`));
      result.findings.push(...refreshed(edition, crawlers[0]?.ip_ranges?.prefixes ?? []));
    }
    return result;
  },
};
