/** The three representations of a page, by the names the rest of the code uses. */
export type Representation = 'html' | 'markdown' | 'json';

export const mediaTypes: Record<Representation, string> = {
  html: 'text/html',
  markdown: 'text/markdown',
  json: 'application/json',
};

/** A q-value as thousandths, 0 to 1000 (RFC 9110 section 12.4.2), or undefined when it is not one. */
function parseQuality(text: string): number | undefined {
  const match = /^(?:0(?:\.(\d{0,3}))?|1(?:\.0{0,3})?)$/.exec(text);
  if (match === null) {
    return undefined;
  }
  return text.startsWith('1') ? 1000 : Number((match[1] ?? '').padEnd(3, '0'));
}

interface MediaRange {
  /** Lower-case `type/subtype`, either of which may be `*`. */
  type: string;
  quality: number;
  parameters: boolean;
}

// Parameters may be empty (RFC 9110 section 5.6.6). White space is allowed in one place only, so that no header is slow.
const element =
  /^[ \t]*([!#$%&'*+.^_`|~\w-]+\/[!#$%&'*+.^_`|~\w-]+)((?:[ \t]*;(?:[ \t]*[^\s;,="]+=(?:"(?:[^"\\]|\\.)*"|[^\s;,"]*))?)*)[ \t]*$/;

/** The elements of a comma-separated header; commas inside quoted strings do not separate. */
const splitList = (header: string): string[] => header.match(/(?:[^",]|"(?:[^"\\]|\\.)*"?)+/g) ?? [];

/** Reads an Accept header (RFC 9110 section 12.5.1). An element that is not a media range is passed over. */
function parseAccept(header: string): MediaRange[] {
  return splitList(header).flatMap((part) => {
    const match = element.exec(part);
    if (match?.[1] === undefined) {
      return [];
    }
    const parameters = [...(match[2] ?? '').matchAll(/;[ \t]*([^\s;,="]+)=("(?:[^"\\]|\\.)*"|[^\s;,"]*)/g)];
    const weight = parameters.findIndex(([, name]) => name?.toLowerCase() === 'q');
    const quality = weight === -1 ? 1000 : parseQuality(parameters[weight]?.[2] ?? '');
    const named = weight === -1 ? parameters.length > 0 : weight > 0;
    return quality === undefined ? [] : [{ type: match[1].toLowerCase(), quality, parameters: named }];
  });
}

interface Preference {
  quality: number;
  named: boolean;
}

/** What the header says of one type: the most specific range that matches it counts (RFC 9110 section 12.5.1). */
function preferenceFor(ranges: MediaRange[], type: string): Preference {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  const range =
    ranges.find((candidate) => candidate.type === type && !candidate.parameters) ??
    ranges.find((candidate) => candidate.type === type) ??
    ranges.find((candidate) => candidate.type === family) ??
    ranges.find((candidate) => candidate.type === '*/*');
  return range === undefined ? { quality: 0, named: false } : { quality: range.quality, named: range.type === type };
}

/** How many headers are remembered, and how long they may be. */
const remembered = { headers: 300, characters: 200 };

/** A function of a header that remembers its results: few headers come again and again, and reading one takes as long as a short answer. */
function rememberByHeader<Result>(read: (header: string) => Result): (header: string) => Result {
  const results = new Map<string, Result>();
  return (header) => {
    const known = results.get(header);
    if (known !== undefined) {
      return known;
    }
    const result = read(header);
    if (header.length <= remembered.characters) {
      if (results.size >= remembered.headers) {
        results.clear();
      }
      results.set(header, result);
    }
    return result;
  };
}

/** The order at equal q: a named type beats a wildcard; named, markdown beats HTML beats JSON; else HTML comes first. */
const rank: Record<Representation, { named: number; wildcard: number }> = {
  markdown: { named: 6, wildcard: 2 },
  html: { named: 5, wildcard: 3 },
  json: { named: 4, wildcard: 1 },
};

/**
 * Chooses the representation for an Accept header, or `none` when HTML is refused by name and no twin is allowed.
 * A header that is missing, empty or names only other types gets the HTML: a reader is not turned away.
 */
export const negotiateRepresentation = (accept: string | undefined): Representation | 'none' =>
  accept === undefined || accept.trim() === '' ? 'html' : readAccept(accept);

const readAccept = rememberByHeader((accept): Representation | 'none' => {
  const ranges = parseAccept(accept);
  let best: { representation: Representation; score: number } | undefined;
  for (const representation of ['html', 'markdown', 'json'] as const) {
    const { quality, named } = preferenceFor(ranges, mediaTypes[representation]);
    const score = quality * 10 + rank[representation][named ? 'named' : 'wildcard'];
    if (quality > 0 && (best === undefined || score > best.score)) {
      best = { representation, score };
    }
  }
  if (best !== undefined) {
    return best.representation;
  }
  const html = preferenceFor(ranges, mediaTypes.html);
  return html.named && html.quality === 0 ? 'none' : 'html';
});

/** The representation that the ending of a path speaks of: `.json`, or `.md` and `.txt`; undefined for every other. */
export function representationOfEnding(path: string): 'markdown' | 'json' | undefined {
  return path.endsWith('.json') ? 'json' : /\.(?:md|txt)$/.test(path) ? 'markdown' : undefined;
}

/**
 * Chooses the representation of the answer that there is nothing at a path: the one that its ending speaks of, unless
 * `Accept` leaves that out, and else the one that `Accept` chooses. An error may be sent whatever is refused.
 */
export function negotiateMissing(path: string, accept: string | undefined): Representation {
  const ending = representationOfEnding(path);
  if (ending !== undefined) {
    const isOpen = accept === undefined || accept.trim() === '';
    if (isOpen || preferenceFor(parseAccept(accept), mediaTypes[ending]).quality > 0) {
      return ending;
    }
  }
  const representation = negotiateRepresentation(accept);
  return representation === 'none' ? 'html' : representation;
}

export type ContentCoding = 'br' | 'gzip' | 'identity';

/**
 * Chooses the content coding (RFC 9110 section 12.5.3): brotli where it is named with q above 0, else gzip, else none.
 * The smaller form wins whatever the order of the q-values, and `*` is not read as a wish for either: both as nginx's
 * static modules do it.
 */
export const negotiateCoding = (acceptEncoding: string | undefined): ContentCoding =>
  acceptEncoding === undefined ? 'identity' : readAcceptEncoding(acceptEncoding);

const readAcceptEncoding = rememberByHeader((acceptEncoding): ContentCoding => {
  const accepted = new Set(
    splitList(acceptEncoding).flatMap((part) => {
      const match = /^[ \t]*([\w*-]+)[ \t]*(?:;[ \t]*q=([\d.]+)[ \t]*)?$/i.exec(part);
      const quality = match === null ? 0 : parseQuality(match[2] ?? '1');
      return match?.[1] !== undefined && (quality ?? 0) > 0 ? [match[1].toLowerCase()] : [];
    }),
  );
  return accepted.has('br') ? 'br' : accepted.has('gzip') ? 'gzip' : 'identity';
});
