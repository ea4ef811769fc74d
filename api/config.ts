import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';

/** Everything the owner of a Porchlight decides. The only reader of the environment is `readConfig`. */
export interface Config {
  /** TCP port of the service, 1 to 65535. */
  port: number;
  /** Address the service listens on. */
  host: string;
  /** The socket that systemd has opened for this process (sd_listen_fds(3)), in place of host and port; null when it hasn't. */
  listenFd: number | null;
  /** Origin that absolute links are built with; no trailing slash. */
  baseUrl: string;
  /** Absolute path of the folder that holds the runtime state. */
  dataDir: string;
  /** Absolute path of the folder that holds the built site. */
  distDir: string;
  /** Whether `npm start` may build the site: when it has to, or never. */
  build: 'when-needed' | 'never';
  /** The proxy whose X-Forwarded-For is believed: an address, a subnet in CIDR form or `loopback`; null trusts none. */
  trustProxy: string | null;
  /** The secret that the worker at a CDN's edge shares with the service; null believes no worker. It's in no message. */
  edgeSecret: string | null;
  siteName: string;
  ownerName: string;
  /** A mail address. */
  contact: string;
  /** Where this service's source code is published; null when the owner doesn't say. */
  sourceUrl: string | null;
  /** Log level of pino. */
  logLevel: string;
  /** What the generated nginx configuration listens on: a port, or an address and a port. */
  nginxListen: string;
  /** Hosts that may be audited although they are private: `host` or `host:port`. */
  auditAllowHosts: string[];
  /** Ports that may be audited beyond 80 and 443. */
  auditAllowPorts: number[];
  /** The PostgreSQL that instances share; null keeps everything in files. It may hold a password: it's in no message. */
  databaseUrl: string | null;
  /** Absolute path of the password of the database, when it isn't in the address. */
  databasePasswordFile: string | null;
  /** Most connections to it, not counting the one that listens. */
  databasePool: number;
  /** Absolute path of the site's private key, when it isn't the service that looks after it. */
  siteKeyFile: string | null;
  /** Absolute path of the secret of payments, when it isn't the service that looks after it. */
  paymentSecretFile: string | null;
  /** What this instance is called in the log and in the metrics. */
  instance: string;
  /** Where metrics, liveness and readiness are served to operators; null for nowhere. */
  metricsListen: { host: string; port: number } | null;
  /** How long a stopping service says that it is not ready before it takes no more requests. */
  drainSeconds: number;
}

const isSubnet = (value: string): boolean => {
  const [address = '', prefix, ...rest] = value.split('/');
  const family = isIP(address);
  if (family === 0 || rest.length > 0) {
    return false;
  }
  // A prefix of 0 would be everyone, and everyone could then choose the address that is counted as theirs.
  return (
    prefix === undefined ||
    (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= (family === 4 ? 32 : 128))
  );
};

const isPort = (value: string): boolean => /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65535;

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'is empty')
    .max(max, `is longer than ${max} characters`)
    .regex(/^\P{Cc}*$/u, 'has a control character');

const isHost = (value: string): boolean => {
  const [, host, port] = /^([a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])(?::(\d+))?$/i.exec(value) ?? [];
  return host !== undefined && URL.canParse(`http://${host}`) && (port === undefined || isPort(port));
};

/** Values with commas between them, each of which has to pass. */
const list = (isGood: (value: string) => boolean, message: string) =>
  z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((each) => each.trim())
        .filter((each) => each !== ''),
    )
    .refine((values) => values.every(isGood), message);

const optionalFile = z.union([z.literal(''), text(4096).transform((value) => resolve(value))]);

