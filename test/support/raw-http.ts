import { once } from 'node:events';
import { connect } from 'node:net';

/** A response as it came over the wire: nothing decoded but the chunks of its body. */
export interface RawResponse {
  status: number;
  /** `HTTP/1.1`, or an empty string when the server answered without a status line. */
  version: string;
  /** Every header line in its order, names in lower case. */
  lines: readonly (readonly [name: string, value: string])[];
  /** The value of a header; several lines of one name are joined by a comma (RFC 9110 section 5.3). */
  header(name: string): string | undefined;
  body: Buffer;
}

/** What is sent: a request line and headers as they stand, and a body. */
export interface RawRequest {
  method?: string;
  target?: string;
  /** `HTTP/1.1` unless told; null sends the request line without a version. */
  version?: string | null;
  /** Header lines; a name may come twice. `Host` and `Connection: close` are added unless they are among them. */
  headers?: readonly (readonly [name: string, value: string])[];
  body?: string | Buffer;
  /** Sends these bytes and nothing else. */
  bytes?: string | Buffer;
  /** The address of this machine that the request comes from. */
  localAddress?: string;
  /** Leaves out the `Host` header. */
  withoutHost?: boolean;
}

const silenceSeconds = 15;

function toBytes(request: RawRequest, host: string): Buffer {
  if (request.bytes !== undefined) {
    return Buffer.from(request.bytes as string, 'latin1');
  }
  const { method = 'GET', target = '/', version = 'HTTP/1.1', headers = [], body = '' } = request;
  const has = (name: string): boolean => headers.some(([given]) => given.toLowerCase() === name);
  const lines = [
    `${method} ${target}${version === null ? '' : ` ${version}`}`,
    ...(request.withoutHost || has('host') ? [] : [`Host: ${host}`]),
    ...(has('connection') ? [] : ['Connection: close']),
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length > 0 && !has('content-length') && !has('transfer-encoding')
      ? [`Content-Length: ${Buffer.byteLength(body)}`]
      : []),
  ];
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)]);
}

function unchunk(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf('\r\n', at);
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16);
    if (end === -1 || Number.isNaN(size)) {
      throw new Error(`a chunk of the body has no size at byte ${at}`);
    }
    parts.push(bytes.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
  return Buffer.concat(parts);
}

/** Reads a response that the end of the connection closes. */
function toResponse(bytes: Buffer): RawResponse {
  const end = bytes.indexOf('\r\n\r\n');
  const head = bytes.toString('latin1', 0, end === -1 ? 0 : end);
  const [first = '', ...rest] = head.split('\r\n');
  const status = /^(HTTP\/\d\.\d) (\d{3})(?: |$)/.exec(first);
  if (status === null) {
    // HTTP/0.9 has a body and nothing else.
    return { status: 0, version: '', lines: [], header: () => undefined, body: bytes };
  }
  if (status[2] === '100') {
    return toResponse(bytes.subarray(end + 4));
  }
  const lines = rest.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
  });
  const header = (name: string): string | undefined => {
    const values = lines.filter(([given]) => given === name.toLowerCase()).map(([, value]) => value);
    return values.length === 0 ? undefined : values.join(', ');
  };
  const body = bytes.subarray(end + 4);
  return {
    status: Number(status[2]),
    version: String(status[1]),
    lines,
    header,
    body: header('transfer-encoding') === 'chunked' ? unchunk(body) : body,
  };
}

/**
 * Sends one request over a connection of its own and reads until the server closes it. Throws when the server stays
 * silent for 15 seconds, so that no test hangs, or closes without a byte.
 */
export async function exchange(origin: string, request: RawRequest): Promise<RawResponse> {
  const { hostname, port, host } = new URL(origin);
  const { localAddress } = request;
  const socket = connect({
    host: hostname,
    port: Number(port),
    ...(localAddress === undefined ? {} : { localAddress }),
  });
  const chunks: Buffer[] = [];
  let failure: Error | undefined;
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', (error) => {
    failure = error;
  });
  socket.setTimeout(silenceSeconds * 1000, () => {
    socket.destroy(new Error(`${origin} did not answer ${request.method ?? 'GET'} within ${silenceSeconds} s`));
  });
  socket.write(toBytes(request, host));
  await once(socket, 'close').catch((cause: unknown) => {
    failure = cause as Error;
  });
  // A server that refuses a long request may reset the connection after its answer; the answer counts.
  if (chunks.length === 0) {
    throw new Error(`${origin} closed the connection without an answer`, { cause: failure });
  }
  if (failure !== undefined && !/ECONNRESET|EPIPE/.test(String((failure as NodeJS.ErrnoException).code))) {
    throw failure;
  }
  return toResponse(Buffer.concat(chunks));
}
