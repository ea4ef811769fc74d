import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { parse } from 'yaml';
import { configVariables } from '#api/config.ts';
import { pageSettings } from '../../scripts/support/build/stamp.ts';

const root = join(import.meta.dirname, '../..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'deploy-'));
after(() => rmSync(folder, { recursive: true }));

/** Of this project, and of Node.js and the C library. */
const known = new Set([
  ...Object.keys(configVariables),
  ...['NODE_ENV', 'NODE_COMPILE_CACHE'],
  ...['MALLOC_ARENA_MAX', 'MALLOC_MMAP_THRESHOLD_', 'MALLOC_TRIM_THRESHOLD_', 'MALLOC_TOP_PAD_'],
]);

test('npm start, the image and the systemd unit start node with the same options and the same settings of the C library', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
  const ways = {
    npm: scripts.start,
    image: read('Dockerfile').replace(/[",\]]/g, ''),
    systemd: read('deploy/porchlight.service'),
  };
  const settings = Object.values(ways).map((way) => ({
    options: /((?:--[\w-]+(?:=\d+)? )+)scripts\/start\.ts/.exec(way)?.[1],
    memory: way.match(/\bMALLOC_\w+=\d+/g),
  }));
  assert.match(settings[0]?.options ?? '', /--expose-gc /);
  assert.equal(settings[0]?.memory?.length, 4);
  assert.deepEqual(settings[1], settings[0]);
  assert.deepEqual(settings[2], settings[0]);
});

test('the image runs node as a user without rights, stops by SIGTERM, checks its health and never builds', () => {
  const lines = read('Dockerfile').split('\n');
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  assert.match(last[0] ?? '', /:nonroot$/);
  assert.ok(last.includes('STOPSIGNAL SIGTERM'));
  // A copied folder gets the usual mode; what's in it keeps its own.
  assert.ok(last.includes('COPY --from=build --chown=65532:65532 /state/ /'), 'its user owns the state');
  assert.match(lines.find((line) => line.includes('copy-runtime')) ?? '', / mkdir -m 700 \/state\/data$/);
  assert.ok(
    last.some((line) => /^CMD \[(?:"--[\w=-]+", )+"scripts\/start\.ts"\]$/.test(line)),
    'in exec form, without npm',
  );
  assert.ok(last.some((line) => line.startsWith('HEALTHCHECK ')));
  const environment = last.filter((line) => line.startsWith('ENV ')).join('\n');
  const names = [...environment.matchAll(/([A-Z_]+)=/g)].map(([, name = '']) => name);
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
  );
  assert.match(environment, /BUILD=never/);
});

test('the image is built and run with each setting that is in the pages, and compose.yaml passes them all', () => {
  const names = Object.values(pageSettings).sort();
  const [, ...stages] = read('Dockerfile').split(/^FROM /m);
  for (const stage of stages) {
    assert.deepEqual([...stage.matchAll(/^ARG ([A-Z_]+)/gm)].map(([, name]) => name).sort(), names);
  }
  const [, environment = ''] = /^ENV (.*BASE_URL=.*)$/m.exec(stages.at(-1) ?? '') ?? [];
  assert.deepEqual(environment.split(' ').sort(), names.map((name) => `${name}="$${name}"`).sort());
  const { args } = parse(read('compose.yaml')).services.web.build;
  assert.deepEqual(Object.keys(args).sort(), names);
  for (const name of names) {
    assert.match(args[name], new RegExp(`^\\$\\{${name}:-`));
  }
});

test('each documented build for the unit reads the settings that the unit reads', () => {
  const [, file = ''] = /^EnvironmentFile=(.+)$/m.exec(read('deploy/porchlight.service')) ?? [];
  const builds = read('docs/operating.md').match(/^.*cd \/opt\/porchlight-.*npm run build.*$/gm) ?? [];
  assert.equal(builds.length, 2, 'the first one and an upgrade');
  for (const build of builds) {
    assert.ok(build.includes(`(set -a && . ${file} && npm run build)`), build);
  }
});

test('the documented links of the unit lead to the new version, and fail where a folder is in the place of the link', () => {
  const links = read('docs/operating.md').match(/\bln -\S+ \/opt\/\S+ \/opt\/\S+/g) ?? [];
  assert.equal(links.length, 2, 'the first one and an upgrade');
  const opt = join(folder, 'opt');
  const run = (link: string): number | null => spawnSync('sh', ['-c', link.replaceAll('/opt', opt)]).status;
  mkdirSync(join(opt, 'porchlight'), { recursive: true });
  assert.deepEqual(links.map(run), [1, 1]);
  rmSync(join(opt, 'porchlight'), { recursive: true });
  assert.deepEqual(links.map(run), [0, 0]);
  assert.equal(readlinkSync(join(opt, 'porchlight')), join(opt, 'porchlight-1.1'));
});

test('the services of compose.yaml are configured by variables that there are', () => {
  const { services, secrets, networks } = parse(read('compose.yaml'));
  assert.deepEqual(
    Object.keys(services.web.environment).filter((name) => !known.has(name)),
    [],
  );
  const [{ subnet, gateway }] = networks.default.ipam.config;
  assert.equal(services.web.environment.TRUST_PROXY, subnet, 'the proxy is believed, wherever Docker puts networks');
  assert.deepEqual(services.proxy.ports, ['127.0.0.1:8080:8080'], 'only the host reaches what believes it');
  const believed = [...read('deploy/compose-nginx.conf').matchAll(/^set_real_ip_from (.+);$/gm)].map(
    ([, from]) => from,
  );
  assert.deepEqual(believed, [gateway]);
  assert.deepEqual([services.web.read_only, services.web.cap_drop, services.web.deploy.replicas], [true, ['ALL'], 2]);
  for (const service of [services.db, services.web]) {
    for (const secret of service.secrets) {
      assert.ok(secret in secrets, secret);
    }
  }
});

test('no password is in an environment of compose.yaml: each file that a service is told to read is a secret that it gets', () => {
  const { services } = parse(read('compose.yaml'));
  for (const { environment, secrets } of [services.db, services.web]) {
    const values = Object.entries<string>(environment);
    assert.deepEqual(
      values.filter(([name, value]) => /\$\{|:\/\/[^/]*:[^/]*@/.test(value) || /(?:PASSWORD|SECRET|KEY)$/.test(name)),
      [],
    );
    const files = values.filter(([name]) => name.endsWith('_FILE')).map(([, value]) => value);
    assert.deepEqual(files.sort(), secrets.map((name: string) => `/run/secrets/${name}`).sort());
  }
});

test('an upgrade of compose.yaml by the documented commands names services that there are, and the file that nginx looks for', () => {
  const { services } = parse(read('compose.yaml'), { merge: true });
  const { profiles, ...next } = services['web-next'];
  assert.deepEqual(next, services.web, 'the instances that stand in are as the others');
  assert.deepEqual(profiles, ['upgrade'], 'and start by name only');
  const nginx = read('deploy/compose-nginx.conf');
  const asked = [...nginx.matchAll(/set \$instances http:\/\/([\w-]+):4321;/g)].map(([, name]) => name);
  assert.deepEqual(asked, ['web', 'web-next']);
  const [, file = ''] = /if \(-f (\S+)\)/.exec(nginx) ?? [];
  const document = read('docs/operating.md');
  const steps = [...document.matchAll(/^docker compose (?!exec web )(.+?)(?: &&.*| +#.*)?$/gm)].map(
    ([, step = '']) => step,
  );
  assert.deepEqual(
    steps.filter((step) => step.startsWith('exec proxy')),
    [`exec proxy touch ${file}`, `exec proxy rm ${file}`],
  );
  const named = steps.flatMap((step) => /(?:--wait|--force|--no-deps|build) ([a-z][\w-]*)/.exec(step)?.[1] ?? []);
  assert.deepEqual(named, ['web', 'web-next', 'web', 'web-next', 'db', 'web']);
  assert.deepEqual(
    named.filter((name) => !(name in services)),
    [],
  );
});

test('the documented commands make every secret of compose.yaml, for the user of the image alone', () => {
  const { secrets } = parse(read('compose.yaml'));
  const document = read('docs/operating.md');
  for (const { file } of Object.values<{ file: string }>(secrets)) {
    assert.match(document, new RegExp(`(?:-out|>) ${file.replace('./', '')}(?:\\s|$)`, 'm'));
  }
  const [, user] = /--chown=(\d+):/.exec(read('Dockerfile')) ?? [];
  assert.match(document, new RegExp(`chmod 600 secrets/\\* && chown ${user} secrets/\\* backups`));
});

test('neither images nor commits hold the secrets and the backups of compose.yaml', () => {
  const { services, secrets } = parse(read('compose.yaml'));
  const files = Object.values<{ file: string }>(secrets).map(({ file }) => file);
  const mounted = services.web.volumes.map((volume: string) => volume.split(':')[0]);
  const folders = new Set([...files, ...mounted].map((path) => path.split('/')[1]));
  assert.deepEqual([...folders].sort(), ['backups', 'secrets']);
  for (const folder of [...folders, '.env']) {
    assert.ok(read('.dockerignore').split('\n').includes(folder), `.dockerignore has ${folder}`);
    assert.match(read('.gitignore'), new RegExp(`^/?${folder}/?$`, 'm'));
  }
});

test('the folders of the backups that operators are told to make are folders that the service may write to', () => {
  const folders = [...read('docs/operating.md').matchAll(/scripts\/owner\.ts backup (\/\S+)\/[\d-]+/g)].map(
    ([, path]) => path,
  );
  const [, units = ''] = /^StateDirectory=(.+)$/m.exec(read('deploy/porchlight.service')) ?? [];
  const mounted = parse(read('compose.yaml')).services.web.volumes.map((volume: string) => volume.split(':')[1]);
  assert.deepEqual(folders, [`/var/lib/${units.split(' ')[1]}`, mounted[0]]);
});

test('systemd takes the units as they are', (t) => {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    t.diagnostic('there is no systemd here to ask');
    return;
  }
  const [, program = ''] = /^ExecStart=\/opt\/porchlight\/(\S+) /m.exec(read('deploy/porchlight.service')) ?? [];
  assert.ok(existsSync(join(root, program)), `${program} is in the project`);
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'node'), '#!/bin/sh\n');
  chmodSync(join(bin, 'node'), 0o755);
  const unit = join(folder, 'porchlight.service');
  writeFileSync(
    unit,
    read('deploy/porchlight.service').replace('/opt/porchlight/node_modules/.bin/node', join(bin, 'node')),
  );
  const socket = join(folder, 'porchlight.socket');
  writeFileSync(socket, read('deploy/porchlight.socket'));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit, socket], { encoding: 'utf8' });
  const about = stderr.split('\n').filter((line) => /porchlight\.(?:service|socket)/.test(line));
  assert.deepEqual([status, about], [0, []]);
  const variables = [...read('deploy/porchlight.service').matchAll(/\b([A-Z_]{4,})=/g)].map(([, name = '']) => name);
  assert.deepEqual(
    variables.filter((name) => !known.has(name)),
    [],
  );
});
