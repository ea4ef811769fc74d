import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import expressApp from 'express';
import type { PlatformId } from '#api/audit/fixes/platforms/index.ts';
import type { FixFile } from '#api/audit/fixes/platforms/platform.ts';
import { startNginx } from '../../../scripts/support/nginx.ts';
import { waitFor } from '../../../scripts/support/ports.ts';
import { startWorkerd } from '../../../scripts/support/workerd.ts';

/** A folder of pages with the port to serve them on. */
export interface Served {
  /** A scratch folder of the test. */
  folder: string;
  /** The document root in it. */
  site: string;
  port: number;
}

interface Running {
  stop(): Promise<void>;
}

/** A real server: as it serves a plain folder, and as it serves it with the files of a fix pasted in. */
export interface Front {
  platform: PlatformId;
  /** True where pages have no address with .html, and their markdown is made from the running site. */
  hasNoEndings?: boolean;
  plain(served: Served): Promise<Running>;
  fixed(served: Served, files: readonly FixFile[]): Promise<Running>;
}

const root = join(import.meta.dirname, '../../..');

/** Runs the script of the fixes that makes the markdown, from below the project, so that the packages that it names are found. */
export async function runTwinScript({ folder, port }: Served, args: string[]): Promise<void> {
  const script = join(root, 'node_modules/.cache', `make-twins-${port}.mjs`);
  await mkdir(dirname(script), { recursive: true });
  await copyFile(join(folder, 'make-twins.mjs'), script);
  const child = spawn(process.execPath, [script, ...args], { stdio: 'ignore' });
  const [code] = await once(child, 'exit');
  await rm(script);
  if (code !== 0) {
    throw new Error(`make-twins.mjs ended with ${code}`);
  }
}

