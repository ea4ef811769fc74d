import { oncePerContent } from './once-per-exchange.ts';

/** A text read as JSON: the value, or why there is none. */
export type JsonFacts = { value: unknown; problem: null } | { value: null; problem: string };

const maxDepth = 100;

/** How deep arrays and objects nest, without regard to whether the text is valid. */
function nestingOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charCodeAt(index);
    if (inString) {
      if (character === 0x5c) {
        index += 1;
      } else if (character === 0x22) {
        inString = false;
      }
    } else if (character === 0x22) {
      inString = true;
    } else if (character === 0x5b || character === 0x7b) {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (character === 0x5d || character === 0x7d) {
      depth -= 1;
    }
  }
  return deepest;
}

/** Reads JSON from outside. Nesting beyond 100 levels is refused: whoever walks the value would run out of stack. */
export function toJson(text: string): JsonFacts {
  if (text.trim() === '') {
    return { value: null, problem: 'The body is empty.' };
  }
  if (nestingOf(text) > maxDepth) {
    return { value: null, problem: `The JSON nests deeper than ${maxDepth} levels.` };
  }
  try {
    return { value: JSON.parse(text), problem: null };
  } catch (error) {
    return { value: null, problem: `Not JSON: ${error instanceof Error ? error.message : String(error)}.` };
  }
}

/** The body of an exchange as JSON. */
export const jsonOf = oncePerContent((exchange) => toJson(exchange.body));

/**
 * Descends into a JSON value by keys (and `*` for each element of an array or value of an object) and returns all that
 * is there: `find(card, 'remotes', '*', 'url')`. Own properties only.
 */
export function find(value: unknown, ...path: string[]): unknown[] {
  const [key, ...rest] = path;
  if (key === undefined) {
    return [value];
  }
  if (typeof value !== 'object' || value === null) {
    return [];
  }
  if (key === '*') {
    return Object.values(value).flatMap((child) => find(child, ...rest));
  }
  return Object.hasOwn(value, key) ? find((value as Record<string, unknown>)[key], ...rest) : [];
}

/** The strings among what `find` returns. */
export const findStrings = (value: unknown, ...path: string[]): string[] =>
  find(value, ...path).filter((found): found is string => typeof found === 'string');
