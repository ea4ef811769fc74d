import type { IncomingHttpHeaders } from 'node:http';
import type { Logger } from 'pino';
import type { Almanac } from '#almanac/almanac.ts';
import type { Config } from './config.ts';

/** What a tool may touch. */
export interface ToolContext {
  config: Config;
  almanac: Almanac;
  /** The present moment; tests set it. */
  now(): Date;
}

/** What a tool may know of the request that called it. */
export interface ToolRequest {
  method: string;
  /** The path with its query, as the client sent it. */
  target: string;
  httpVersion: string;
  headers: IncomingHttpHeaders;
  /** Names and values in the order received, as Node gives them. */
  rawHeaders: string[];
  /** The client's address: of the connection, or from X-Forwarded-For behind the trusted proxy. */
  clientAddress: string;
}

/** What the application is built from. */
export interface AppContext extends ToolContext {
  log: Logger;
  limits: Limits;
  /** Folder with the built site (`client/`, `server/`), or null when the sidecar runs without one. */
  distDir: string | null;
}

/** Requests allowed for one client address in one window. */
export interface Limits {
  read: { count: number; windowSeconds: number };
}

/** The limits of the service as it runs. */
export const defaultLimits: Limits = { read: { count: 600, windowSeconds: 60 } };
