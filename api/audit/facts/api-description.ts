import { parse } from 'yaml';
import type { Exchange } from '../../fetch/exchange.ts';
import { type JsonFacts, jsonOf, toJson } from './json.ts';
import { oncePerExchange } from './once-per-exchange.ts';

/** YAML that is longer is not read: it takes a hundred times as long as JSON. */
const longestYaml = 1024 * 1024;

/** Aliases that a document may use: an alias of aliases of aliases grows without end. */
const mostAliases = 100;

const looksLikeYaml = ({ body }: Exchange): boolean =>
  /^(?:---\s*\n)?\s*(?:#[^\n]*\n\s*)*['"]?(?:openapi|swagger)['"]?\s*:/.test(body.slice(0, 2000));

function toYamlFacts(text: string): JsonFacts {
  if (text.length > longestYaml) {
    return { value: null, problem: `The YAML is longer than ${longestYaml} characters.` };
  }
  try {
    // As JSON it has the types and the depth that every reader expects. What refers to itself has none.
    return toJson(JSON.stringify(parse(text, { maxAliasCount: mostAliases, logLevel: 'error' })));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { value: null, problem: `Not YAML: ${reason.replace(/[.:]?$/, '.')}` };
  }
}

/** A description of an API: JSON, or the YAML that OpenAPI is written in as well (OpenAPI 3.2.0, "Format"). */
export const apiDescriptionOf = oncePerExchange((exchange): JsonFacts => {
  const facts = jsonOf(exchange);
  return facts.problem !== null && looksLikeYaml(exchange) ? toYamlFacts(exchange.body) : facts;
});
