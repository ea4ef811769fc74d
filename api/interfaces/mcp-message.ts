import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { handshakeVersions, mcpVersions, statelessVersion } from '../catalog/to-mcp.ts';

type RequestId = string | number;

/** Codes of JSON-RPC 2.0 section 5.1, and those that MCP 2026-07-28 defines beside them. */
export const errorCodes = {
  notJson: -32700,
  invalidRequest: -32600,
  unknownMethod: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

/** A message that is refused: a JSON-RPC error with the HTTP status that goes with it. */
export class RpcError extends Error {
  readonly code: number;
  readonly status: number;
  readonly id: RequestId | undefined;
  readonly data: unknown;

  constructor(code: number, message: string, options: { status: number; id?: RequestId | undefined; data?: unknown }) {
    super(message);
    this.code = code;
    this.status = options.status;
    this.id = options.id;
    this.data = options.data;
  }
}

/** A request or, without an id, a notification; checked against the headers that came with it. */
export interface RpcMessage {
  id: RequestId | undefined;
  method: string;
  params: Record<string, unknown>;
  /** Whether it stands alone, as since 2026-07-28, or belongs to a conversation that began with `initialize`. */
  isStateless: boolean;
}

const Message = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

const Id = z.object({ id: z.union([z.string(), z.int()]) });

const metaKey = (name: string): string => `io.modelcontextprotocol/${name}`;

const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** A header value that may be Base64 of UTF-8 between the marks that MCP gives it. */
function decodeHeader(value: string): string {
  const encoded = /^=\?base64\?([\w+/]*={0,2})\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name];
  return Array.isArray(value) ? value.join(', ') : value;
};

/** Refuses a request whose headers say something else than its body (MCP 2026-07-28, Streamable HTTP, Server Validation). */
function checkMirrored(
  headers: IncomingHttpHeaders,
  { id, method, params }: Omit<RpcMessage, 'isStateless'>,
  version: unknown,
): void {
  const mirrored: [header: string, value: unknown][] = [
    ['MCP-Protocol-Version', version],
    ['Mcp-Method', method],
    ...(method === 'tools/call' ? [['Mcp-Name', params['name']] satisfies [string, unknown]] : []),
  ];
  for (const [name, value] of mirrored) {
    const header = headerOf(headers, name.toLowerCase());
    if (header === undefined || (name === 'Mcp-Name' ? decodeHeader(header) : header) !== value) {
      const said = header === undefined ? 'is missing' : `says ${JSON.stringify(header.slice(0, 100))}`;
      throw new RpcError(
        errorCodes.headerMismatch,
        `The header ${name} ${said}, and the body says ${JSON.stringify(value)?.slice(0, 100) ?? 'nothing'}. They have to agree.`,
        { status: 400, id },
      );
    }
  }
}

/**
 * Reads the body of a POST as one message of MCP, of the revision that it names itself. Throws an RpcError for what is
 * none, for a revision that is not spoken, and where headers and body disagree. A message without a revision belongs to
 * one of the revisions that begin with `initialize`.
 */
export function readMessage(body: unknown, headers: IncomingHttpHeaders): RpcMessage {
  if (Array.isArray(body)) {
    throw new RpcError(errorCodes.invalidRequest, 'Batches are not taken. Send each message in a POST of its own.', {
      status: 400,
    });
  }
  const parsed = Message.safeParse(body);
  const given = Id.safeParse(body).data?.id;
  if (!parsed.success) {
    throw new RpcError(
      errorCodes.invalidRequest,
      'The body is no request and no notification: send an object with jsonrpc "2.0", a method, and an id that is a string or a whole number.',
      { status: 400, id: given },
    );
  }
  const { id, method, params = {} } = parsed.data;
  const meta = asRecord(params['_meta']);
  const version = meta[metaKey('protocolVersion')];
  const header = headerOf(headers, 'mcp-protocol-version');
  const isStateless = version !== undefined || header === statelessVersion;
  const requested = isStateless ? (version ?? header) : header;
  const isSpoken = isStateless ? requested === statelessVersion : handshakeVersions.includes(String(requested));
  if (requested !== undefined && !isSpoken) {
    throw new RpcError(errorCodes.unsupportedVersion, 'Unsupported protocol version', {
      status: 400,
      id,
      data: { supported: mcpVersions, requested: String(requested).slice(0, 100) },
    });
  }
  if (isStateless && id !== undefined) {
    checkMirrored(headers, { id, method, params }, version);
    const capabilities = meta[metaKey('clientCapabilities')];
    if (typeof capabilities !== 'object' || capabilities === null) {
      throw new RpcError(
        errorCodes.invalidParams,
        `params._meta has no ${metaKey('clientCapabilities')}; an empty object is enough.`,
        { status: 400, id },
      );
    }
  }
  return { id, method, params, isStateless };
}
