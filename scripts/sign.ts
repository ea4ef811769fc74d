import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { openKeyPair } from '#api/identity/signatures/key-pair.ts';
import { spkiKeyid } from '#api/identity/signatures/keyids.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { parseCommandLine, UsageError } from './support/command-line.ts';

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
  help: { type: 'boolean', default: false },
} as const;

/** The command of an argument list; null when the help was asked for. Throws UsageError. */
function readCommand(args: string[]): Command | null {
  const { values, positionals } = parseCommandLine(args, options);
  if (values.help) {
    return null;
  }
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
    keyFile: resolve(values.key ?? defaultKeyFile),
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

async function send({ url, method, body }: Command, headers: Record<string, string>): Promise<void> {
  let response: Response;
  try {
    // A redirect would lead to a path that was not signed.
    response = await fetch(url, { method, headers, body, redirect: 'manual', signal: AbortSignal.timeout(15_000) });
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
    throw new Error(`${url.href} did not answer${cause}. Is the address right, and the service running?`);
  }
  console.error(`${response.status} ${response.statusText}`.trim());
  console.log(toTerminalText((await response.text()).slice(0, 65_536)));
  process.exitCode = response.ok ? 0 : 1;
}

async function run(command: Command): Promise<void> {
  const { url, method, body, keyFile, print } = command;
  mkdirSync(dirname(keyFile), { recursive: true });
  const { privateKey, publicKey, created } = openKeyPair(keyFile);
  console.error(`${created ? 'Made a new key' : 'Signing with the key'} in ${keyFile}`);
  console.error(`keyid ${spkiKeyid(publicKey)}`);
  const signed = createSigner({ privateKey }).sign({
    method,
    targetUri: url.href,
    ...(body === null ? {} : { body: Buffer.from(body) }),
  });
  const headers = { ...signed, ...(body === null ? {} : { 'Content-Type': 'application/json' }) };
  if (print === 'headers' || (print === null && !command.send)) {
    console.log(toLines(headers));
  }
  if (print === null && !command.send) {
    console.log('');
  }
  if (print === 'curl' || (print === null && !command.send)) {
    console.log(toCurl(command, headers));
  }
  if (print === null && !command.send) {
    const where =
      url.pathname === '/'
        ? ` A Porchlight says at ${new URL('/api/whoami', url).href} what it made of a signature.`
        : '';
    console.error(`\nNothing was sent. Run the curl command within 300 seconds, or add --send.${where}`);
  }
  if (command.send) {
    await send(command, headers);
  }
}

try {
  const command = readCommand(process.argv.slice(2));
  if (command === null) {
    console.log(help);
  } else {
    await run(command);
  }
} catch (error) {
  const usage = error instanceof UsageError;
  console.error(
    `${error instanceof Error ? error.message : String(error)}${usage ? '\nnpm run sign -- --help shows the options.' : ''}`,
  );
  process.exitCode = usage ? 2 : 1;
}
