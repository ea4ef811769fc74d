import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Config, configVariables, readConfig } from '#api/config.ts';

test('without any variable the defaults hold', () => {
  assert.deepEqual(readConfig({}), {
    port: 4321,
    host: '127.0.0.1',
    baseUrl: 'http://localhost:4321',
    dataDir: join(process.cwd(), 'data'),
    distDir: join(process.cwd(), 'dist'),
    build: 'when-needed',
    trustProxy: null,
    edgeSecret: null,
    siteName: 'Porchlight',
    ownerName: 'the owner of this Porchlight',
    contact: 'owner@example.com',
    sourceUrl: null,
    logLevel: 'info',
    nginxListen: '80',
    auditAllowHosts: [],
    auditAllowPorts: [],
    databaseUrl: null,
    databasePasswordFile: null,
    databasePool: 8,
    siteKeyFile: null,
    paymentSecretFile: null,
    instance: hostname(),
    metricsListen: null,
    drainSeconds: 0,
    listenFd: null,
  } satisfies Config);
});

// biome-ignore format: one setting a line
const good: [environment: Record<string, string>, expected: Partial<Config>][] = [
  [{ PORT: '8080' }, { port: 8080, baseUrl: 'http://localhost:8080' }],
  [{ PORT: '1' }, { port: 1 }],
  [{ PORT: '65535' }, { port: 65535 }],
  [{ PORT: '' }, { port: 4321 }],
  [{ HOST: '::1' }, { host: '::1' }],
  [{ HOST: '0.0.0.0' }, { host: '0.0.0.0' }],
  [{ BASE_URL: 'https://example.org' }, { baseUrl: 'https://example.org' }],
  [{ BASE_URL: 'https://example.org/' }, { baseUrl: 'https://example.org' }],
  [{ BASE_URL: 'https://EXAMPLE.org:443' }, { baseUrl: 'https://example.org' }],
  [{ BASE_URL: 'http://127.0.0.1:9000', PORT: '8080' }, { baseUrl: 'http://127.0.0.1:9000', port: 8080 }],
  [{ BASE_URL: 'http://[::1]:9000' }, { baseUrl: 'http://[::1]:9000' }],
  [{ DATA_DIR: '/srv/porch' }, { dataDir: '/srv/porch' }],
  [{ DATABASE_URL: 'postgres://porch@db/porch' }, { databaseUrl: 'postgres://porch@db/porch' }],
  [{ DATABASE_URL: 'postgres://porch@db/porch', DATABASE_PASSWORD_FILE: '/run/secrets/db' }, { databasePasswordFile: '/run/secrets/db' }],
  [{ DATABASE_URL: 'postgres://porch:pass@db/porch', DATABASE_PASSWORD_FILE: '' }, { databasePasswordFile: null }],
  [{ DATABASE_POOL: '20' }, { databasePool: 20 }],
  [{ SITE_KEY_FILE: '/run/secrets/key' }, { siteKeyFile: '/run/secrets/key' }],
  [{ PAYMENT_SECRET_FILE: 'secret' }, { paymentSecretFile: join(process.cwd(), 'secret') }],
  [{ METRICS_LISTEN: '127.0.0.1:9464' }, { metricsListen: { host: '127.0.0.1', port: 9464 } }],
  [{ METRICS_LISTEN: '[::1]:9464' }, { metricsListen: { host: '::1', port: 9464 } }],
  [{ DRAIN_SECONDS: '5' }, { drainSeconds: 5 }],
  [{ INSTANCE: 'web-1' }, { instance: 'web-1' }],
  [{ DATA_DIR: 'state' }, { dataDir: join(process.cwd(), 'state') }],
  [{ DIST_DIR: '/srv/site' }, { distDir: '/srv/site' }],
  [{ TRUST_PROXY: '' }, { trustProxy: null }],
  [{ EDGE_SECRET: 'a'.repeat(32) }, { edgeSecret: 'a'.repeat(32) }],
  [{ TRUST_PROXY: 'loopback' }, { trustProxy: 'loopback' }],
  [{ TRUST_PROXY: '10.0.0.1' }, { trustProxy: '10.0.0.1' }],
  [{ TRUST_PROXY: '10.0.0.0/8' }, { trustProxy: '10.0.0.0/8' }],
  [{ TRUST_PROXY: 'fd00::/8' }, { trustProxy: 'fd00::/8' }],
  [{ TRUST_PROXY: '2001:db8::1' }, { trustProxy: '2001:db8::1' }],
  [{ SITE_NAME: '  Lantern  ' }, { siteName: 'Lantern' }],
  [{ OWNER_NAME: 'Ada Lovelace' }, { ownerName: 'Ada Lovelace' }],
  [{ SOURCE_URL: 'https://git.example/porchlight' }, { sourceUrl: 'https://git.example/porchlight' }],
  [{ CONTACT: 'ada@example.org' }, { contact: 'ada@example.org' }],
  [{ LOG_LEVEL: 'silent' }, { logLevel: 'silent' }],
  [{ NGINX_LISTEN: '8080' }, { nginxListen: '8080' }],
  [{ NGINX_LISTEN: '127.0.0.1:8080' }, { nginxListen: '127.0.0.1:8080' }],
  [{ NGINX_LISTEN: '[::1]:8080' }, { nginxListen: '[::1]:8080' }],
  [{ AUDIT_ALLOW_HOSTS: 'localhost:3000, intranet.example.org,,[::1]:80' }, { auditAllowHosts: ['localhost:3000', 'intranet.example.org', '[::1]:80'] }],
  [{ AUDIT_ALLOW_PORTS: '8080, 8443' }, { auditAllowPorts: [8080, 8443] }],
];

