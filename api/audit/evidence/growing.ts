import type { Exchange } from '../../fetch/exchange.ts';
import type { Evidence } from '../evidence.ts';
import type { ExchangeName } from './exchange-name.ts';

/** Thrown when something is read of evidence that is still being gathered and does not have it yet. */
export class NotGathered extends Error {
  override readonly name = 'NotGathered';
  /** What is missing: a member of the evidence, or `exchanges.` and a name. `everything`: only the whole will do. */
  readonly fact: string;
  constructor(fact: string) {
    super(`${fact} has not been gathered yet.`);
    this.fact = fact;
  }
}

const wantsAll = (): never => {
  throw new NotGathered('everything');
};

/**
 * Evidence as far as it is gathered. What is read of it is what the finished evidence will say; what is not there yet
 * throws NotGathered. An exchange that is missing may still be asked for, so a pure function that returns has seen all
 * that it will ever see.
 */
export function toGrowingEvidence(
  evidence: Evidence,
  isKnown: (member: string) => boolean,
  exchange: (name: ExchangeName) => Exchange | undefined,
): Evidence {
  const exchanges = new Proxy(evidence.exchanges, {
    get(_target, name) {
      const found = exchange(String(name) as ExchangeName);
      if (found === undefined) {
        throw new NotGathered(`exchanges.${String(name)}`);
      }
      return found;
    },
    has: wantsAll,
    ownKeys: wantsAll,
  });
  return new Proxy(evidence, {
    get(target, member, receiver) {
      if (member === 'exchanges') {
        return exchanges;
      }
      if (!isKnown(String(member))) {
        throw new NotGathered(String(member));
      }
      return Reflect.get(target, member, receiver);
    },
    has: wantsAll,
    ownKeys: wantsAll,
  });
}