const environment = {
  PORT: z.string().refine(isPort, 'is not a port: a whole number from 1 to 65535').transform(Number),
  HOST: text(255).refine(
    (value) => isIP(value) !== 0 || /^[a-z\d-]+(?:\.[a-z\d-]+)*\.?$/i.test(value),
    'is neither an IP address nor a host name',
  ),
  BASE_URL: z
    .url({ protocol: /^https?$/, error: 'is not an absolute http or https URL' })
    .refine((value) => URL.canParse(value) && new URL(value).pathname === '/', 'has a path: give the origin alone')
    .refine((value) => URL.canParse(value) && !new URL(value).search && !new URL(value).hash, 'has a query or fragment')
    .refine((value) => URL.canParse(value) && new URL(value).username === '', 'has a user name')
    .transform((value) => new URL(value).origin),
  DATA_DIR: text(4096).transform((value) => resolve(value)),
  DIST_DIR: text(4096).transform((value) => resolve(value)),
  BUILD: z.enum(['when-needed', 'never'], { error: 'is neither when-needed nor never' }),
  TRUST_PROXY: z.union([
    z.literal(''),
    z.literal('loopback'),
    z.string().refine(isSubnet, 'is neither an IP address, a subnet such as 10.0.0.0/8, nor "loopback"'),
  ]),
  EDGE_SECRET: z.string().regex(/^(?:[!-~]{32,200})?$/, 'is not 32 to 200 visible ASCII characters without spaces'),
  SITE_NAME: text(60),
  OWNER_NAME: text(80),
  CONTACT: z.email({ error: 'is not a mail address' }),
  SOURCE_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/, error: 'is not an http or https address' })]),
  LOG_LEVEL: z.enum(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'], {
    error: 'is not one of silent, fatal, error, warn, info, debug, trace',
  }),
  NGINX_LISTEN: z
    .string()
    .regex(/^(?:(?:[\w.-]+|\[[\da-f:]+\]):)?\d{1,5}$/i, 'is neither a port nor an address and a port')
    .refine((value) => isPort(value.split(':').at(-1) ?? ''), 'has a port that is not from 1 to 65535'),
  AUDIT_ALLOW_HOSTS: list(
    isHost,
    'is not a list of hosts such as "localhost:3000, intranet.example.org": names or addresses with commas between them, each with or without a port, IPv6 in brackets',
  ),
  AUDIT_ALLOW_PORTS: list(isPort, 'is not a list of ports such as "8080, 8443"').transform((ports) =>
    ports.map(Number),
  ),
  DATABASE_URL: z.union([
    z.literal(''),
    z.url({ protocol: /^postgres(?:ql)?$/, error: 'is not an address such as postgres://user:password@host/database' }),
  ]),
  DATABASE_PASSWORD_FILE: optionalFile,
  DATABASE_POOL: z
    .string()
    .regex(/^(?:[2-9]|[1-9]\d|100)$/, 'is not a number of connections from 2 to 100')
    .transform(Number),
  SITE_KEY_FILE: optionalFile,
  PAYMENT_SECRET_FILE: optionalFile,
  METRICS_LISTEN: z
    .string()
    .refine((value) => value === '' || isHost(value), 'is not an address and a port such as 127.0.0.1:9464')
    .refine((value) => value === '' || /:\d+$/.test(value), 'has no port')
    .transform((value) => {
      const [, host = '', port] = /^(.*):(\d+)$/.exec(value) ?? [];
      return value === '' ? null : { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
    }),
  DRAIN_SECONDS: z
    .string()
    .regex(/^(?:\d|[1-5]\d|60)$/, 'is not a number of seconds from 0 to 60')
    .transform(Number),
  INSTANCE: z.string().regex(/^[\w.-]{1,80}$/, 'is not a name of letters, digits, dots and hyphens, at most 80'),
};

/** Passed sockets begin here (SD_LISTEN_FDS_START in sd-daemon.h). */
const firstPassedFd = 3;

/** A value as a message repeats it: without the user name and the password that an address may hold. */
const withoutUser = (value: string): string => value.replace(/\/\/.*@/, '//…@');

/** Why the address of the database can't take a password from a file, or null. */
function whyNoPassword(databaseUrl: string | null): string | null {
  if (databaseUrl === null) {
    return 'is the password of no database: set DATABASE_URL';
  }
  const { password, searchParams } = new URL(databaseUrl);
  return password !== '' || searchParams.has('password')
    ? 'is a second password: take the one in DATABASE_URL out'
    : null;
}

