import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import zlib from 'node:zlib';
import { AddressRefused, createAddressBook } from '#api/fetch/address-book.ts';
import { createGuardedFetch, type FetchLimits, type GuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { publicPolicy } from '#api/fetch/target.ts';
import { openDnsServer } from '../audit/dns-server.ts';
import { literalHosts, privateZones } from '../audit/hostile-hosts.ts';

const portOf = (server: net.Server): number => (server.address() as net.AddressInfo).port;

async function listen<Server extends net.Server>(server: Server, host = '127.0.0.1', port = 0): Promise<Server> {
  server.listen(port, host);
  await once(server, 'listening');
  return server;
}

describe('the guarded fetch', () => {
  const canaries: net.Server[] = [];
  const stops: (() => unknown)[] = [];
  let visits = 0;
  let canary = 0;
  let dns: Awaited<ReturnType<typeof openDnsServer>>;
  let rebound = 0;

  before(async () => {
    const count = (socket: net.Socket): void => {
      visits += 1;
      socket.destroy();
    };
    const first = await listen(net.createServer(count));
    canary = portOf(first);
    canaries.push(first);
    for (const host of ['127.99.0.1', '::1']) {
      canaries.push(await listen(net.createServer(count), host, canary).catch(() => first));
    }
    dns = await openDnsServer({
      ...Object.fromEntries(Object.entries(privateZones).map(([name, addresses]) => [name, { addresses }])),
      'alias.site.net': { alias: 'alias-two.site.net' },
      'alias-two.site.net': { alias: 'loopback.site.net' },
      'alias-special.site.net': { alias: 'six.site.net' },
      'empty.site.net': { addresses: [] },
      'broken.site.net': { rcode: 2 },
      'refusing.site.net': { rcode: 5 },
      'silent.site.net': { silent: true },
      'rebinding.site.net': {
        addresses: () => {
          rebound += 1;
          return [rebound === 1 ? '93.184.216.34' : '127.0.0.1'];
        },
      },
      'own.site.net': { addresses: ['127.0.0.1'] },
    });
  });

  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    for (const server of canaries) {
      server.close();
    }
    await dns.close();
  });

  const newResolver = (): Resolver => {
    const resolver = new Resolver({ timeout: 300, tries: 1 });
    resolver.setServers([dns.address]);
    return resolver;
  };

  const newFetch = (allowPrivate: string[] = [], limits: Partial<FetchLimits> = {}): GuardedFetch => {
    const fetch = createGuardedFetch({
      resolver: newResolver(),
      policy: { ports: [canary], allowPrivate },
      identity: { userAgent: 'PorchlightAudit/1.0 (+https://porch.site.net/about)' },
      now: () => new Date(),
      limits: { requestTimeoutMs: 2000, ...limits },
    });
    stops.push(() => fetch.close());
    return fetch;
  };

  /** A server of the test, and a fetch that may reach it. */
  async function serve(
    handler: http.RequestListener,
    limits: Partial<FetchLimits> = {},
  ): Promise<{ origin: string; port: number; fetch: GuardedFetch }> {
    const server = await listen(http.createServer(handler));
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const port = portOf(server);
    return {
      origin: `http://127.0.0.1:${port}`,
      port,
      fetch: newFetch([`127.0.0.1:${port}`, `own.site.net:${port}`], limits),
    };
  }

  /** A server that says these bytes to whoever connects. */
  async function serveRaw(say: (socket: net.Socket) => void, limits: Partial<FetchLimits> = {}) {
    const server = await listen(
      net.createServer((socket) => {
        socket.on('error', () => {});
        socket.once('data', () => say(socket));
      }),
    );
    stops.push(() => server.close());
    return { origin: `http://127.0.0.1:${portOf(server)}`, fetch: newFetch([`127.0.0.1:${portOf(server)}`], limits) };
  }

  for (const host of literalHosts) {
    test(`http://${host} reaches nothing`, async () => {
      const seen = visits;
      const [authority = '', rest = ''] = host.split(/(?=[#\\])/);
      const exchange = await newFetch()(`http://${authority}:${canary}${rest}/`);
      assert.equal(exchange.outcome, 'refused');
      assert.match(exchange.error ?? '', /\.$/);
      assert.equal(exchange.status, null);
      assert.equal(visits, seen);
    });
  }

  for (const name of [...Object.keys(privateZones), 'alias.site.net', 'alias-special.site.net', 'ALIAS.site.net.']) {
    test(`the name ${name} reaches nothing`, async () => {
      const seen = visits;
      const exchange = await newFetch()(`http://${name}:${canary}/`);
      assert.equal(exchange.outcome, 'refused');
      assert.match(exchange.error ?? '', /resolves to an address that/);
      assert.doesNotMatch(exchange.error ?? '', /127\.0|10\.0\.0\.5/, 'what a private name resolves to is not told');
      assert.equal(visits, seen);
    });
  }

  const unresolved: [name: string, outcome: string][] = [
    ['missing.site.net', 'dns'],
    ['empty.site.net', 'dns'],
    ['broken.site.net', 'dns'],
    ['refusing.site.net', 'dns'],
    ['silent.site.net', 'dns'],
  ];
  for (const [name, outcome] of unresolved) {
    test(`the name ${name} ends with ${outcome}`, async () => {
      const exchange = await newFetch()(`http://${name}:${canary}/`);
      assert.equal(exchange.outcome, outcome);
      assert.match(exchange.error ?? '', new RegExp(name));
    });
  }

  test('a name that never resolves ends with the deadline', async () => {
    const resolver = {
      resolve4: () => new Promise<string[]>(() => {}),
      resolve6: () => new Promise<string[]>(() => {}),
    };
    const fetch = createGuardedFetch({
      resolver,
      policy: publicPolicy,
      identity: { userAgent: 'x' },
      now: () => new Date(),
      limits: { requestTimeoutMs: 50 },
    });
    const keepAlive = setInterval(() => {}, 1000);
    const exchange = await fetch('https://example.com/');
    clearInterval(keepAlive);
    assert.equal(exchange.outcome, 'timeout');
    assert.match(exchange.error ?? '', /looking the name up/);
    await fetch.close();
  });

  test('a name is looked up once: a later answer leads nowhere', async () => {
    const book = createAddressBook(newResolver());
    const url = new URL('http://rebinding.site.net/');
    assert.deepEqual(await book.resolve(url, publicPolicy), ['93.184.216.34']);
    assert.deepEqual(await book.resolve(url, publicPolicy), ['93.184.216.34']);
    assert.deepEqual(book.pinned('rebinding.site.net'), ['93.184.216.34']);
    assert.equal(rebound, 1);
    await assert.rejects(createAddressBook(newResolver()).resolve(url, publicPolicy), AddressRefused);
  });

  test('a name that the configuration allows is fetched from, one that a stranger gives is not', async () => {
    const { port, fetch } = await serve((_request, response) => response.end('hello'));
    const exchange = await fetch(`http://own.site.net:${port}/`);
    assert.equal(exchange.body, 'hello');
    assert.equal(exchange.outcome, 'ok');
    const named = await fetch(`http://own.site.net:${port}/`, { namedBy: 'https://stranger.site.net/llms.txt' });
    assert.equal(named.outcome, 'refused');
    const own = await fetch(`http://own.site.net:${port}/`, { namedBy: `http://127.0.0.1:${port}/llms.txt` });
    assert.equal(own.outcome, 'ok');
  });

  const redirects: [location: string, outcome: string][] = [
    ['http://127.0.0.1:CANARY/', 'redirect-refused'],
    ['//127.0.0.1:CANARY/', 'redirect-refused'],
    ['/\\127.0.0.1:CANARY/', 'redirect-refused'],
    ['http://[::1]:CANARY/', 'redirect-refused'],
    ['http://2130706433:CANARY/', 'redirect-refused'],
    ['http://localhost:CANARY/', 'redirect-refused'],
    ['http://loopback.site.net:CANARY/', 'redirect-refused'],
    ['http://mixed.site.net:CANARY/', 'redirect-refused'],
    ['http://user@127.0.0.1:CANARY/', 'redirect-refused'],
    ['http://169.254.169.254/latest/meta-data/', 'redirect-refused'],
    ['file:///etc/passwd', 'redirect-refused'],
    ['gopher://127.0.0.1:CANARY/_', 'redirect-refused'],
    ['https://example.com:25/', 'redirect-refused'],
    ['http://', 'redirect-refused'],
    ['http://missing.site.net/', 'dns'],
    ['/start', 'too-many-redirects'],
    ['/start#again', 'too-many-redirects'],
    ['/endless', 'too-many-redirects'],
  ];
  for (const [location, outcome] of redirects) {
    test(`a redirect to ${location} ends with ${outcome}`, async () => {
      const seen = visits;
      const { origin, fetch } = await serve((request, response) => {
        const number = Number(/endless\/?(\d*)/.exec(request.url ?? '')?.[1] ?? -1);
        const target = number >= 0 ? `/endless/${number + 1}` : location.replace('CANARY', String(canary));
        response.writeHead(302, { Location: target }).end();
      });
      const exchange = await fetch(`${origin}/start`);
      assert.equal(exchange.outcome, outcome);
      assert.equal(exchange.status, 302);
      assert.equal(exchange.hops[0]?.location, location.replace('CANARY', String(canary)));
      assert.ok(exchange.hops.length <= 6);
      assert.equal(visits, seen);
    });
  }

  test('redirects are followed to their end, five at most, with each hop recorded', async () => {
    const { origin, fetch } = await serve((request, response) => {
      const number = Number(request.url?.slice(1));
      if (number < 5) {
        response.writeHead([301, 302, 303, 307, 308][number] ?? 302, { Location: `${number + 1}` }).end('moved');
      } else {
        response.end(`at ${number}`);
      }
    });
    const exchange = await fetch(`${origin}/0`);
    assert.equal(exchange.outcome, 'ok');
    assert.equal(exchange.body, 'at 5');
    assert.equal(exchange.url, `${origin}/5`);
    assert.deepEqual(
      exchange.hops.map((hop) => hop.status),
      [301, 302, 303, 307, 308],
    );
    const manual = await fetch(`${origin}/0`, { followRedirects: false });
    assert.equal(manual.status, 301);
    assert.equal(manual.outcome, 'ok');
    const post = await fetch(`${origin}/0`, { method: 'POST', body: '{}' });
    assert.equal(post.status, 301);
    assert.equal(post.hops.length, 0);
  });

  test('a Location in UTF-8 is followed', async () => {
    const { origin, fetch } = await serve((request, response) => {
      if (request.url === '/') {
        response.writeHead(302, { Location: Buffer.from('/bücher').toString('latin1') }).end();
      } else {
        response.end(request.url);
      }
    });
    assert.equal((await fetch(`${origin}/`)).body, '/b%C3%BCcher');
  });

  test('requests identify themselves, carry the signature, and keep no cookies', async () => {
    const received: http.IncomingHttpHeaders[] = [];
    const { origin, port } = await serve((request, response) => {
      received.push(request.headers);
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.end();
    });
    const signed: string[] = [];
    const fetch = createGuardedFetch({
      resolver: newResolver(),
      policy: { ports: [], allowPrivate: [`127.0.0.1:${port}`] },
      identity: {
        userAgent: 'PorchlightAudit/1.0 (+https://porch.site.net/about)',
        sign: async ({ method, url }) => {
          signed.push(`${method} ${url}`);
          return { signature: 'sig1=:AAAA:' };
        },
      },
      now: () => new Date(Date.UTC(2026, 10, 21)),
    });
    const exchange = await fetch(`${origin}/`, { headers: { Accept: 'text/markdown' } });
    await fetch(`${origin}/`, { method: 'HEAD' });
    await fetch.close();
    assert.equal(received[0]?.['user-agent'], 'PorchlightAudit/1.0 (+https://porch.site.net/about)');
    assert.equal(received[0]?.accept, 'text/markdown');
    assert.equal(received[0]?.['signature'], 'sig1=:AAAA:');
    assert.equal(received[1]?.cookie, undefined);
    assert.deepEqual(signed, [`GET ${origin}/`, `HEAD ${origin}/`]);
    assert.deepEqual(exchange.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(exchange.request.headers['signature'], 'sig1=:AAAA:');
    assert.equal(exchange.timings.startedAt, '2026-11-21T00:00:00.000Z');
    assert.deepEqual(JSON.parse(JSON.stringify(exchange)), exchange, 'an exchange is plain JSON');
  });

  const megabytes = (count: number): Buffer => Buffer.alloc(count * 1024 * 1024);
  const codings: [name: string, coding: string, body: Buffer][] = [
    ['gzip', 'gzip', zlib.gzipSync('porch light')],
    ['x-gzip', 'x-gzip', zlib.gzipSync('porch light')],
    ['deflate', 'deflate', zlib.deflateSync('porch light')],
    ['raw deflate', 'deflate', zlib.deflateRawSync('porch light')],
    ['brotli', 'br', zlib.brotliCompressSync('porch light')],
    ['zstd', 'zstd', zlib.zstdCompressSync('porch light')],
    ['identity', 'identity', Buffer.from('porch light')],
  ];
  for (const [name, coding, body] of codings) {
    test(`a body in ${name} is decoded`, async () => {
      const { origin, fetch } = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': coding }).end(body);
      });
      const exchange = await fetch(`${origin}/`);
      assert.equal(exchange.body, 'porch light');
      assert.equal(exchange.bodyBytes, 11);
      assert.equal(exchange.truncated, false);
      assert.equal(exchange.outcome, 'ok');
    });
  }

  const bombs: [name: string, coding: string, body: Buffer][] = [
    ['gzip', 'gzip', zlib.gzipSync(megabytes(64))],
    ['brotli', 'br', zlib.brotliCompressSync(megabytes(64), { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 3 } })],
    ['zstd', 'zstd', zlib.zstdCompressSync(megabytes(64))],
    ['plain', 'identity', megabytes(4)],
  ];
  for (const [name, coding, body] of bombs) {
    test(`a ${name} bomb is cut at the limit`, async () => {
      const { origin, fetch } = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': coding }).end(body);
      });
      const exchange = await fetch(`${origin}/`);
      assert.equal(exchange.outcome, 'ok');
      assert.equal(exchange.truncated, true);
      assert.equal(exchange.bodyBytes, 2 * 1024 * 1024);
      const less = await fetch(`${origin}/`, { maxBodyBytes: 1000 });
      assert.equal(less.bodyBytes, 1000);
    });
  }

  const unreadable: [name: string, coding: string, body: Buffer, pattern: RegExp][] = [
    ['two layers', 'gzip, gzip', zlib.gzipSync(zlib.gzipSync('x')), /2 layers/],
    ['a coding nobody knows', 'rot13', Buffer.from('x'), /"rot13" is not read/],
    ['broken gzip', 'gzip', Buffer.from('this is no gzip'), /not readable/],
    ['cut gzip', 'gzip', zlib.gzipSync('a'.repeat(1000)).subarray(0, 20), /not readable/],
    ['a zstd window of 128 MB', 'zstd', Buffer.from('28b52ffd008809000078', 'hex'), /not readable/],
  ];
  for (const [name, coding, body, pattern] of unreadable) {
    test(`${name} ends with a protocol error`, async () => {
      const { origin, fetch } = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Encoding': coding }).end(body);
      });
      const exchange = await fetch(`${origin}/`);
      assert.equal(exchange.outcome, 'protocol');
      assert.equal(exchange.status, 200);
      assert.equal(exchange.truncated, true);
      assert.match(exchange.error ?? '', pattern);
    });
  }

  test('an endless body is cut, coded or not, and so is one that decodes to nothing', async () => {
    const emptyBlocks = Buffer.alloc(64 * 1024, Buffer.from([0x00, 0x00, 0x00, 0xff, 0xff]));
    const { origin, fetch } = await serve((request, response) => {
      const coded = request.url === '/empty-blocks';
      response.writeHead(200, coded ? { 'Content-Encoding': 'deflate' } : {});
      const chunk = coded ? emptyBlocks.subarray(0, 65_535) : megabytes(1);
      const write = (): void => {
        while (!response.destroyed && response.write(chunk)) {}
      };
      response.on('drain', write);
      response.on('error', () => {});
      write();
    });
    const plain = await fetch(`${origin}/plain`);
    assert.equal(plain.truncated, true);
    assert.equal(plain.bodyBytes, 2 * 1024 * 1024);
    const empty = await fetch(`${origin}/empty-blocks`);
    assert.equal(empty.truncated, true);
    assert.equal(empty.bodyBytes, 0);
  });

  test('a slow drip of headers or body ends with the request time', async () => {
    const { origin, fetch } = await serve(
      (request, response) => {
        if (request.url === '/body') {
          response.write('some');
          const timer = setInterval(() => response.write('.'), 20);
          response.on('close', () => clearInterval(timer));
        }
      },
      { requestTimeoutMs: 200 },
    );
    const raw = await serveRaw(
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n');
        const timer = setInterval(() => socket.write('X-Drip: 1\r\n'), 20);
        socket.on('close', () => clearInterval(timer));
      },
      { requestTimeoutMs: 200 },
    );
    const [body, headers, dripped] = await Promise.all([
      fetch(`${origin}/body`),
      fetch(`${origin}/headers`),
      raw.fetch(`${raw.origin}/`),
    ]);
    assert.equal(body.outcome, 'timeout');
    assert.match(body.error ?? '', /reading the body/);
    assert.match(body.body, /^some/);
    assert.equal(body.truncated, true);
    assert.equal(headers.outcome, 'timeout');
    assert.match(headers.error ?? '', /waiting for the response/);
    assert.equal(dripped.outcome, 'timeout');
  });

  test('endless interim responses end with the request time', async () => {
    const { origin, fetch } = await serveRaw(
      (socket) => {
        const timer = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'), 10);
        socket.on('close', () => clearInterval(timer));
      },
      { requestTimeoutMs: 200 },
    );
    assert.equal((await fetch(`${origin}/`)).outcome, 'timeout');
  });

  const rawAnswers: [name: string, bytes: string, outcome: string][] = [
    ['40 KB of headers', `HTTP/1.1 200 OK\r\n${`X-Long: ${'a'.repeat(1000)}\r\n`.repeat(40)}\r\n`, 'headers-too-large'],
    ['one header of 20 KB', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 'headers-too-large'],
    ['HTTP/0.9', '<html>hello</html>', 'protocol'],
    ['SSH', 'SSH-2.0-OpenSSH_9.9\r\n', 'protocol'],
    ['nothing', '', 'protocol'],
    ['a body shorter than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort', 'protocol'],
    ['two different lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nshort', 'protocol'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\nshort', 'protocol'],
    ['broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\nxx\r\n', 'protocol'],
    [
      'an upgrade nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'protocol',
    ],
    ['a body longer than announced', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nshort and more', 'ok'],
  ];
  for (const [name, bytes, outcome] of rawAnswers) {
    test(`${name} ends with ${outcome}`, async () => {
      const { origin, fetch } = await serveRaw((socket) => socket.end(bytes));
      const exchange = await fetch(`${origin}/`);
      assert.equal(exchange.outcome, outcome, exchange.error ?? '');
    });
  }

  test('a reset, and a port where nobody listens, are told apart', async () => {
    const { origin, fetch } = await serveRaw((socket) => socket.resetAndDestroy());
    assert.equal((await fetch(`${origin}/`)).outcome, 'protocol');
    const server = await listen(net.createServer());
    const port = portOf(server);
    server.close();
    const refused = await newFetch([`127.0.0.1:${port}`])(`http://127.0.0.1:${port}/`);
    assert.equal(refused.outcome, 'connect');
    assert.match(refused.error ?? '', /ECONNREFUSED/);
  });

  test('a GET whose connection was closed under it is asked once more, a POST is not', async () => {
    let asked = 0;
    const { origin, fetch } = await serveRaw((socket) => {
      asked += 1;
      socket.end(asked === 1 ? '' : 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
    });
    assert.equal((await fetch(`${origin}/`)).body, 'ok');
    asked = 0;
    assert.equal((await fetch(`${origin}/`, { method: 'POST', body: '{}' })).outcome, 'protocol');
    assert.equal(asked, 1);
  });

  test('a certificate that nobody vouches for is an outcome and never trusted', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'porch-'));
    try {
      execFileSync(
        'openssl',
        [
          'req',
          '-x509',
          '-newkey',
          'rsa:2048',
          '-nodes',
          '-days',
          '2',
          '-subj',
          '/CN=127.0.0.1',
          '-keyout',
          join(folder, 'key.pem'),
          '-out',
          join(folder, 'cert.pem'),
        ],
        { stdio: 'ignore' },
      );
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw new Error('The test needs openssl.', { cause: error });
    }
    let requests = 0;
    const server = await listen(
      https.createServer(
        { key: readFileSync(join(folder, 'key.pem')), cert: readFileSync(join(folder, 'cert.pem')) },
        (_request, response) => {
          requests += 1;
          response.end('secret');
        },
      ),
    );
    rmSync(folder, { recursive: true });
    stops.push(() => {
      server.closeAllConnections();
      server.close();
    });
    const exchange = await newFetch([`127.0.0.1:${portOf(server)}`])(`https://127.0.0.1:${portOf(server)}/`);
    assert.equal(exchange.outcome, 'tls');
    assert.deepEqual(exchange.tls, { ok: false, protocol: null, error: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    assert.equal(exchange.body, '');
    assert.equal(requests, 0);
  });

  test('https to a server that speaks plain http is a TLS error', async () => {
    const { port, fetch } = await serve((_request, response) => response.end('plain'));
    assert.equal((await fetch(`https://127.0.0.1:${port}/`)).outcome, 'tls');
  });

  test('the caller can stop a fetch, set its deadline and gate each hop', async () => {
    const { origin, fetch } = await serve((request, response) => {
      if (request.url === '/a') {
        response.writeHead(302, { Location: '/b' }).end();
      }
    });
    const controller = new AbortController();
    const stopped = fetch(`${origin}/never`, { signal: controller.signal });
    setTimeout(() => controller.abort(), 30);
    assert.equal((await stopped).outcome, 'aborted');
    assert.equal((await fetch(`${origin}/never`, { signal: AbortSignal.abort() })).outcome, 'aborted');
    assert.equal((await fetch(`${origin}/never`, { deadline: Date.now() - 1 })).outcome, 'timeout');
    const hops: string[] = [];
    const gated = await fetch(`${origin}/a`, {
      gate: async (url) => {
        hops.push(url.pathname);
        return url.pathname === '/b' ? { outcome: 'robots-disallowed', error: 'The robots.txt says no.' } : null;
      },
    });
    assert.equal(gated.outcome, 'robots-disallowed');
    assert.equal(gated.status, 302);
    assert.deepEqual(hops, ['/a', '/b']);
  });

  const texts: [name: string, contentType: string, bytes: Buffer, text: string][] = [
    ['UTF-8', 'text/plain', Buffer.from('grün'), 'grün'],
    ['a byte order mark', 'text/plain', Buffer.from('\ufeffgrün'), 'grün'],
    ['Latin-1', 'text/plain; charset=ISO-8859-1', Buffer.from('grün', 'latin1'), 'grün'],
    ['UTF-16 by its mark', 'text/plain; charset=utf-8', Buffer.from('\ufeffgrün', 'utf16le'), 'grün'],
    ['UTF-16 by charset', 'text/plain; charset="utf-16le"', Buffer.from('grün', 'utf16le'), 'grün'],
    [
      'a meta element',
      'text/html',
      Buffer.from('<meta charset="windows-1252">grün', 'latin1'),
      '<meta charset="windows-1252">grün',
    ],
    ['a charset nobody knows', 'text/plain; charset=klingon', Buffer.from('grün'), 'grün'],
    ['bytes that are no UTF-8', 'text/plain', Buffer.from([0x61, 0xff]), 'a\ufffd'],
  ];
  for (const [name, contentType, bytes, text] of texts) {
    test(`text is decoded: ${name}`, async () => {
      const { origin, fetch } = await serve((_request, response) => {
        response.writeHead(200, { 'Content-Type': contentType }).end(bytes);
      });
      assert.equal((await fetch(`${origin}/`)).body, text);
    });
  }
});