for (const [environment, expected] of good) {
  test(`${JSON.stringify(environment)} is taken`, () => {
    const config = readConfig(environment);
    for (const [name, value] of Object.entries(expected)) {
      assert.deepEqual(config[name as keyof Config], value, name);
    }
  });
}

// biome-ignore format: one setting a line
const bad: [name: keyof typeof configVariables, value: string][] = [
  ['PORT', '0'],
  ['PORT', '65536'],
  ['PORT', '-1'],
  ['PORT', '80.5'],
  ['PORT', 'http'],
  ['PORT', '80 81'],
  ['PORT', '0x50'],
  ['PORT', ' '],
  ['HOST', '   '],
  ['HOST', 'a'.repeat(256)],
  ['HOST', 'http://localhost'],
  ['HOST', 'local host'],
  ['BASE_URL', 'example.org'],
  ['BASE_URL', 'ftp://example.org'],
  ['BASE_URL', 'https://example.org/path'],
  ['BASE_URL', 'https://example.org/?a=b'],
  ['BASE_URL', 'https://example.org/#a'],
  ['BASE_URL', 'https://user@example.org'],
  ['BASE_URL', 'https://user:secret@example.org'],
  ['BASE_URL', 'https://'],
  ['BASE_URL', 'javascript:alert(1)'],
  ['BASE_URL', 'https://exa mple.org'],
  ['TRUST_PROXY', 'true'],
  ['TRUST_PROXY', '1'],
  ['TRUST_PROXY', '10.0.0.0/33'],
  ['TRUST_PROXY', 'fd00::/129'],
  ['TRUST_PROXY', '10.0.0.0/'],
  ['TRUST_PROXY', '10.0.0.0/8/8'],
  ['TRUST_PROXY', '0.0.0.0/0'],
  ['TRUST_PROXY', '::/0'],
  ['TRUST_PROXY', 'proxy.example'],
  ['TRUST_PROXY', '10.0.0.1, 10.0.0.2'],
  ['EDGE_SECRET', 'a'.repeat(31)],
  ['EDGE_SECRET', 'a'.repeat(201)],
  ['EDGE_SECRET', `a ${'b'.repeat(40)}`],
  ['SITE_NAME', '  '],
  ['SITE_NAME', 'a'.repeat(61)],
  ['SITE_NAME', 'two\nlines'],
  ['OWNER_NAME', 'a'.repeat(81)],
  ['SOURCE_URL', 'javascript:alert(1)'],
  ['SOURCE_URL', 'git.example/porchlight'],
  ['OWNER_NAME', 'a\u0000b'],
  ['CONTACT', 'nobody'],
  ['CONTACT', 'a@b'],
  ['CONTACT', 'mailto:a@example.org'],
  ['LOG_LEVEL', 'loud'],
  ['LOG_LEVEL', 'INFO'],
  ['NGINX_LISTEN', 'eighty'],
  ['NGINX_LISTEN', '80; return 200'],
  ['NGINX_LISTEN', '127.0.0.1:'],
  ['NGINX_LISTEN', '0'],
  ['NGINX_LISTEN', '127.0.0.1:65536'],
  ['AUDIT_ALLOW_HOSTS', 'http://localhost'],
  ['AUDIT_ALLOW_HOSTS', '*'],
  ['AUDIT_ALLOW_HOSTS', '.example.org'],
  ['AUDIT_ALLOW_HOSTS', 'localhost:0'],
  ['AUDIT_ALLOW_HOSTS', 'localhost:70000'],
  ['AUDIT_ALLOW_HOSTS', '10.0.0.0/8'],
  ['AUDIT_ALLOW_HOSTS', 'a b'],
  ['AUDIT_ALLOW_HOSTS', '::1'],
  ['AUDIT_ALLOW_PORTS', '0'],
  ['AUDIT_ALLOW_PORTS', '80-90'],
  ['AUDIT_ALLOW_PORTS', '8080 8443'],
  ['DATA_DIR', '  '],
  ['DATABASE_URL', 'mysql://db/porch'],
  ['DATABASE_URL', 'porch'],
  ['DATABASE_POOL', '1'],
  ['DATABASE_POOL', '101'],
  ['INSTANCE', 'a b'],
  ['METRICS_LISTEN', '9464'],
  ['METRICS_LISTEN', 'localhost'],
  ['METRICS_LISTEN', '127.0.0.1:0'],
  ['DRAIN_SECONDS', '61'],
  ['DRAIN_SECONDS', '-1'],
  ['DIST_DIR', '  '],
];

