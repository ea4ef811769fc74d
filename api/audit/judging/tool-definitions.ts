import { findStrings } from '../facts/json.ts';
import { isObject, isText } from './claims.ts';

/** What is wrong with the definition of a tool, for WebMCP and MCP alike; null when nothing is. */
export function flawOfTool(tool: unknown): string | null {
  const [name] = findStrings(tool, 'name');
  if (!isObject(tool) || name === undefined) {
    return 'a tool has no name';
  }
  const short = name.slice(0, 60);
  if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) {
    return `the name "${short}" has characters that are not allowed`;
  }
  if (!isText(tool['description'])) {
    return `${short} has no description`;
  }
  const schema = tool['inputSchema'];
  if (!isObject(schema) || schema['type'] !== 'object') {
    return `${short} has no inputSchema of type object`;
  }
  const properties = schema['properties'] ?? {};
  const required = schema['required'] ?? [];
  if (!isObject(properties) || !Array.isArray(required)) {
    return `the inputSchema of ${short} has properties or required of a wrong type`;
  }
  const missing = required.find((key) => typeof key !== 'string' || !Object.hasOwn(properties, key));
  return missing === undefined ? null : `${short} requires ${String(missing).slice(0, 60)}, which it does not define`;
}

/** What is wrong with a list of tools, one sentence part for each, a name that is there twice included. */
export function flawsOfTools(tools: unknown[]): string[] {
  const names = tools.flatMap((tool) => findStrings(tool, 'name'));
  const seen = new Set<string>();
  const twice = names.find((name) => seen.size === seen.add(name).size);
  return [
    ...tools.map(flawOfTool).filter((flaw) => flaw !== null),
    ...(twice === undefined ? [] : [`the name "${twice.slice(0, 60)}" is there twice`]),
  ];
}
