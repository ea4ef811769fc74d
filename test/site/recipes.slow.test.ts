import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { build } from 'esbuild';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { visit } from 'unist-util-visit';
import { parse } from 'yaml';
import { projectDir } from '../../scripts/support/build/stamp.ts';
import { freePort, waitFor } from '../../scripts/support/ports.ts';
import { findDjango, findHugo, findLaravel, findPhp, findRails } from '../../scripts/support/requirements.ts';

const recipesDir = join(projectDir, 'site/content/recipes');
const folder = await mkdtemp(join(tmpdir(), 'porchlight-recipes-'));
after(() => rm(folder, { recursive: true, force: true }));

const headOf = (id: string): { versions: string; run: string } =>
  parse(/^---\n(.*?)\n---\n/s.exec(readFileSync(join(recipesDir, `${id}.md`), 'utf8'))?.[1] ?? '');

/** Writes the files that a recipe prints, and what an owner has of their own, into a folder; returns it. */
async function project(id: string, own: Record<string, string>): Promise<string> {
  const root = join(folder, id);
  const files = new Map(Object.entries(own));
  const source = await readFile(join(recipesDir, `${id}.md`), 'utf8');
  visit(unified().use(remarkParse).parse(source), 'code', ({ meta, value }) => {
    const name = /^file=(\S+)$/.exec(meta ?? '')?.[1];
    if (name !== undefined) {
      files.set(name, `${value}\n`);
    }
  });
  for (const [name, text] of files) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  return root;
}

