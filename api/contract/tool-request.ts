import type { IncomingHttpHeaders } from 'node:http';
import type { SignatureReport } from './signature-report.ts';

/** What a tool may know of the request that called it. */
export interface ToolRequest {
  method: string;
  /** The path with its query, as the client sent it. */
  target: string;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  /** Names and values in the order received, as Node gives them. */
  rawHeaders: string[];
  /** Whether it is a call over MCP, which agents make and people don't. */
  isOverMcp: boolean;
  /** The client's address: of the connection, or from X-Forwarded-For behind the trusted proxy. */
  clientAddress: string;
  /** The id of the request in the log. */
  requestId: string;
  /** Aborted when the client disconnects before it is answered. */
  disconnected: AbortSignal;
  /** Tells the caller in the RateLimit headers what is left of an allowance, before it is used up. */
  announce(
    policy: { name: string; limit: number; windowSeconds: number },
    left: { remaining: number; resets_at: string },
  ): void;
  /** The verdict on the signature of the request, which is verified at the first call only. */
  signature(): Promise<SignatureReport>;
}
