import { parse } from 'yaml';
import type { Exchange } from '../../fetch/exchange.ts';
import { type JsonFacts, jsonOf, toJson } from './json.ts';
import { oncePerContent } from './once-per-exchange.ts';

/** YAML that is longer is not read: it takes a hundred times as long as JSON. */
const longestYaml = 1024 * 1024;

/** Aliases that a document may use: an alias of aliases of aliases grows without end. */
const mostAliases = 100;

/** Levels that are read: the parser calls itself for each, and runs out of stack on a text of brackets alone. */
const maxDepth = 100;

/** True when a text may nest deeper than we read: by brackets, by dashes of one line, or by indentation. */
function isTooDeep(text: string): boolean {
  let brackets = 0;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '[' || character === '{') {
      brackets += 1;
      if (brackets > maxDepth) {
        return true;
      }
    } else if (character === ']' || character === '}') {
      brackets = Math.max(0, brackets - 1);
    }
  }
  return text
    .split('\n')
    .some((line) => /^(?: *[-?] ){101}/.test(line) || (/^ {1000}/.test(line) && line.trim() !== ''));
}

// The parser's test for repeated keys takes a time that grows with their square.
const options = { maxAliasCount: mostAliases, logLevel: 'error', uniqueKeys: false } as const;

const looksLikeYaml = ({ body }: Exchange): boolean =>
  /^(?:---\s*\n)?\s*(?:#[^\n]*\n\s*)*['"]?(?:openapi|swagger)['"]?\s*:/.test(body.slice(0, 2000));

function toYamlFacts(text: string): JsonFacts {
  if (text.length > longestYaml) {
    return { value: null, problem: `The YAML is longer than ${longestYaml} characters.` };
  }
  if (isTooDeep(text)) {
    return { value: null, problem: `The YAML nests deeper than ${maxDepth} levels.` };
  }
  try {
    // As JSON it has the types and the depth that every reader expects. What refers to itself has none.
    return toJson(JSON.stringify(parse(text, options)));
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    return { value: null, problem: `Not YAML: ${reason.replace(/[.:]?$/, '.')}` };
  }
}

/** A description of an API: JSON, or the YAML that OpenAPI is written in as well (OpenAPI 3.2.0, "Format"). */
export const apiDescriptionOf = oncePerContent((exchange): JsonFacts => {
  const facts = jsonOf(exchange);
  return facts.problem !== null && looksLikeYaml(exchange) ? toYamlFacts(exchange.body) : facts;
});