async function serve(command: string, args: string[], cwd: string, probe: string, env = {}): Promise<ChildProcess> {
  const child = spawn(command, args, { cwd, stdio: 'ignore', env: { ...process.env, ...env } });
  await Promise.race([
    waitFor(probe),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${command} ended with ${code}`);
    }),
  ]);
  return child;
}

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

/** What each `Accept` has to be answered with by a server that weighs. */
const wanted: [accept: string, type: string][] = [
  ['text/html', html],
  ['*/*', html],
  ['text/markdown', markdown],
  ['text/html;q=0.5, text/markdown', markdown],
  ['text/html, text/markdown;q=0.5', html],
  ['text/html, text/markdown;q=0', html],
];

async function judgeServer(origin: string): Promise<void> {
  for (const [accept, type] of wanted) {
    const response = await fetch(`${origin}/visit`, { headers: { Accept: accept } });
    assert.deepEqual(
      [response.status, response.headers.get('content-type')?.toLowerCase(), response.headers.get('vary')],
      [200, type, 'Accept'],
      accept,
    );
    assert.match(response.headers.get('link') ?? '', /<\/visit\.md>; rel="alternate"; type="text\/markdown"/);
    assert.match(response.headers.get('link') ?? '', /<\/llms\.txt>; rel="describedby"/);
    assert.equal((await response.text()).startsWith('# Visit'), type === markdown);
  }
  const twin = await fetch(`${origin}/visit.md`);
  assert.deepEqual([twin.status, twin.headers.get('content-type')], [200, markdown]);
  assert.equal((await fetch(`${origin}/nothing`)).status, 404);
}

/** A twin and its links in a folder of built files. */
async function judgeFiles(site: string): Promise<void> {
  const page = await readFile(join(site, 'visit/index.html'), 'utf8');
  assert.match(page, /<link rel="alternate" type="text\/markdown" href="https:\/\/example\.com\/visit\/index\.md">/);
  assert.match(page, /<link rel="describedby" type="text\/markdown" href="\/llms\.txt">/);
  const twin = await readFile(join(site, 'visit/index.md'), 'utf8');
  assert.match(twin, /^# Visit & see\n/);
  assert.match(twin, /Open \*\*daily\*\*\./);
  const index = await readFile(join(site, 'llms.txt'), 'utf8');
  assert.match(index, /^# Example Observatory\n\n> Opening hours, telescopes and public data\.\n/);
  assert.match(index, /^- \[Visit & see\]\(https:\/\/example\.com\/visit\/index\.md\): Opening hours$/m);
  const addresses = [...index.matchAll(/\]\(https:\/\/example\.com(.*?)\)/g)].map(([, path = '']) => path);
  assert.ok(addresses.length > 1 && addresses.every((path) => existsSync(join(site, path))), addresses.join());
}

const visitPage = '---\ntitle: Visit & see\ndescription: Opening hours\nlayout: base.njk\n---\n\nOpen **daily**.\n';
const homePage = '---\ntitle: Home\ndescription: The start\nlayout: base.njk\n---\n\nHello.\n';

const runs: Record<string, () => Promise<string>> = {
  async hugo() {
    const base =
      '<!doctype html><html lang="en"><head><title>{{ .Title }}</title>{{ partial "twins.html" . }}</head><body>{{ .Content }}</body></html>';
    const root = await project('hugo', {
      'content/visit.md': visitPage,
      'content/docs/data.md': '---\ntitle: Data\n---\n\nFormats.\n',
      'layouts/_default/single.html': base,
      'layouts/_default/list.html': base,
    });
    execFileSync(findHugo(), ['--quiet'], { cwd: root });
    await judgeFiles(join(root, 'public'));
    assert.match(await readFile(join(root, 'public/docs/index.md'), 'utf8'), /\]\(https:.*\/docs\/data\/index\.md\)/);
    return execFileSync(findHugo(), ['version'], { encoding: 'utf8' });
  },
  async eleventy() {
    const root = await project('eleventy', {
      'package.json': '{"type":"module"}',
      'index.md': homePage,
      'visit.md': visitPage,
      '_includes/base.njk':
        '<!doctype html><html lang="en"><head><title>{{ title }}</title>{% include "head.njk" %}</head><body>{{ content | safe }}</body></html>',
    });
    await symlink(join(projectDir, 'node_modules'), join(root, 'node_modules'));
    const command = join(projectDir, 'node_modules/@11ty/eleventy/cmd.cjs');
    execFileSync(process.execPath, [command, '--quiet'], { cwd: root });
    await judgeFiles(join(root, '_site'));
    return execFileSync(process.execPath, [command, '--version'], { encoding: 'utf8' });
  },
  async docusaurus() {
    const stated = headOf('docusaurus').versions.replace(/^\D+/, '');
    const packages = {
      '@docusaurus/core': stated,
      '@docusaurus/preset-classic': stated,
      react: '^19',
      'react-dom': '^19',
    };
    const root = await project('docusaurus', {
      'package.json': JSON.stringify({ private: true, dependencies: packages }),
      'docs/visit.md': '---\ntitle: Visit & see\ndescription: Opening hours\n---\n\nOpen **daily**.\n',
      'docs/later.md': '---\ndraft: true\n---\n\n# Later\n',
      'src/pages/index.md': '# Home\n',
    });
    // No script of a package runs, and nothing of it is kept.
    execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root });
    execFileSync(process.execPath, [join(root, 'node_modules/@docusaurus/core/bin/docusaurus.mjs'), 'build'], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const built = (name: string): Promise<string> => readFile(join(root, 'build', name), 'utf8');
    const page = await built('docs/visit/index.html');
    assert.match(page, /<link rel="alternate" type="text\/markdown" href="https:\/\/example\.com\/docs\/visit\.md">/);
    assert.match(page, /<link[^>]*rel="describedby" type="text\/markdown" href="\/llms\.txt">/);
    assert.equal(await built('docs/visit.md'), '# Visit & see\n\nOpen **daily**.\n');
    assert.equal(
      await built('llms.txt'),
      '# Example Observatory\n\n> Opening hours, telescopes and public data.\n\n## Docs\n\n- [Visit & see](https://example.com/docs/visit.md): Opening hours\n',
    );
    const core = join(root, 'node_modules/@docusaurus/core/package.json');
    return String((JSON.parse(await readFile(core, 'utf8')) as { version: unknown }).version);
  },
  async django() {
    const root = await project('django', {
      'settings.py': [
        'SECRET_KEY = "test"',
        'ALLOWED_HOSTS = ["*"]',
        'ROOT_URLCONF = "urls"',
        'USE_TZ = True',
        'TEMPLATES = [{"BACKEND": "django.template.backends.django.DjangoTemplates", "DIRS": ["templates"]}]',
      ].join('\n'),
      'templates/visit.html': '<!doctype html><title>Visit</title><h1>Visit</h1>',
      'templates/visit.md': '# Visit\n',
    });
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const args = ['-m', 'django', 'runserver', `127.0.0.1:${port}`, '--noreload'];
    const server = await serve(findDjango(), args, root, `${origin}/llms.txt`, { DJANGO_SETTINGS_MODULE: 'settings' });
    try {
      await judgeServer(origin);
      assert.match(await (await fetch(`${origin}/llms.txt`)).text(), /^- \[Visit\]\(http:.*\/visit\.md\): Opening/m);
    } finally {
      server.kill('SIGTERM');
    }
    return execFileSync(findDjango(), ['-m', 'django', '--version'], { encoding: 'utf8' });
  },
  async php() {
    const root = await project('php', {
      'pages/visit.html': '<!doctype html><title>Visit</title><h1>Visit</h1>',
      'pages/visit.md': '# Visit\n',
      'secret.html': 'not a page',
    });
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = await serve(findPhp(), ['-S', `127.0.0.1:${port}`, 'index.php'], root, origin);
    try {
      await judgeServer(origin);
      for (const path of ['/%2e%2e%2fsecret', '/..%5csecret', '/secret', '/visit%00.md']) {
        assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
      }
    } finally {
      server.kill('SIGTERM');
    }
    return execFileSync(findPhp(), ['--version'], { encoding: 'utf8' });
  },
  async laravel() {
    const root = await project('laravel', {
      'resources/views/visit.blade.php': '<!doctype html><title>{{ $title ?? "Visit" }}</title><h1>Visit</h1>',
      'resources/markdown/visit.md': '# Visit\n',
      'storage/views/.keep': '',
      'bootstrap/cache/.keep': '',
      'secret.md': 'not a twin',
      'config/app.php': `<?php return [
        'env' => 'production', 'debug' => false, 'locale' => 'en', 'cipher' => 'AES-256-CBC', 'key' => str_repeat('k', 32),
        'providers' => [
          Illuminate\\Filesystem\\FilesystemServiceProvider::class, Illuminate\\Foundation\\Providers\\FoundationServiceProvider::class,
          Illuminate\\Translation\\TranslationServiceProvider::class, Illuminate\\View\\ViewServiceProvider::class,
        ]];`,
      'config/view.php': "<?php return ['paths' => [resource_path('views')], 'compiled' => storage_path('views')];",
      'config/logging.php':
        "<?php return ['default' => 'none', 'channels' => ['none' => ['driver' => 'monolog', 'handler' => Monolog\\Handler\\NullHandler::class]]];",
      'index.php': `<?php
require 'Illuminate/autoload.php';
require __DIR__ . '/app/Http/Middleware/MarkdownTwin.php';
$app = new Illuminate\\Foundation\\Application(__DIR__);
$app->singleton(Illuminate\\Contracts\\Http\\Kernel::class, Illuminate\\Foundation\\Http\\Kernel::class);
$app->singleton(Illuminate\\Contracts\\Debug\\ExceptionHandler::class, Illuminate\\Foundation\\Exceptions\\Handler::class);
$app->booted(fn () => Illuminate\\Support\\Facades\\Route::group([], __DIR__ . '/routes/web.php'));
$app->make(Illuminate\\Contracts\\Http\\Kernel::class)->handle(Illuminate\\Http\\Request::capture())->send();
`,
    });
    const port = await freePort();
    const origin = `http://127.0.0.1:${port}`;
    const server = await serve(findLaravel(), ['-S', `127.0.0.1:${port}`, 'index.php'], root, origin);
    try {
      await judgeServer(origin);
      for (const path of ['/%2e%2e%2f%2e%2e%2fsecret.md', '/..%5csecret.md', '/secret.md', '/visit%00.md']) {
        assert.equal((await fetch(`${origin}${path}`)).status, 404, path);
      }
    } finally {
      server.kill('SIGTERM');
    }
    const version = "require 'Illuminate/autoload.php'; echo Illuminate\\Foundation\\Application::VERSION;";
    return execFileSync(findLaravel(), ['-r', version], { encoding: 'utf8' });
  },
  async rails() {
    const asked = [...wanted, ['text/markdown, */*;q=0.1', html]];
    const root = await project('rails', {
      'app/controllers/application_controller.rb': 'class ApplicationController < ActionController::Base; end',
      'app/views/pages/visit.html.erb': '<!doctype html><title>Visit</title><h1>Visit</h1>',
      'content/visit.md': '# Visit\n',
      'run.rb': `
require 'json'
require 'logger'
require 'action_controller/railtie'
class Site < Rails::Application
  config.root = __dir__
  config.eager_load = false
  config.secret_key_base = 'test'
  config.logger = Logger.new(IO::NULL)
end
Rails.application.initialize!
request = Rack::MockRequest.new(Rails.application)
answers = JSON.parse(ARGV[0]).map { |accept| request.get('/visit', 'HTTP_ACCEPT' => accept) }
answers << request.get('/visit.md')
puts JSON.generate(answers.map { |one| [one.status, one['Content-Type'], one['Vary'], one['Link'], one.body] })
`,
    });
    const printed = execFileSync(findRails(), ['run.rb', JSON.stringify(asked.map(([accept]) => accept))], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, RAILS_ENV: 'production' },
    });
    const answers: string[][] = JSON.parse(printed);
    assert.equal(answers.length, asked.length + 1);
    for (const [index, [status, type, vary, link, body]] of answers.entries()) {
      const expected = asked[index]?.[1] ?? markdown;
      // Newer builds of Rails add X-Requested-With themselves.
      const own = vary?.replace(/, X-Requested-With$/, '');
      assert.deepEqual([status, type, own], [200, expected, 'Accept'], asked[index]?.[0] ?? '/visit.md');
      assert.match(link ?? '', /<\/visit\.md>; rel="alternate"/);
      assert.equal(body?.startsWith('# Visit'), expected === markdown);
    }
    return execFileSync(findRails(), ['-e', "require 'rails'; puts Rails.version"], { encoding: 'utf8' });
  },
};

