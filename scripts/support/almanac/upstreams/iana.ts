import type { Protocol } from '#almanac/datasets/protocols.ts';
import { type Comparison, type Fields, goneEntries, type Upstream } from '../upstream.ts';

const id = 'iana';
const wellKnown = 'https://www.iana.org/assignments/well-known-uris/well-known-uris-1.csv';
const relations = 'https://www.iana.org/assignments/link-relations/link-relations-1.csv';

/** The first columns that each registry has, by which its shape is recognised. */
const firstColumn: ReadonlyMap<string, string> = new Map([
  [wellKnown, 'URI Suffix'],
  [relations, 'Relation Name'],
]);

/** The rows of a CSV document (RFC 4180): fields in quotes may hold commas, line ends and doubled quotes. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    row.push(quoted === undefined ? (bare ?? '') : quoted.replaceAll('""', '"'));
    if (end !== ',') {
      rows.push(row);
      row = [];
    }
    if (end === '') {
      break;
    }
  }
  return rows.filter((cells) => cells.length > 1);
}

/** The names below `/.well-known/` and the link relations that a record's discovery names. */
function namesOf({ discovery_endpoint: endpoint }: Protocol): { address: string; name: string }[] {
  const text = endpoint ?? '';
  return [
    ...[...text.matchAll(/\/\.well-known\/([A-Za-z0-9._-]+[A-Za-z0-9])/g)].map(([, name = '']) => ({
      address: wellKnown,
      name,
    })),
    ...[...text.matchAll(/rel="([a-z-]+)"/g)].map(([, name = '']) => ({ address: relations, name })),
  ];
}

export const iana: Upstream = {
  id,
  title: 'IANA registries',
  licence: 'CC0 (https://www.iana.org/help/licensing-terms)',
  compares:
    'Whether the well-known names and link relations that protocols use were registered or dropped since the last run.',
  cited: null,
  addresses: () => [...firstColumn.keys()],
  parse: (text, address) => {
    const [header = [], ...rows] = parseCsv(text);
    if (header[0] !== firstColumn.get(address)) {
      throw new Error(`it has another shape: the first column is ${JSON.stringify((header[0] ?? '').slice(0, 60))}`);
    }
    const referenceColumn = header.indexOf('Reference');
    const entries = rows.flatMap((row): [string, Fields][] =>
      row[0] === undefined || row[0] === '' ? [] : [[row[0], { reference: row[referenceColumn] ?? null }]],
    );
    if (entries.length === 0) {
      throw new Error('it has no entries');
    }
    return { address, version: null, entries: Object.fromEntries(entries) };
  },
  compare: (editions, known) => {
    const result: Comparison = { findings: [], covered: [] };
    for (const edition of editions) {
      const before = known.previous[edition.address];
      const gone = goneEntries(edition, known);
      for (const protocol of known.records.protocols) {
        for (const { address, name } of namesOf(protocol)) {
          const isHere = address === edition.address;
          const isNew =
            isHere && before !== undefined && Object.hasOwn(edition.entries, name) && !Object.hasOwn(before, name);
          if (isNew || (isHere && gone.includes(name))) {
            result.findings.push({
              id: `${id}/${isNew ? 'new' : 'gone'}/${name}`,
              kind: isNew ? 'new' : 'gone',
              upstream: id,
              source: address,
              message: `${isNew ? 'has registered' : 'no longer has'} ${name}, which ${protocol.name} uses`,
              record: { dataset: 'protocols', id: protocol.id },
            });
          }
        }
      }
    }
    return result;
  },
};
