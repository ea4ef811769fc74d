import type { Exchange } from '../../fetch/exchange.ts';

/** Makes a reader of exchanges that works once for each: twenty checks can ask, one parse is done. */
export function oncePerExchange<Facts>(read: (exchange: Exchange) => Facts): (exchange: Exchange) => Facts {
  const known = new WeakMap<Exchange, { facts: Facts }>();
  return (exchange) => {
    let found = known.get(exchange);
    if (found === undefined) {
      found = { facts: read(exchange) };
      known.set(exchange, found);
    }
    return found.facts;
  };
}
