import type { Exchange } from '../../fetch/exchange.ts';
import type { Evidence } from '../evidence.ts';
import { find } from '../facts/json.ts';
import { jsonRpcOf } from '../facts/json-rpc.ts';
import { isObject } from './claims.ts';

/** What the endpoint answered to those of our calls that came to an answer. */
export const mcpAnswers = (evidence: Evidence): Exchange[] =>
  (['mcp-tools-session', 'mcp-tools', 'mcp-initialize', 'mcp-discover'] as const)
    .map((name) => evidence.exchanges[name] ?? null)
    .filter((exchange): exchange is Exchange => exchange?.outcome === 'ok');

/** The call that brought a list of tools, in a session or without one; null when none did. */
export function toolsAnswer(evidence: Evidence): { exchange: Exchange; tools: unknown[] } | null {
  for (const name of ['mcp-tools', 'mcp-tools-session'] as const) {
    const exchange = evidence.exchanges[name];
    const list = exchange === undefined ? undefined : find(jsonRpcOf(exchange).value, 'result', 'tools')[0];
    if (exchange !== undefined && Array.isArray(list)) {
      return { exchange, tools: list };
    }
  }
  return null;
}

/** True for an answer of JSON-RPC, a result or an error. */
export function isJsonRpc(exchange: Exchange): boolean {
  const { value } = jsonRpcOf(exchange);
  return isObject(value) && value['jsonrpc'] === '2.0' && ('result' in value || 'error' in value);
}
