import { pathParameters, type Tool, toHttpTwin } from '../contract/tool.ts';

/** Quotes a word for a POSIX shell. */
const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

/** The address of a call of a GET tool, with its path and query filled in from the input. */
export function toCallAddress(tool: Tool, input: Record<string, unknown>, baseUrl: string): string {
  const inPath = pathParameters(tool);
  const path = tool.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(input[name])));
  const url = new URL(path, baseUrl);
  for (const name of toHttpTwin(tool).query ?? []) {
    if (!inPath.includes(name) && input[name] !== undefined) {
      url.searchParams.set(name, String(input[name]));
    }
  }
  return url.href;
}

/** A command that calls the HTTP twin of a tool with its example. */
export function toCurl(tool: Tool, baseUrl: string): string {
  const input = tool.example ?? {};
  const address = quote(toCallAddress(tool, input, baseUrl));
  if (tool.method === 'GET') {
    return `curl -s ${address}`;
  }
  return `curl -s ${address} \\\n  -H 'Content-Type: application/json' \\\n  -d ${quote(JSON.stringify(input))}`;
}