for (const [name, value] of bad) {
  test(`${name}=${JSON.stringify(value.slice(0, 40))} is refused, by name`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => {
        const others = Object.keys(configVariables).filter((other) => other !== name);
        const lines = error.message.split('\n').slice(1);
        assert.equal(lines.length, 1, error.message);
        assert.ok(lines[0]?.trim().startsWith(`${name}=`), error.message);
        assert.ok(!others.some((other) => lines[0]?.trim().startsWith(`${other}=`)));
        assert.match(lines[0] ?? '', / (?:is|has|holds) /, 'says what is wrong');
        return true;
      },
    );
  });
}

const passwordFaults: [databaseUrl: string, reason: RegExp][] = [
  ['', /no database: set DATABASE_URL/],
  ['postgres://porch:hunter2@db/porch', /a second password/],
  ['postgres://porch@db/porch?password=hunter2', /a second password/],
];

for (const [databaseUrl, reason] of passwordFaults) {
  test(`a password file for the database ${JSON.stringify(databaseUrl)} is refused, and no password is repeated`, () => {
    assert.throws(
      () => readConfig({ DATABASE_URL: databaseUrl, DATABASE_PASSWORD_FILE: '/run/secrets/db' }),
      (error: Error) => {
        const [, fault = '', ...others] = error.message.split('\n');
        assert.match(fault, /^ {2}DATABASE_PASSWORD_FILE="\/run\/secrets\/db" is /);
        assert.match(fault, reason);
        assert.deepEqual(others, []);
        assert.ok(!error.message.includes('hunter2'));
        return true;
      },
    );
  });
}

test('all faults are told at once', () => {
  assert.throws(
    () => readConfig({ PORT: 'x', CONTACT: 'y', LOG_LEVEL: 'z', HOST: ' ' }),
    /PORT=.*\n.*HOST=.*\n.*CONTACT=.*\n.*LOG_LEVEL=/s,
  );
});

for (const [name, value] of [
  ['BASE_URL', 'https://user:hunter2@example.org'],
  ['BASE_URL', 'https://user:p@hunter2@example.org/path'],
  ['BASE_URL', 'https://user:a/hunter2@example.org'],
  ['DATABASE_URL', 'postgres://user:hunter2/x@host:port/db'],
  ['DATABASE_URL', 'mysql://user:p@hunter2@host/db'],
  ['DATABASE_URL', 'host=db password=hunter2'],
] as const) {
  test(`the password in ${name}=${value} is not repeated in the message`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error: Error) => error.message.includes(`${name}=`) && !error.message.includes('hunter2'),
    );
  });
}

test('a secret that is too short is not repeated in the message', () => {
  assert.throws(
    () => readConfig({ EDGE_SECRET: 'hunter2' }),
    (error: Error) => !error.message.includes('hunter2'),
  );
});

test('a password file for a database whose address is refused is no fault of its own', () => {
  assert.throws(
    () => readConfig({ DATABASE_URL: 'mysql://db/porch', DATABASE_PASSWORD_FILE: '/run/secrets/db' }),
    (error: Error) => {
      const [, fault = '', ...others] = error.message.split('\n');
      assert.match(fault, /^ {2}DATABASE_URL=… is not an address/);
      assert.deepEqual(others, []);
      return true;
    },
  );
});
