import { AddressRefused, NameNotResolved } from './address-book.ts';
import type { Outcome } from './exchange.ts';
import { ConnectionFailed } from './pinned-connector.ts';
import { TargetRefused } from './target.ts';

/** A fetch ends here: `message` says what went wrong and at which step. */
export class FetchEnded extends Error {
  override readonly name = 'FetchEnded';
  readonly outcome: Outcome;

  constructor(outcome: Outcome, message: string, options?: ErrorOptions) {
    super(message, options);
    this.outcome = outcome;
  }
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

/** Whether the far side closed the connection before its response was complete. */
export const isClosedConnection = (error: unknown): boolean =>
  ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'].includes(codeOf(error));

/** What an error means that came up while a name was resolved, a request sent or a response read. */
export function toFetchEnded(error: unknown): FetchEnded {
  const ended = (outcome: Outcome, sentence: string) => new FetchEnded(outcome, sentence, { cause: error });
  if (error instanceof TargetRefused || error instanceof AddressRefused) {
    return ended('refused', error.message);
  }
  if (error instanceof NameNotResolved) {
    return ended('dns', error.message);
  }
  if (error instanceof ConnectionFailed) {
    return ended(error.step, error.message);
  }
  const code = codeOf(error);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return ended('headers-too-large', 'The response has more header bytes than are read.');
  }
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
    return ended('timeout', 'The response stopped coming.');
  }
  if (isClosedConnection(error)) {
    return ended('protocol', 'The connection was closed before the response was whole.');
  }
  const detail = error instanceof Error ? error.message : String(error);
  return ended('protocol', `The response is not readable: ${detail.slice(0, 200).replace(/\.$/, '')}.`);
}