/** A route as Vercel's own package makes it from vercel.json; `handle` starts a later phase, such as the lookup of files. */
interface Route {
  src?: string;
  handle?: string;
  headers?: Record<string, string>;
  status?: number;
  continue?: boolean;
}
interface RoutingUtils {
  getTransformedRoutes: (config: unknown) => { routes: Route[] | null; error: Error | null };
}
interface EdgeRuntimes {
  EdgeRuntime: new (options: {
    initialCode: string;
  }) => { dispatchFetch: (url: string, init: RequestInit) => Promise<Response> };
}

/** Installs what a recipe names, as `name version` each, into its folder; no script of a package runs. */
function install(root: string, named: readonly string[]): void {
  const packages = named.map((one) => one.replace(' ', '@'));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  execFileSync('npm', ['install', ...flags, ...packages], { cwd: root });
}

const runsInPart: Record<string, () => Promise<void>> = {
  async vercel() {
    const root = await project('vercel', {
      'package.json': '{"private":true,"type":"module"}',
      'visit.html': '<!doctype html><title>Visit</title><h1>Visit</h1>',
      'visit.md': '# Visit\n',
      'llms.txt': '# Example Observatory\n',
    });
    install(root, headOf('vercel').versions.match(/[@\w/-]+ \d+\.\d+\.\d+/g) ?? []);
    const load = createRequire(join(root, 'package.json'));
    const { EdgeRuntime } = load('edge-runtime') as EdgeRuntimes;
    const { getTransformedRoutes } = load('@vercel/routing-utils') as RoutingUtils;
    const { outputFiles } = await build({
      ...{ entryPoints: [join(root, 'middleware.js')], bundle: true, write: false },
      ...{ format: 'iife', globalName: 'recipe', logLevel: 'error' },
    });
    const runtime = new EdgeRuntime({
      initialCode: `${outputFiles[0]?.text}\naddEventListener('fetch', (event) => event.respondWith(recipe.default(event.request)));`,
    });
    const { routes, error } = getTransformedRoutes(JSON.parse(await readFile(join(root, 'vercel.json'), 'utf8')));
    assert.equal(error, null);
    const fileLookup = (routes ?? []).findIndex(({ handle }) => handle !== undefined);
    const beforeFiles = (routes ?? []).slice(0, fileLookup === -1 ? undefined : fileLookup);

    /** The order of Vercel: middleware, headers and redirects of vercel.json, then the file. */
    const server = createServer(async ({ url = '/', headers: { accept = '*/*', host }, method = 'GET' }, response) => {
      const decided = await runtime.dispatchFetch(`http://${host}${url}`, { method, headers: { accept } });
      const rewritten = decided.headers.get('x-middleware-rewrite');
      const path = rewritten === null ? url : new URL(rewritten).pathname;
      for (const [name, value] of decided.headers) {
        if (!name.startsWith('x-middleware-')) {
          response.setHeader(name, value);
        }
      }
      const fits = beforeFiles.filter(({ src }) => src !== undefined && new RegExp(src).test(path));
      const redirect = fits.find(({ status }) => status !== undefined);
      for (const [name, value] of fits
        .filter((route) => route.continue)
        .flatMap(({ headers = {} }) => Object.entries(headers))) {
        response.setHeader(name, value);
      }
      const name = [path, `${path}.html`].find((one) => one !== '/' && existsSync(join(root, one)));
      if (redirect !== undefined || name === undefined) {
        response.writeHead(redirect?.status ?? 404).end();
        return;
      }
      if (name.endsWith('.html')) {
        response.setHeader('Content-Type', html);
      }
      response.end(await readFile(join(root, name)));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
    try {
      await judgeServer(origin);
      const index = await fetch(`${origin}/llms.txt`);
      assert.deepEqual([index.headers.get('content-type'), index.headers.get('vary')], [markdown, null]);
      assert.equal((await fetch(`${origin}/visit.html`, { redirect: 'manual' })).status, 308);
      assert.equal((await fetch(`${origin}/nothing`, { headers: { Accept: 'text/markdown' } })).status, 404);
    } finally {
      server.close();
    }
  },
};

describe('the recipes by platform, as they are printed', async () => {
  const named = (await readdir(recipesDir)).map((file) => file.replace(/\.md$/, ''));

  it('each that says that a test runs it is run here', () => {
    assert.deepEqual(named.filter((id) => headOf(id).run === 'test').sort(), Object.keys(runs).sort());
  });

  for (const [id, run] of Object.entries(runsInPart)) {
    it(`${id}: gives twins, links and the index as far as its own packages go`, async () => {
      assert.equal(headOf(id).run, 'in-part');
      await run();
    });
  }

  for (const [id, run] of Object.entries(runs)) {
    it(`${id}: gives twins, links and the index, with the version that it names`, async () => {
      const version = /\d+(?:\.\d+)+/.exec(await run())?.[0] ?? 'none';
      const [, stated = 'nothing'] = /^\D+([\d.]+)/.exec(headOf(id).versions) ?? [];
      assert.ok(version.startsWith(stated), `ran with ${version}; the recipe says ${stated}`);
    });
  }
});
