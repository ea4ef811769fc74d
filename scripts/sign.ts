import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openKeyPair } from '#api/identity/signatures/key-pair.ts';
import { spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import {
  defineCommand,
  type parseCommandLine,
  processTerminal,
  type Terminal,
  UsageError,
} from './support/command-line.ts';

const defaultKeyFile = 'data/agent-key.pem';

const help = `Signs a request with Ed25519 (RFC 9421), in the form that /api/whoami of a Porchlight describes.

Usage: npm run sign -- <url> [options]

  --method <M>             the method to sign, GET by default, POST with --data
  --data <text>            a JSON body; Content-Digest is added and covered
  --key <file>             the private key (PKCS#8 PEM); made when the file does not exist
                           default: ${defaultKeyFile} in the current folder
  --print curl|headers     print only a curl command, or only the headers
  --send                   send the request and print the answer
  --help                   this text

A signature is good for one request within 300 seconds. Run the command again for the next one.
Example: npm run sign -- http://localhost:4321/api/whoami --send
`;

interface Command {
  url: URL;
  method: string;
  body: string | null;
  keyFile: string;
  print: 'curl' | 'headers' | null;
  send: boolean;
}

const options = {
  method: { type: 'string' },
  data: { type: 'string' },
  key: { type: 'string' },
  print: { type: 'string' },
  send: { type: 'boolean', default: false },
} as const;

/** The command of an argument list. Throws UsageError. */
function readCommand(
  { values, positionals }: ReturnType<typeof parseCommandLine<typeof options>>,
  cwd: string,
): Command {
  const [address, ...rest] = positionals;
  if (address === undefined || rest.length > 0) {
    throw new UsageError(`One URL is expected, ${positionals.length} were given.`);
  }
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${JSON.stringify(address)} is not an absolute http or https URL.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError('The URL holds a user name or password, which is not supported.');
  }
  url.hash = '';
  const method = values.method ?? (values.data === undefined ? 'GET' : 'POST');
  if (!/^[A-Z]{1,20}$/.test(method)) {
    throw new UsageError(`--method is ${JSON.stringify(method)}; it is written in capitals, for instance POST.`);
  }
  if (values.data !== undefined && (method === 'GET' || method === 'HEAD')) {
    throw new UsageError(`--data does not go with ${method}.`);
  }
  const { print = null } = values;
  if (print !== null && print !== 'curl' && print !== 'headers') {
    throw new UsageError(`--print is ${JSON.stringify(print)}; it is curl or headers.`);
  }
  return {
    url,
    method,
    body: values.data ?? null,
    keyFile: resolve(cwd, values.key ?? defaultKeyFile),
    print,
    send: values.send,
  };
}

const quote = (word: string): string => `'${word.replaceAll("'", `'\\''`)}'`;

function toCurl({ url, method, body }: Command, headers: Record<string, string>): string {
  return [
    `curl -i ${method === 'HEAD' ? '-I' : `-X ${method}`} ${quote(url.href)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === null ? [] : [`--data-raw ${quote(body)}`]),
  ].join(' \\\n  ');
}

const toLines = (headers: Record<string, string>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Text of a stranger without the control characters that a terminal would obey. */
const toTerminalText = (text: string): string => text.replace(/[^\P{Cc}\n\t]/gu, '\u{fffd}');

/** Sends the request and writes the answer. Resolves with the exit code. */
async function send(
  { url, method, body }: Command,
  headers: Record<string, string>,
  terminal: Terminal,
): Promise<number> {
  let response: Response;
  try {
    // A redirect would lead to a path that was not signed.
    response = await fetch(url, { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(15_000) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${url.href} did not answer${cause}. Is the address right, and the service running?`);
  }
  terminal.error(`${`${response.status} ${response.statusText}`.trim()}\n`);
  terminal.out(`${toTerminalText((await response.text()).slice(0, 65_536))}\n`);
  return response.ok ? 0 : 1;
}

/** What is printed when nothing is sent: the headers, a curl command, or both with what to do. */
function print(
  { url, print: what }: Command,
  { headers, curl }: { headers: string; curl: string },
  terminal: Terminal,
): void {
  if (what !== null) {
    terminal.out(`${what === 'curl' ? curl : headers}\n`);
    return;
  }
  terminal.out(`${headers}\n\n${curl}\n`);
  const where =
    url.pathname === '/'
      ? ` A Porchlight says at ${new URL('/api/whoami', url).href} what it made of a signature.`
      : '';
  terminal.error(`\nNothing was sent. Run the curl command within 300 seconds, or add --send.${where}\n`);
}

/** `npm run sign`. */
export const signCommand = defineCommand(
  { name: 'sign', help, options, takesArguments: true },
  async (call, terminal) => {
    const command = readCommand(call, terminal.cwd);
    const { url, method, body, keyFile } = command;
    mkdirSync(dirname(keyFile), { recursive: true });
    const { privateKey, publicKey, created } = openKeyPair(keyFile);
    terminal.error(
      `${created ? 'Made a new key' : 'Signing with the key'} in ${keyFile}\nkeyid ${spkiKeyid(publicKey)}\n`,
    );
    const signed = createSigner({ privateKey }).sign({
      method,
      targetUri: url.href,
      ...(body === null ? {} : { body: Buffer.from(body) }),
    });
    const headers = { ...signed, ...(body === null ? {} : { 'Content-Type': 'application/json' }) };
    if (command.print !== null || !command.send) {
      print(command, { headers: toLines(headers), curl: toCurl(command, headers) }, terminal);
    }
    return command.send ? send(command, headers, terminal) : 0;
  },
);

if (import.meta.main) {
  process.exitCode = await signCommand(process.argv.slice(2), processTerminal);
}
