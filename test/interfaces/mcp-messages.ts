import assert from 'node:assert/strict';
import { statelessVersion } from '#api/catalog/to-mcp.ts';
import { serve } from './mcp-served.ts';

export type Json = Record<string, unknown>;

export const asData = { 'porchlight/format': 'json' };
export const clientInfo = { name: 'test', version: '1' };
export const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

export const origin = await serve();

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  id: unknown;
  result: Json;
  error: { code: number; message: string; data?: Json };
}

/** Sends a body as it is. */
export async function send(body: string, headers: Record<string, string> = {}, at = origin): Promise<Answer> {
  const response = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const { id, result, error } = (isJson ? JSON.parse(text) : {}) as Pick<Answer, 'id' | 'result' | 'error'>;
  return { status: response.status, headers: response.headers, text, id, result, error };
}

export const message = (method: string, params?: Json, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

/** A request of a client that began with `initialize`. */
export const ask = (method: string, params?: Json, at = origin): Promise<Answer> =>
  send(message(method, params), { 'mcp-protocol-version': '2025-11-25' }, at);

/** A call that asks for data beside the text. */
export const call = (name: string, given?: Json, at = origin): Promise<Answer> =>
  ask('tools/call', { name, ...(given === undefined ? {} : { arguments: given }), _meta: asData }, at);

/** A call as most clients make it; its text. */
export async function textOf(name: string, given: Json = {}): Promise<{ text: string; isError: boolean }> {
  const { result } = await ask('tools/call', { name, arguments: given });
  const [content] = result['content'] as { text: string }[];
  assert.equal(
    result['isError'] === true ? undefined : result['structuredContent'],
    undefined,
    'the content comes once',
  );
  return { text: String(content?.text), isError: result['isError'] === true };
}

export const meta = (version: unknown = statelessVersion): Json => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** A request that stands alone, with the headers that mirror it; some may be other ones, or left out. */
export const askAlone = (
  method: string,
  params: Json = {},
  headers: Record<string, string | null> = {},
  id: unknown = 1,
): Promise<Answer> => {
  const mirrored: Record<string, string | null> = {
    'mcp-protocol-version': statelessVersion,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    ...headers,
  };
  const kept = Object.entries(mirrored).filter((entry): entry is [string, string] => entry[1] !== null);
  return send(message(method, { _meta: meta(), ...params }, id), Object.fromEntries(kept));
};
