import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readConfig } from '#api/config.ts';
import { startNginx } from '../../scripts/support/nginx.ts';
import { freePort } from '../../scripts/support/ports.ts';
import { startBuiltService } from '../support/built-service.ts';

/*
 * The configurations that put TLS in front, as they are in deploy/ but for names, ports and certificates.
 */

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'porchlight-tls-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const metricsPort = await freePort();

/** What the comment of the Caddyfile tells operators to set, with a port of its own, and nothing else. */
const [comment = ''] = readFileSync(join(root, 'deploy/Caddyfile'), 'utf8').split(/^(?!#)/m);
const toldToSet = [...comment.matchAll(/\b([A-Z_]+)=([\w.]+(?::\d+)?)/g)].map(
  ([, name = '', value = '']): [string, string] => [name, value.replace(/:9464$/, `:${metricsPort}`)],
);
const { config } = await startBuiltService({ environment: Object.fromEntries(toldToSet) });

/** The text of a file in deploy/, with values put in. Throws where one isn't found. */
function deployed(name: string, values: [from: string, to: string][]): string {
  return values.reduce(
    (text, [from, to]) => {
      assert.ok(text.includes(from), `${name} has ${from}`);
      return text.replaceAll(from, to);
    },
    readFileSync(join(root, 'deploy', name), 'utf8'),
  );
}

interface Answer {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Asks at an address, whatever its certificate says. */
function ask(url: string, headers: Record<string, string> = {}): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const onAnswer = (response: IncomingMessage): void => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, body }));
    };
    // Not from 127.0.0.1, whose word on another client nginx takes.
    const options = { headers, localAddress: '127.0.0.9' };
    const sent = url.startsWith('https:')
      ? requestTls(url, { ...options, rejectUnauthorized: false, servername: 'localhost' }, onAnswer)
      : requestPlain(url, options, onAnswer);
    sent.on('error', reject).end();
  });
}

/** Asks again until the answer is a 200, for what is checked for health before it is asked. */
async function askUntilReady(url: string): Promise<Answer> {
  for (const end = Date.now() + 30_000; ; ) {
    const answer = await ask(url).catch(() => null);
    if (answer?.status === 200 || Date.now() > end) {
      return answer ?? assert.fail(`${url} does not answer`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** What both have to do: pages by negotiation, the live service, and one allowance for each client that the service sees. */
async function checkFront(at: string): Promise<void> {
  assert.match((await askUntilReady(`${at}/about`)).body, /<h1/);
  const markdown = await ask(`${at}/about`, { accept: 'text/markdown' });
  assert.equal(markdown.headers['content-type'], 'text/markdown; charset=utf-8');
  assert.equal((await ask(`${at}/guestbook`)).status, 200);
  const echo = await ask(`${at}/api/whoami`, { 'x-forwarded-for': '192.0.2.1' });
  assert.equal(echo.status, 200);
  assert.doesNotMatch(echo.body, /192\.0\.2\.1/, 'what a client says of its address is not passed on');
}

test('nginx with TLS: everything is redirected to https, and served there', async () => {
  const [plain, secure, inner] = [await freePort(), await freePort(), await freePort()];
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-keyout', key, '-out', certificate],
    ],
    { stdio: 'ignore' },
  );
  const tls = deployed('nginx-tls.conf', [
    ['listen 80;', `listen 127.0.0.1:${plain};`],
    ['listen [::]:80;', ''],
    ['listen 443 ssl http2;', `listen 127.0.0.1:${secure} ssl http2;`],
    ['listen [::]:443 ssl http2;', ''],
    ['/etc/letsencrypt/live/example.org/fullchain.pem', certificate],
    ['/etc/letsencrypt/live/example.org/privkey.pem', key],
    ['http://127.0.0.1:8080', `http://127.0.0.1:${inner}`],
  ]);
  const { distDir, nginxListen, host, port } = readConfig();
  const generated = readFileSync(join(distDir, 'nginx.conf'), 'utf8')
    .replace(`listen ${nginxListen};`, `listen 127.0.0.1:${inner};`)
    .replace(`server ${host}:${port};`, `server 127.0.0.1:${config.port};`);
  const file = join(folder, 'tls.conf');
  writeFileSync(file, `${tls}\n${generated}`);
  const nginx = await startNginx(file, folder, `http://127.0.0.1:${inner}/llms.txt`);
  try {
    const redirect = await ask(`http://127.0.0.1:${plain}/about?a=b`);
    assert.deepEqual([redirect.status, redirect.headers.location], [308, 'https://example.org/about?a=b']);
    await checkFront(`https://127.0.0.1:${secure}`);
  } finally {
    await nginx.stop();
  }
});

test('Caddy with TLS: it waits for a service that is ready, and serves it with HSTS', async () => {
  const port = await freePort();
  const text = deployed('Caddyfile', [
    ['example.org {', `https://localhost:${port} {\n\ttls internal`],
    ['127.0.0.1:4321', `127.0.0.1:${config.port}`],
    ['health_port 9464', `health_port ${metricsPort}`],
  ]);
  const file = join(folder, 'Caddyfile');
  writeFileSync(file, `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n}\n${text}`);
  const caddy = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
    stdio: 'ignore',
  });
  const ended = once(caddy, 'exit');
  try {
    await checkFront(`https://localhost:${port}`);
    const { headers } = await ask(`https://localhost:${port}/about`);
    assert.equal(headers['strict-transport-security'], 'max-age=31536000');
  } finally {
    caddy.kill('SIGTERM');
    await ended;
  }
});
