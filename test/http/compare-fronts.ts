import type { RawResponse } from '../support/raw-http.ts';
import { members } from './contract-table.ts';

/** Headers that each front writes for itself, or that change from one request to the next. */
const ownHeaders = new Set([
  'server',
  'date',
  'connection',
  'keep-alive',
  'x-request-id',
  'ratelimit',
  'ratelimit-policy',
  'transfer-encoding',
  // The sidecar opens reads to other origins; nginx says the same on every answer.
  'access-control-allow-origin',
  'access-control-expose-headers',
  'cross-origin-resource-policy',
]);

/** Headers that follow from the wording of a body which each front writes for itself. */
const bodyHeaders = new Set(['content-length', 'content-type', 'content-encoding', 'vary']);

/** The headers that are the same from all fronts. `ownBody` is whether each front writes the body itself. */
export function comparable(response: RawResponse, ownBody = false): Record<string, string> {
  const names = [...new Set(response.lines.map(([name]) => name))];
  return Object.fromEntries(
    names
      .filter((name) => !ownHeaders.has(name) && !(ownBody && bodyHeaders.has(name)))
      .map((name) => [
        name,
        name === 'vary' ? members(response.header(name)).join(', ') : String(response.header(name)),
      ])
      .sort(([a], [b]) => String(a).localeCompare(String(b))),
  );
}
