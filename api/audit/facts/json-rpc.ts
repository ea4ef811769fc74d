import { mediaTypeOf } from './headers.ts';
import { type JsonFacts, toJson } from './json.ts';
import { oncePerExchange } from './once-per-exchange.ts';

/** The data of each server-sent event of a text, in order. */
const eventsOf = (text: string): string[] =>
  text
    .replaceAll('\r\n', '\n')
    .split('\n\n')
    .map((event) =>
      event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5).replace(/^ /, ''))
        .join('\n'),
    )
    .filter((data) => data !== '');

/**
 * The JSON-RPC answer of an exchange with an MCP endpoint: the body, or, of an event stream, the first event that is an
 * answer (it has a result or an error) and no notification.
 */
export const jsonRpcOf = oncePerExchange((exchange): JsonFacts => {
  if (mediaTypeOf(exchange) !== 'text/event-stream') {
    return toJson(exchange.body);
  }
  const answer = eventsOf(exchange.body)
    .map(toJson)
    .find(({ value }) => typeof value === 'object' && value !== null && ('result' in value || 'error' in value));
  return answer ?? { value: null, problem: 'The event stream holds no answer.' };
});