async function run(command: string, args: string[], options: { cwd: string }, probe: string): Promise<Running> {
  const child: ChildProcess = spawn(command, args, { ...options, stdio: 'ignore' });
  const ended = once(child, 'exit');
  await Promise.race([
    waitFor(probe),
    ended.then(([code]) => {
      throw new Error(`${command} ended with ${code}`);
    }),
  ]);
  return {
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** The text of one file of a fix, with lines that the owner keeps as their own put in. */
function textOf(files: readonly FixFile[], path: RegExp, own: [RegExp, string][] = []): string {
  const file = files.find((each) => path.test(each.path));
  if (file === undefined) {
    throw new Error(`the fix has no file ${path}`);
  }
  return own.reduce((text, [pattern, value]) => {
    if (!pattern.test(text)) {
      throw new Error(`${file.path} has no ${pattern}`);
    }
    return text.replace(pattern, value);
  }, file.text);
}

/** Writes the files that go into the root of a project. */
async function writeProject(folder: string, files: readonly FixFile[]): Promise<void> {
  for (const { path, text } of files.filter(({ place }) => place === 'project')) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules')).catch(() => undefined);
}

const probeOf = ({ port }: Served): string => `http://127.0.0.1:${port}/`;

async function serveNginx(served: Served, name: string, text: string): Promise<Running> {
  const file = join(served.folder, `${name}.conf`);
  await writeFile(file, `include /etc/nginx/mime.types;\n${text}`);
  return startNginx(file, served.folder, probeOf(served));
}

const nginx: Front = {
  platform: 'nginx',
  plain: (served) => serveNginx(served, 'plain', `server { listen ${served.port}; root ${served.site}; }`),
  fixed: (served, files) =>
    serveNginx(
      served,
      'fixed',
      textOf(files, /\.conf$/, [
        [/listen .*/, `listen ${served.port};`],
        [/root .*/, `root ${served.site};`],
      ]),
    ),
};

async function serveApache(served: Served): Promise<Running> {
  const modules = ['authz_core', 'dir', 'mime', 'rewrite', 'headers', 'mpm_event'];
  const lines = [
    `ServerRoot ${served.folder}`,
    `PidFile ${served.folder}/apache.pid`,
    `ErrorLog ${served.folder}/apache.log`,
    `Listen 127.0.0.1:${served.port}`,
    'ServerName 127.0.0.1',
    ...modules.map((name) => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    'TypesConfig /etc/mime.types',
    'User nobody',
    'Group nogroup',
    'DirectoryIndex index.html',
    `DocumentRoot ${served.site}`,
    `<Directory ${served.site}>`,
    '  AllowOverride All',
    '  Require all granted',
    '</Directory>',
  ];
  const file = join(served.folder, 'apache.conf');
  await writeFile(file, `${lines.join('\n')}\n`);
  execFileSync('chmod', ['-R', 'a+rX', served.folder]);
  return run('/usr/sbin/apache2', ['-f', file, '-DFOREGROUND'], { cwd: served.folder }, probeOf(served));
}

const apache: Front = {
  platform: 'apache',
  plain: serveApache,
  async fixed(served, files) {
    await writeFile(join(served.site, '.htaccess'), textOf(files, /^\.htaccess$/));
    return serveApache(served);
  },
};

async function serveCaddy(served: Served, text: string): Promise<Running> {
  const file = join(served.folder, 'Caddyfile');
  await writeFile(file, `{\n\tadmin off\n\tauto_https off\n}\n${text}`);
  return run('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], { cwd: served.folder }, probeOf(served));
}

const caddy: Front = {
  platform: 'caddy',
  plain: (served) =>
    serveCaddy(served, `http://127.0.0.1:${served.port} {\n\troot * ${served.site}\n\tfile_server\n}\n`),
  fixed: (served, files) => serveCaddy(served, textOf(files, /^Caddyfile$/, [[/root \* .*/, `root * ${served.site}`]])),
};

async function serveExpress(served: Served, lines: string[]): Promise<Running> {
  const file = join(served.folder, 'app.mjs');
  await writeFile(join(served.folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(file, `${lines.join('\n')}\n`);
  await writeProject(served.folder, []);
  return run(process.execPath, [file], { cwd: served.folder }, probeOf(served));
}

const express: Front = {
  platform: 'express',
  plain: (served) =>
    serveExpress(served, [
      "import express from 'express';",
      'const app = express();',
      `app.use(express.static(${JSON.stringify(served.site)}));`,
      `app.listen(${served.port}, '127.0.0.1');`,
    ]),
  async fixed(served, files) {
    await writeProject(served.folder, files);
    const own = textOf(files, /^for-agents\.js$/, [
      [/const pages = .*/, `const pages = ${JSON.stringify(served.site)};`],
    ]);
    await writeFile(join(served.folder, 'for-agents.js'), own);
    return serveExpress(served, [
      "import express from 'express';",
      "import { forAgents, notFound, serveFiles } from './for-agents.js';",
      'const app = express();',
      'app.use(forAgents);',
      'app.use(serveFiles);',
      'app.use(notFound);',
      `app.listen(${served.port}, '127.0.0.1');`,
    ]);
  },
};

/** Static assets as Cloudflare serves them: addresses without ending, and the nearest 404 page. */
async function serveAssets(site: string): Promise<{ port: number; close(): void }> {
  const app = expressApp();
  app.disable('x-powered-by');
  app.use(expressApp.static(site, { extensions: ['html'] }));
  app.use((_request, response) => {
    response.status(404).sendFile('404.html', { root: site });
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, close: () => server.close() };
}

async function serveWorker(served: Served, worker: string): Promise<Running> {
  const assets = await serveAssets(served.site);
  await writeFile(join(served.folder, 'worker.js'), worker);
  const running = await startWorkerd({
    ...{ folder: served.folder, port: served.port, script: 'worker.js' },
    assets: { address: `127.0.0.1:${assets.port}` },
  });
  return {
    async stop() {
      await running.stop();
      assets.close();
    },
  };
}

const cloudflare: Front = {
  platform: 'cloudflare',
  plain: (served) => serveWorker(served, 'export default { fetch: (request, env) => env.ASSETS.fetch(request) };\n'),
  fixed: (served, files) => serveWorker(served, textOf(files, /^worker\.js$/)),
};

/**
 * Builds an Astro project of the pages and serves what it wrote. The owner's pages are `src/pages`, all else is `public`;
 * the twins that the test made are left out, since the build makes them.
 */
async function serveAstro(served: Served, serve: (site: string) => Promise<Running>, config: string): Promise<Running> {
  const pages = join(served.folder, 'src/pages');
  const assets = join(served.folder, 'public');
  await rm(join(served.folder, 'dist'), { recursive: true, force: true });
  for (const file of await readdir(served.site, { recursive: true, withFileTypes: true })) {
    const from = join(file.parentPath, file.name);
    const isTwin = /\.md$/.test(from) && file.name !== '404.md' && existsSync(from.replace(/\.md$/, '.html'));
    if (file.isFile() && !isTwin) {
      const to = join(file.name.endsWith('.html') ? pages : assets, relative(served.site, from));
      await mkdir(dirname(to), { recursive: true });
      await copyFile(from, to);
    }
  }
  await writeFile(join(served.folder, 'package.json'), '{ "type": "module" }\n');
  await writeFile(join(served.folder, 'astro.config.mjs'), config);
  await writeProject(served.folder, []);
  const command = join(root, 'node_modules/astro/bin/astro.mjs');
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: '1' };
  execFileSync(process.execPath, [command, 'build'], { cwd: served.folder, env, stdio: 'pipe' });
  return serve(join(served.folder, 'dist'));
}

/** Pages keep the addresses that they have in the folder. */
const astroFormat = "build: { format: 'preserve' },";

const astro: Front = {
  platform: 'astro',
  plain: (served) =>
    serveAstro(
      served,
      (site) => nginx.plain({ ...served, site }),
      `import { defineConfig } from 'astro/config';\nexport default defineConfig({ ${astroFormat} });\n`,
    ),
  async fixed(served, files) {
    const own = textOf(files, /^astro\.config\.mjs$/, [[/defineConfig\(\{/, `defineConfig({ ${astroFormat}`]]);
    await writeProject(served.folder, files);
    return serveAstro(served, (site) => nginx.fixed({ ...served, site }, files), own);
  },
};

/** The element of a page's source as React takes it: its tag, its attributes and its text. */
type Hoisted = [tag: string, props: Record<string, string>, text: string];

/** What React hoists into the head of a page, read from the head of a file. */
function hoistedOf(head: string): Hoisted[] {
  const reactNames: Record<string, string> = { charset: 'charSet', 'http-equiv': 'httpEquiv', hreflang: 'hrefLang' };
  return [...head.matchAll(/<(title|meta|link|script)\b([^>]*)>(?:([^<]*)<\/\1>)?/g)]
    .map(([, tag = '', attributes = '', text = '']): Hoisted => {
      const pairs = [...attributes.matchAll(/([\w-]+)="([^"]*)"/g)];
      return [
        tag,
        Object.fromEntries(pairs.map(([, name = '', value = '']) => [reactNames[name] ?? name, value])),
        text,
      ];
    })
    .filter(([, props]) => props['charSet'] === undefined);
}

/** Addresses as Next.js has them: without endings and without a slash at the end; a twin keeps the ending of markdown. */
const route = (text: string): string =>
  text.replace(/href="((?:https?:\/\/[^/"]+)?\/)([^"]*)"/g, (_, before: string, path: string) => {
    const plain = path.replace(/(?:^|\/)index\.html$|\.html$|\/$/, '').replace(/(?<=.)\/index\.md$/, '.md');
    return `href="${before}${plain}"`;
  });

/** A page of Next.js that says what a file of HTML says: its routes have no endings, so the links lose theirs. */
function toNextPage(html: string): string {
  const [, head = '', body = ''] = /<head>(.*?)<\/head>\s*<body>(.*?)<\/body>/s.exec(html) ?? [];
  return `import { createElement } from 'react';

const head = ${JSON.stringify(hoistedOf(route(head)))};

export default function Page() {
  return (
    <>
      {head.map(([tag, props, text], index) =>
        tag === 'script'
          ? createElement(tag, { key: index, ...props, dangerouslySetInnerHTML: { __html: text } })
          : createElement(tag, { key: index, ...props }, ...(text === '' ? [] : [text])),
      )}
      <div dangerouslySetInnerHTML={{ __html: ${JSON.stringify(route(body))} }} />
    </>
  );
}
`;
}

const nextLayout =
  'export default function Layout({ children }) {\n  return <html lang="en"><body>{children}</body></html>;\n}\n';

/** Writes the pages as routes of Next.js, and all else into `public`; the twins are left to the script. */
async function writeNext({ folder, site }: Served): Promise<void> {
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }\n');
  await mkdir(join(folder, 'app'), { recursive: true });
  await writeFile(join(folder, 'app/layout.jsx'), nextLayout);
  for (const entry of await readdir(site, { recursive: true, withFileTypes: true })) {
    const from = join(entry.parentPath, entry.name);
    const path = relative(site, from);
    const isTwin = path.endsWith('.md') && existsSync(from.replace(/\.md$/, '.html')) && path !== '404.md';
    if (!entry.isFile() || isTwin) {
      continue;
    }
    const isPage = path.endsWith('.html');
    const to = !isPage
      ? join('public', path)
      : path === '404.html'
        ? 'app/not-found.jsx'
        : join('app', path.replace(/(?:^|\/)index\.html$/, '').replace(/\.html$/, ''), 'page.jsx');
    await mkdir(dirname(join(folder, to)), { recursive: true });
    await (isPage
      ? writeFile(join(folder, to), toNextPage(await readFile(from, 'utf8')))
      : copyFile(from, join(folder, to)));
  }
}

const nextCommand = join(root, 'node_modules/next/dist/bin/next');

async function serveNext(served: Served): Promise<Running> {
  const args = [nextCommand, 'start', '-p', String(served.port), '-H', '127.0.0.1'];
  return run(process.execPath, args, { cwd: served.folder }, probeOf(served));
}

/** Builds with webpack: Turbopack takes no packages from outside the folder of a project. */
function buildNext({ folder }: Served): void {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1', NODE_ENV: 'production' };
  execFileSync(process.execPath, [nextCommand, 'build', '--webpack'], { cwd: folder, env, stdio: 'pipe' });
}

const nextjs: Front = {
  platform: 'nextjs',
  hasNoEndings: true,
  async plain(served) {
    await writeNext(served);
    await writeProject(served.folder, []);
    buildNext(served);
    return serveNext(served);
  },
  async fixed(served, files) {
    await writeNext(served);
    await writeProject(served.folder, files);
    buildNext(served);
    const first = await serveNext(served);
    const origin = probeOf(served).slice(0, -1);
    await runTwinScript(served, [join(served.folder, 'public'), origin, '--from', origin]).finally(() => first.stop());
    return serveNext(served);
  },
};

/** Every server that a pasted configuration is tried on. */
export const fronts: readonly Front[] = [nginx, apache, caddy, express, cloudflare, astro, nextjs];
