import type { Exchange } from '../../fetch/exchange.ts';

/** Makes a reader of exchanges that works once for each: twenty checks can ask, one parse is done. */
export function oncePerExchange<Facts>(read: (exchange: Exchange) => Facts): (exchange: Exchange) => Facts {
  return onceFor((exchange) => exchange, read);
}

/** The first exchange that brought a content, by the later ones that brought the same. */
const firsts = new WeakMap<Exchange, Exchange>();

/**
 * Notes that two exchanges brought the same body from the same address, so that it is held in memory once and read once by
 * what is made with `oncePerContent`. A home page comes five times in an audit.
 */
export function shareContent(exchange: Exchange, first: Exchange): void {
  exchange.body = first.body;
  firsts.set(exchange, first);
}

/** Makes a reader of what depends on the body and the address of an exchange alone: it works once for each content. */
export function oncePerContent<Facts>(read: (exchange: Exchange) => Facts): (exchange: Exchange) => Facts {
  return onceFor((exchange) => firsts.get(exchange) ?? exchange, read);
}

function onceFor<Facts>(
  keyOf: (exchange: Exchange) => Exchange,
  read: (exchange: Exchange) => Facts,
): (exchange: Exchange) => Facts {
  const known = new WeakMap<Exchange, { facts: Facts }>();
  return (exchange) => {
    const key = keyOf(exchange);
    let found = known.get(key);
    if (found === undefined) {
      found = { facts: read(key) };
      known.set(key, found);
    }
    return found.facts;
  };
}
