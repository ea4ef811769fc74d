// node --test test.mjs: reads every file of this folder with the program that will read it on your server, where that is installed.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';
import { after, test } from 'node:test';

const scratch = mkdtempSync(join(tmpdir(), 'playbook-'));
after(() => rmSync(scratch, { recursive: true }));

/** Runs a program; returns what is wrong, nothing when all is well, or undefined when it isn't installed. */
function run(program, args) {
  const { error, status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  return error?.code === 'ENOENT' ? undefined : status === 0 ? '' : `${stdout}${stderr}`;
}

function write(name, text) {
  const file = join(scratch, name);
  writeFileSync(file, text);
  return file;
}

const script = (text) => run(process.execPath, ['--check', write('script.mjs', text)]);

/** nginx reads whole configurations: what belongs into your own gets a frame, and what is yours a stand-in. */
function nginx(text) {
  const inside = text
    .replace(/^load_module .*$/m, '')
    .replace(/^js_import .*$/m, '')
    .replace(/^js_set (\$\w+) .*$/m, 'map "" $1 { default html; }')
    .replace('include /srv/servers/http.nginx;', 'map "" $discovery_link { default ""; }')
    .replace(/^ *include \/.*$/gm, '')
    .replace(/\/var\/(?:log|cache)\/nginx/g, scratch)
    .replace(/^server \{\n(?! *listen)/gm, `$&    listen unix:${scratch}/nginx.sock;\n`)
    .replace(/listen 127\.0\.0\.1:\d+;/g, `listen unix:${scratch}/inner.sock;`);
  const log = join(scratch, 'error.log');
  const whole = `pid ${scratch}/nginx.pid;\nerror_log ${log};\nevents {}\nhttp {\naccess_log ${scratch}/access.log;\n${inside}\n}\n`;
  return run('nginx', ['-t', '-c', write('nginx.conf', whole), '-e', log]);
}

/** Apache with every module that is installed, but one process model alone. */
function apache(text) {
  const modules = ['/usr/lib/apache2/modules', '/usr/lib64/httpd/modules', '/usr/libexec/apache2'].find(existsSync);
  if (modules === undefined) {
    return undefined;
  }
  const loads = readdirSync(modules)
    .filter(
      (name) =>
        /^mod_.*\.so$/.test(name) &&
        !/mod_(?:mpm_(?!event)|php|cgid?\.|heartmonitor|lbmethod|proxy_balancer|dav|md)/.test(name),
    )
    .map((name) => `LoadModule ${name.slice(4, -3)}_module ${join(modules, name)}`);
  const key = join(scratch, 'key.pem');
  run('openssl', [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
    '-subj',
    '/CN=example.com',
    '-keyout',
    key,
    '-out',
    key,
  ]);
  const inside = text
    .replace(/^( *)(SSLCertificate(?:Key)?File) .*$/gm, `$1$2 ${key}`)
    .replace(/^ *Include .*$/gm, '')
    .replace(/\$\{APACHE_LOG_DIR\}/g, scratch);
  const isVirtualHost = /^<VirtualHost/m.test(text);
  const frame = [
    'ServerName localhost',
    `ServerRoot ${scratch}`,
    `PidFile ${scratch}/pid`,
    `ErrorLog ${scratch}/log`,
    `DocumentRoot ${scratch}`,
    'Listen 18080',
    ...loads,
  ];
  const whole = `${frame.join('\n')}\n${isVirtualHost ? inside : `<Directory ${scratch}>\n${inside}\n</Directory>`}\n`;
  const file = write('apache.conf', whole);
  return run('apache2', ['-t', '-f', file]) ?? run('httpd', ['-t', '-f', file]);
}

/** Caddy without what you make yourself. Before 2.8 it called basic_auth by another name. */
function caddy(text) {
  const inside = text.replace(/^\s*import \/.*$/gm, '').replace(/^(\s*)basic_auth /gm, '$1basicauth ');
  return run('caddy', ['adapt', '--adapter', 'caddyfile', '--config', write('Caddyfile', inside)]);
}

function json(text) {
  // What the server puts in stands in comments; of a choice the last one is read.
  JSON.parse(
    text
      .replace(/<!--#if[\s\S]*?<!--#else -->/g, '')
      .replace('<!--#endif -->', '')
      .replace(/<!--#.*?-->/g, '0'),
  );
  return '';
}

const readers = [
  [/\.(?:m?js)$/, 'Node.js', (text) => script(text)],
  [/\.ts$/, 'Node.js', (text) => script(stripTypeScriptTypes(text))],
  [/\.jsonc?$/, 'JSON', json],
  [/^nginx\.conf$/, 'nginx', nginx],
  [/^(?:site\.conf|\.htaccess)$/, 'Apache', apache],
  [/^Caddyfile$/, 'Caddy', caddy],
  [/\.php$/, 'PHP', (text) => run('php', ['-l', write('file.php', text)])],
  [/\.sh$/, 'sh', (text) => run('sh', ['-n', write('prove.sh', text)])],
];

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.parentPath !== folder)
  .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
  .sort();

for (const file of files) {
  const [, program, read] = readers.find(([name]) => name.test(basename(file))) ?? [];
  if (read !== undefined) {
    test(`${file}: ${program}`, (context) => {
      const wrong = read(readFileSync(join(folder, file), 'utf8'));
      if (wrong === undefined) {
        context.skip(`${program} can't read it here`);
      } else {
        assert.equal(wrong, '');
      }
    });
  }
}

test('each proof has what it should print', () => {
  const proofs = files.filter((file) => basename(file) === 'prove.sh');
  assert.ok(proofs.length > 0);
  for (const proof of proofs) {
    assert.ok(existsSync(join(folder, dirname(proof), 'expected.txt')), proof);
  }
});
