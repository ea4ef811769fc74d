import type { Tool } from '../contract/tool.ts';
import { toCallAddress, toCurl } from './to-curl.ts';

/** A request in one language, complete: it runs as it is. */
export interface RequestSample {
  id: 'curl' | 'javascript' | 'python';
  title: string;
  /** The language of the code, for highlighting. */
  language: 'bash' | 'javascript' | 'python';
  code: string;
}

/** A string as JavaScript and Python both read it. */
const literal = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const toJavaScript = (tool: Tool, input: Record<string, unknown>, address: string): string => {
  const options =
    tool.method === 'GET'
      ? ''
      : [
          ', {',
          `  method: '${tool.method}',`,
          "  headers: { 'Content-Type': 'application/json' },",
          `  body: JSON.stringify(${JSON.stringify(input, null, 2).replaceAll('\n', '\n  ')}),`,
          '}',
        ].join('\n');
  return `const response = await fetch(${literal(address)}${options});\nconsole.log(await response.json());`;
};

const toPython = (tool: Tool, input: Record<string, unknown>, address: string): string =>
  tool.method === 'GET'
    ? [
        'import json',
        'from urllib.request import urlopen',
        '',
        `with urlopen(${literal(address)}) as response:`,
        '    print(json.dumps(json.load(response), indent=2))',
      ].join('\n')
    : [
        'import json',
        'from urllib.request import Request, urlopen',
        '',
        `body = json.dumps(${JSON.stringify(input, null, 4)}).encode()`,
        `request = Request(${literal(address)}, body, {'Content-Type': 'application/json'}, method='${tool.method}')`,
        'with urlopen(request) as response:',
        '    print(json.dumps(json.load(response), indent=2))',
      ].join('\n');

/**
 * The call of an operation with its example, as a command and as code that needs no packages: Node.js 18 or a browser,
 * and Python 3. The members of the examples are strings and whole numbers, which both languages write alike.
 */
export function toRequests(tool: Tool, baseUrl: string): RequestSample[] {
  const input = tool.example ?? {};
  const address = toCallAddress(tool, tool.method === 'GET' ? input : {}, baseUrl);
  return [
    { id: 'curl', title: 'curl', language: 'bash', code: toCurl(tool, baseUrl) },
    { id: 'javascript', title: 'JavaScript', language: 'javascript', code: toJavaScript(tool, input, address) },
    { id: 'python', title: 'Python', language: 'python', code: toPython(tool, input, address) },
  ];
}