/** The variables that configure the service, with their defaults as docs/configuration.md lists them. */
export const configVariables: Record<keyof typeof environment, string> = {
  PORT: '4321',
  HOST: '127.0.0.1',
  BASE_URL: 'http://localhost:PORT',
  DATA_DIR: './data',
  DIST_DIR: './dist',
  BUILD: 'when-needed',
  TRUST_PROXY: '',
  EDGE_SECRET: '',
  SITE_NAME: 'Porchlight',
  OWNER_NAME: 'the owner of this Porchlight',
  CONTACT: 'owner@example.com',
  SOURCE_URL: '',
  LOG_LEVEL: 'info',
  NGINX_LISTEN: '80',
  AUDIT_ALLOW_HOSTS: '',
  AUDIT_ALLOW_PORTS: '',
  DATABASE_URL: '',
  DATABASE_PASSWORD_FILE: '',
  DATABASE_POOL: '8',
  SITE_KEY_FILE: '',
  PAYMENT_SECRET_FILE: '',
  INSTANCE: 'the name of the host',
  METRICS_LISTEN: '',
  DRAIN_SECONDS: '0',
};

/**
 * Reads and checks the configuration. Throws one Error that names each variable that is wrong, what it held and what
 * is expected, so that a service with a bad setting does not start.
 */
export function readConfig(source: Record<string, string | undefined> = process.env): Config {
  const problems: string[] = [];
  const read = <Name extends keyof typeof environment>(
    name: Name,
    fallback: string,
  ): z.output<(typeof environment)[Name]> => {
    const given = source[name];
    const value = given === undefined || given === '' ? fallback : given;
    const result = environment[name].safeParse(value);
    if (!result.success) {
      const reason = result.error.issues[0]?.message ?? 'is not valid';
      const isSecret = name.endsWith('_SECRET') || name === 'DATABASE_URL';
      const shown = isSecret ? '…' : JSON.stringify(withoutUser(value));
      problems.push(`${name}=${shown} ${reason}`);
      return undefined as never;
    }
    return result.data as z.output<(typeof environment)[Name]>;
  };
  const port = read('PORT', configVariables.PORT);
  const config: Config = {
    port,
    host: read('HOST', configVariables.HOST),
    listenFd: source['LISTEN_FDS'] === '1' && source['LISTEN_PID'] === String(process.pid) ? firstPassedFd : null,
    baseUrl: read('BASE_URL', `http://localhost:${port ?? 4321}`),
    dataDir: read('DATA_DIR', configVariables.DATA_DIR),
    distDir: read('DIST_DIR', configVariables.DIST_DIR),
    build: read('BUILD', configVariables.BUILD),
    trustProxy: read('TRUST_PROXY', '') || null,
    edgeSecret: read('EDGE_SECRET', '') || null,
    siteName: read('SITE_NAME', configVariables.SITE_NAME),
    ownerName: read('OWNER_NAME', configVariables.OWNER_NAME),
    contact: read('CONTACT', configVariables.CONTACT),
    sourceUrl: read('SOURCE_URL', '') || null,
    logLevel: read('LOG_LEVEL', configVariables.LOG_LEVEL),
    nginxListen: read('NGINX_LISTEN', configVariables.NGINX_LISTEN),
    auditAllowHosts: read('AUDIT_ALLOW_HOSTS', configVariables.AUDIT_ALLOW_HOSTS),
    auditAllowPorts: read('AUDIT_ALLOW_PORTS', configVariables.AUDIT_ALLOW_PORTS),
    metricsListen: read('METRICS_LISTEN', ''),
    drainSeconds: read('DRAIN_SECONDS', configVariables.DRAIN_SECONDS),
    databaseUrl: read('DATABASE_URL', '') || null,
    databasePasswordFile: read('DATABASE_PASSWORD_FILE', '') || null,
    databasePool: read('DATABASE_POOL', configVariables.DATABASE_POOL),
    siteKeyFile: read('SITE_KEY_FILE', '') || null,
    paymentSecretFile: read('PAYMENT_SECRET_FILE', '') || null,
    instance: read(
      'INSTANCE',
      hostname()
        .replaceAll(/[^\w.-]/g, '-')
        .slice(0, 80) || 'porchlight',
    ),
  };
  const { databasePasswordFile, databaseUrl } = config;
  // An address that is refused is null too, and says enough.
  const clash = databasePasswordFile === null || problems.length > 0 ? null : whyNoPassword(databaseUrl);
  if (clash !== null) {
    problems.push(`DATABASE_PASSWORD_FILE=${JSON.stringify(databasePasswordFile)} ${clash}`);
  }
  if (problems.length > 0) {
    throw new Error(
      `The configuration is not usable. Correct these environment variables:\n  ${problems.join('\n  ')}`,
    );
  }
  return config;
}
