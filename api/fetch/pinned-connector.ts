import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';

/** Thrown by a connection that was not made; `step` says how far it got. */
export class ConnectionFailed extends Error {
  override readonly name = 'ConnectionFailed';
  readonly step: 'refused' | 'connect' | 'tls';
  constructor(step: 'refused' | 'connect' | 'tls', message: string, options?: ErrorOptions) {
    super(message, options);
    this.step = step;
  }
}

/** What a TLS handshake came to. */
export interface TlsVerdict {
  ok: boolean;
  protocol: string | null;
  error: string | null;
}

export interface PinnedConnectorOptions {
  /** The addresses that a connection to this host may go to. */
  pinned(host: string): string[] | undefined;
  timeoutMs: number;
  /** Told of each handshake, by `host:port`. */
  onTls(authority: string, verdict: TlsVerdict): void;
}

const networkCodes = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ETIMEDOUT',
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EACCES',
  'EPERM',
  'EINVAL',
  'UND_ERR_CONNECT_TIMEOUT',
]);

const canonical = (address: string | undefined): string | null =>
  address !== undefined && ipaddr.isValid(address) ? ipaddr.process(address).toNormalizedString() : null;

const codeOf = (error: Error): string => {
  const inner = error instanceof AggregateError ? error.errors.find((one) => one instanceof Error) : undefined;
  const source = 'code' in error ? error : (inner ?? error);
  return 'code' in source ? String(source.code) : source.message;
};

/**
 * A connector for undici that goes to the pinned addresses and nowhere else: the lookup answers from them, and the
 * address that the socket ended at is compared again before a byte of a plain request is written. Certificates are
 * always verified.
 */
export function createPinnedConnector({ pinned, timeoutMs, onTls }: PinnedConnectorOptions): buildConnector.connector {
  const answer: LookupFunction = (host, options, callback) => {
    const wanted = Number(String(options.family ?? 0).replace('IPv', ''));
    const entries = (pinned(host) ?? [])
      .map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
      .filter((entry) => wanted === 0 || entry.family === wanted);
    const first = entries[0];
    if (first === undefined) {
      callback(new ConnectionFailed('refused', `The host ${host} has no checked address.`), '', 0);
    } else if (options.all === true) {
      callback(null, entries);
    } else {
      callback(null, first.address, first.family);
    }
  };
  const connect = buildConnector({
    lookup: answer,
    autoSelectFamily: true,
    allowH2: false,
    rejectUnauthorized: true,
    timeout: timeoutMs,
    host: '',
    port: 0,
  });
  return (options, callback) => {
    const allowed = new Set((pinned(options.hostname) ?? []).map(canonical));
    const isTls = options.protocol === 'https:';
    const authority = `${options.hostname}:${options.port || (isTls ? 443 : 80)}`;
    connect(options, (...[error, socket]) => {
      if (error !== null) {
        const code = codeOf(error);
        const step =
          error instanceof ConnectionFailed ? error.step : !isTls || networkCodes.has(code) ? 'connect' : 'tls';
        if (step === 'tls') {
          onTls(authority, { ok: false, protocol: null, error: code });
        }
        const sentence =
          step === 'tls'
            ? `The TLS handshake with ${options.hostname} failed: ${code}.`
            : `No connection to ${options.hostname} was made: ${code}.`;
        callback(
          error instanceof ConnectionFailed ? error : new ConnectionFailed(step, sentence, { cause: error }),
          null,
        );
        return;
      }
      if (!allowed.has(canonical(socket.remoteAddress))) {
        socket.destroy();
        callback(
          new ConnectionFailed('refused', `The connection to ${options.hostname} ended at an unchecked address.`),
          null,
        );
        return;
      }
      if (socket instanceof TLSSocket) {
        onTls(authority, { ok: true, protocol: socket.getProtocol(), error: null });
      }
      callback(null, socket);
    });
  };
}
