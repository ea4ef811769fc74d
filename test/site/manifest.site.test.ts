import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { declaredTypes } from '#api/catalog/endpoints.ts';
import { AgentsManifest } from '#api/catalog/to-agents-json.ts';
import type { RegisteredToolDocument } from '#api/catalog/to-tool-registry.ts';
import { pageAddresses, readSiteFiles, twinAddresses } from '#api/http/site-files.ts';
import { clientDir, nginxUrl, siteUrl } from '../support/site-under-test.ts';
import { createTestApp } from '../support/test-app.ts';

type Json = Record<string, unknown>;

const get = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(new URL(path, siteUrl), { headers, redirect: 'manual' });
const getJson = async <Document>(path: string): Promise<Document> => {
  const response = await get(path);
  assert.equal(response.status, 200, path);
  return (await response.json()) as Document;
};
const pathOf = (address: string): string => {
  assert.ok(address.startsWith(`${siteUrl}/`), `${address} is an address of this site`);
  return address.slice(siteUrl.length);
};

const manifest = AgentsManifest.parse(await getJson('/.well-known/agents.json'));
const registry = await getJson<{ tools: RegisteredToolDocument[] }>('/api/tool-registry');
const openApi = await getJson<{ paths: Record<string, Record<string, Json>> }>('/openapi.json');
interface PageEntry {
  href: string;
  title: string;
  twins: { markdown: string; json: string };
}
const pageList = await getJson<{ count: number; pages: PageEntry[] }>(pathOf(manifest.page_list.href));
const skillIndex = await getJson<{ skills: { url: string }[] }>('/.well-known/agent-skills/index.json');

/** Runs a job on every item, a few at a time. */
async function eachOf<Item>(items: readonly Item[], job: (item: Item) => Promise<void>): Promise<void> {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await job(item);
    }
  };
  await Promise.all(Array.from({ length: 8 }, worker));
}

/** A layer of Express's router: a route, or a router below it. */
interface Layer {
  route?: { path: string | string[]; methods: Record<string, boolean | undefined> };
  handle?: { stack?: Layer[] };
}

/** Every route of the running service, as `GET /api/crawlers/{id}`. What refuses or describes methods is none. */
function routesOf(layers: readonly Layer[]): string[] {
  return layers.flatMap(({ route, handle }) => {
    if (route === undefined) {
      return routesOf(handle?.stack ?? []);
    }
    const methods = Object.keys(route.methods).filter((method) => !['_all', 'options', 'head'].includes(method));
    return [route.path]
      .flat()
      .filter((path): path is string => typeof path === 'string')
      .flatMap((path) => methods.map((method) => `${method.toUpperCase()} ${path.replace(/:(\w+)/g, '{$1}')}`));
  });
}

/** What the build serves that no document lists, with the reason. */
const unlisted: { matches: RegExp; reason: string }[] = [
  { matches: /^\/assets\//, reason: 'stylesheets, scripts and fonts of the pages, named by their content' },
  { matches: /^\/favicon\.svg$/, reason: 'the picture that browsers show beside the title' },
  {
    matches: /^\/(?:favicon\.ico|apple-touch-icon\.png|icon-\d+\.png|site\.webmanifest)$/,
    reason: 'icons of browsers and phones',
  },
  { matches: /^\/og\/[\w-]+\.png$/, reason: 'previews of pages, which the pages themselves name' },
  { matches: /^\/theme\.js$/, reason: 'the choice of day or night, before the first paint' },
  { matches: /^\/charts\/[\w-]+\.(?:svg|csv)$/, reason: 'drawings and figures of the series, which /state leads to' },
  { matches: /^\/search-index\.json$/, reason: 'what the search palette looks up; agents have /api/search' },
];

const site = readSiteFiles(clientDir, declaredTypes);
const { app } = createTestApp();
const routes = [...new Set(routesOf((app as unknown as { router: { stack: Layer[] } }).router.stack))];
const calls = (endpoints: { method: string; path: string }[]): string[] => [
  ...new Set(endpoints.map(({ method, path }) => `${method} ${path}`)),
];

test('the manifest has at most 60 KB', async () => {
  const text = await (await get('/.well-known/agents.json')).text();
  assert.ok(Buffer.byteLength(text) <= 60_000, `${Buffer.byteLength(text)} bytes`);
});

test('the manifest lists the main pages and leads to the list of all, each with its twins, and none that is not there', () => {
  const built = [...site.pages.keys()].filter((path) => path !== '/404');
  assert.equal(manifest.page_list.count, pageList.count);
  assert.deepEqual(pageList.pages.map(({ href }) => pathOf(href)).sort(), built.sort());
  const listed = new Map(pageList.pages.map((page) => [page.href, page]));
  for (const { href, title, twins } of manifest.pages) {
    const page = listed.get(href);
    assert.deepEqual({ title, twins }, { title: page?.title, twins: page?.twins }, href);
  }
  assert.ok(manifest.pages.length > 20);
  const twins = [...twinAddresses(site)].filter(([, { page }]) => page !== '/404').map(([address]) => address);
  assert.deepEqual(
    pageList.pages.flatMap(({ twins: { markdown, json } }) => [pathOf(markdown), pathOf(json)]).sort(),
    twins.sort(),
  );
});

test('the manifest lists every endpoint that answers, and none that does not', () => {
  const files = [...site.files.keys()].filter((path) => !unlisted.some(({ matches }) => matches.test(path)));
  // A page has its own list; the routes that render one with a query are no endpoints beside it.
  const twins = [...site.pages.keys()].flatMap(pageAddresses).map((address) => `GET ${address}`);
  const answering = [...routes.filter((route) => !twins.includes(route)), ...files.map((path) => `GET ${path}`)];
  assert.deepEqual(calls(manifest.endpoints).sort(), answering.sort());
});

test('every built file below .well-known is in the manifest, for discovery and in llms.txt', async () => {
  const wellKnown = [...site.files.keys()].filter((path) => path.startsWith('/.well-known/'));
  const paths = new Set(manifest.endpoints.map(({ path }) => path));
  const discovered = new Set(manifest.discovery.map(({ href }) => pathOf(href)));
  const index = await (await get('/llms.txt')).text();
  assert.ok(wellKnown.length >= 8, wellKnown.join(' '));
  for (const path of wellKnown) {
    assert.ok(paths.has(path) && discovered.has(path), path);
    assert.ok(index.includes(`\`${siteUrl}${path}\``), `${path} in llms.txt`);
  }
});

test('the manifest tells every rate limit that the headers name, and the price on the forms that sell', () => {
  assert.deepEqual(
    manifest.rate_limits.map(({ policy }) => policy),
    ['read', 'write-60', 'write-3600', 'audit', 'join'],
  );
  const on = (path: string) => manifest.endpoints.find((each) => each.method === 'POST' && each.path === path);
  assert.match(on('/audit')?.pricing ?? '', /0\.005 USD/);
  assert.match(on('/playbook')?.pricing ?? '', /0\.10 USD/);
  for (const path of ['/audit', '/api/audit', '/directory', '/api/directory']) {
    assert.match(on(path)?.rate_limit ?? '', /3 per 3600 s/, path);
  }
});

test('the manifest lists itself, and what it lists for discovery is among its endpoints', () => {
  const paths = new Set(manifest.endpoints.map(({ path }) => path));
  assert.ok(manifest.discovery.some(({ rel, href }) => rel === 'self' && pathOf(href) === '/.well-known/agents.json'));
  for (const { href } of manifest.discovery) {
    assert.ok(paths.has(pathOf(href)), href);
  }
});

test('every page and twin that is listed answers, as the type that it should', async () => {
  const addresses = pageList.pages.flatMap(({ href, twins }) => [
    [href, 'text/html'],
    [twins.markdown, 'text/markdown'],
    [twins.json, 'application/json'],
  ]);
  await eachOf(addresses, async ([address = '', type]) => {
    const response = await get(pathOf(address), { accept: 'text/html' });
    await response.arrayBuffer();
    assert.equal(response.status, 200, address);
    assert.equal(response.headers.get('content-type')?.split(';')[0], type, address);
  });
});

test('every other address in the manifest answers', async () => {
  const addresses = new Set<string>();
  const collect = (value: unknown): void => {
    if (typeof value === 'string' && value.startsWith(`${siteUrl}/`)) {
      addresses.add(value);
    } else if (typeof value === 'object' && value !== null) {
      Object.values(value).forEach(collect);
    }
  };
  const { pages: _pages, ...rest } = manifest;
  collect(rest);
  // It takes POST alone; the test after this one asks it.
  addresses.delete(String(manifest.interfaces.mcp?.url));
  assert.ok(addresses.size > 10);
  await eachOf([...addresses], async (address) => {
    const response = await get(pathOf(address));
    await response.arrayBuffer();
    assert.equal(response.status, 200, address);
  });
});

test('the MCP endpoint of the manifest has the tools of the registry, and its card leads to it', async () => {
  const { mcp } = manifest.interfaces;
  assert.ok(mcp);
  for (const origin of [siteUrl, nginxUrl]) {
    const response: Response = await fetch(`${origin}${pathOf(mcp.url)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    assert.equal(response.status, 200);
    const { result } = (await response.json()) as { result: { tools: RegisteredToolDocument[] } };
    assert.deepEqual(
      result.tools.slice(0, registry.tools.length).map(({ name }) => name),
      registry.tools.map(({ name }) => name),
    );
  }
  const card = await getJson<{ remotes: Json[] }>(pathOf(mcp.card));
  assert.deepEqual(card.remotes, [{ type: mcp.transport, url: mcp.url, supportedProtocolVersions: mcp.versions }]);
  assert.deepEqual(await getJson('/.well-known/mcp/server-card.json'), card);
  const catalog = await getJson<{ entries: Json[] }>('/.well-known/ai-catalog.json');
  assert.ok(catalog.entries.some(({ url, type }) => url === mcp.card && type === 'application/mcp-server-card+json'));
});

/** Values for the parameters of an operation that stand in its path or are required: those of its example. */
function exampleOf(method: string, path: string): Json {
  const operation = openApi.paths[path]?.[method.toLowerCase()] as {
    parameters?: { name: string; in: string; example?: unknown; schema: { examples?: unknown[]; example?: unknown } }[];
  };
  const tool = registry.tools.find(({ http, example }) => http.path === path && http.method === method && example);
  if (tool?.example !== undefined && Object.keys(tool.example).length > 0) {
    return tool.example;
  }
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name));
  const inQuery = (operation.parameters ?? []).flatMap((each) =>
    each.in === 'query' && each.example !== undefined ? [each.name] : [],
  );
  return Object.fromEntries(
    [...inPath, ...inQuery].map((name) => [
      name,
      operation.parameters?.find((each) => each.name === name)?.example ?? firstIdOf(path),
    ]),
  );
}

const firstIds = new Map([['/api/techniques', 'llms-txt']]);

/** The id of the first record of the list that a template such as `/api/protocols/{id}` reads from. */
function firstIdOf(path: string): string {
  const id = firstIds.get(path.replace(/\/\{\w+\}$/, ''));
  assert.ok(id, `no example is known for ${path}`);
  return id;
}

test('every endpoint that is listed answers to a call with its example', async () => {
  for (const { href } of manifest.datasets) {
    const { records } = await getJson<{ records: { id: string }[] }>(pathOf(href));
    firstIds.set(pathOf(href), String(records[0]?.id));
  }
  const written = await fetch(new URL('/api/guestbook', siteUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Walker', message: 'Walks every address of the manifest.' }),
  });
  firstIds.set('/api/guestbook', ((await written.json()) as { id: string }).id);
  for (const { method, path, output } of manifest.endpoints) {
    if (method !== 'GET') {
      // A write is not made here: OPTIONS says that the method is taken.
      const response = await fetch(new URL(path.replace(/\{\w+\}/g, '0'.repeat(12)), siteUrl), { method: 'OPTIONS' });
      assert.ok(response.headers.get('allow')?.split(', ').includes(method), `${method} ${path}`);
      continue;
    }
    const example = exampleOf(method, path);
    const parameters = manifest.endpoints.find((each) => each.method === method && each.path === path)?.input as {
      properties?: Json;
    } | null;
    const isSelected = registry.tools.some(({ http }) => http.path === path && http.select !== undefined);
    const query = new URLSearchParams(
      Object.entries(example)
        .filter(([name]) => !path.includes(`{${name}}`) && !isSelected && name in (parameters?.properties ?? {}))
        .map(([name, value]): [string, string] => [name, String(value)]),
    );
    const filled = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(example[name])));
    const response = await get(`${filled}${query.size > 0 ? `?${query}` : ''}`);
    const body = await response.text();
    if (response.status === 402) {
      // What has a price says so in the manifest.
      const { pricing } = manifest.endpoints.find((each) => each.path === path) ?? {};
      assert.ok(pricing, `${path} asks for payment without a price in the manifest`);
      continue;
    }
    if (['/audit/fixes.zip', '/audit/feed.atom', '/audit/preview.png', '/audit/checks.csv'].includes(path)) {
      // Its example is a site that nobody has audited here, and the answer says so.
      assert.match(body, /There is no report/);
      continue;
    }
    assert.equal(response.status, 200, `${filled} ${body.slice(0, 200)}`);
    const type = response.headers.get('content-type') ?? '';
    assert.equal(type.split(';')[0], output.split(';')[0], filled);
    if (/[/+]json\b/.test(type)) {
      JSON.parse(body);
    }
  }
});

test('the tool registry and the manifest hold the same tools', () => {
  assert.deepEqual(manifest.interfaces.webmcp.tools, registry.tools);
  const named = manifest.endpoints.flatMap(({ tool }) => tool ?? []);
  assert.deepEqual(
    named,
    registry.tools.map(({ name }) => name),
  );
});

test('OpenAPI describes exactly the methods and paths of the manifest', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
  );
  assert.deepEqual(described.sort(), calls(manifest.endpoints).sort());
  const ids = Object.values(openApi.paths).flatMap((operations) =>
    Object.values(operations).map(({ operationId }) => operationId),
  );
  assert.equal(new Set(ids).size, ids.length, 'each operation has an id of its own');
});

/** The paths of this site that a markdown document links to or names as code, without their fragments. */
const pathsIn = (markdown: string): string[] =>
  [...markdown.matchAll(/(?:\]\(<?|`)(https?:\/\/[^\s)>`#]+)/g)].flatMap(([, address = '']) =>
    address.startsWith(`${siteUrl}/`) ? [address.slice(siteUrl.length)] : [],
  );

test('an agent that knows the base URL alone gets from /llms.txt to every page, tool and endpoint', async () => {
  const seen = new Set<string>(['/llms.txt']);
  const calledFor = new Set<string>();
  const queue = ['/llms.txt'];
  const read = async (path: string): Promise<void> => {
    const response = await get(path);
    assert.equal(response.status, 200, path);
    const text = await response.text();
    for (const [, call] of text.matchAll(/`((?:GET|POST|DELETE) \/[^`?\s]*)/g)) {
      calledFor.add(String(call));
    }
    for (const address of pathsIn(text)) {
      if (!seen.has(address)) {
        seen.add(address);
        if (/\.(?:md|txt)$/.test(address)) {
          queue.push(address);
        }
      }
    }
  };
  while (queue.length > 0) {
    await eachOf(queue.splice(0), read);
  }
  const pages = pageList.pages.filter(
    ({ href, twins }) => !seen.has(pathOf(href)) && !seen.has(pathOf(twins.markdown)),
  );
  assert.deepEqual(
    pages.map(({ href }) => href),
    [],
    'pages that cannot be reached',
  );
  const tools = registry.tools.filter(({ http }) => !calledFor.has(`${http.method} ${http.path}`));
  assert.deepEqual(
    tools.map(({ name }) => name),
    [],
    'tools that cannot be reached',
  );
  // The catalog of the API is among what it found; it names the rest.
  assert.ok(seen.has('/.well-known/agents.json') && seen.has('/openapi.json'));
  const described = new Set(Object.keys(openApi.paths));
  const endpoints = manifest.endpoints.filter(({ path }) => !seen.has(path) && !described.has(path));
  assert.deepEqual(endpoints, [], 'endpoints that cannot be reached');
});

test('an agent that knows the base URL alone gets from the manifest to a result of every tool', async () => {
  for (const { name, http, inputSchema, example } of registry.tools) {
    const definition = manifest.interfaces.webmcp.tools.find((tool) => tool['name'] === name);
    assert.ok(definition, name);
    if (http.method !== 'GET') {
      continue;
    }
    const input = (example ?? {}) as Json;
    for (const required of (inputSchema['required'] as string[] | undefined) ?? []) {
      assert.ok(required in input, `${name}: the example leaves out ${required}`);
    }
    const path = http.path.replace(/\{(\w+)\}/g, (_match, key: string) => encodeURIComponent(String(input[key])));
    const query = new URLSearchParams(
      (http.query ?? []).filter((key) => key in input).map((key): [string, string] => [key, String(input[key])]),
    );
    const response = await get(`${path}${query.size > 0 ? `?${query}` : ''}`, { accept: 'application/json' });
    if (response.status === 402) {
      assert.ok(http.pricing, `${name} asks for payment without saying so`);
      continue;
    }
    assert.equal(response.status, 200, name);
    const answer = (await response.json()) as Json;
    if (http.select !== undefined) {
      const { list, by } = http.select;
      assert.ok(
        (answer[list] as Json[]).some((row) => row[by] === input[by]),
        `${name}: the answer holds what was asked for`,
      );
    }
  }
});

/** Documents that are projections of the one declaration, each with its golden file. */
const projections: Record<string, () => unknown> = {
  agents: () => ({
    ...manifest,
    // Records come and go with the data, which its own tests hold.
    page_list: { ...manifest.page_list, count: 0 },
    datasets: manifest.datasets.map((dataset) => ({ ...dataset, count: 0, updated: '' })),
  }),
  'tool-registry': () => registry,
  openapi: () => openApi,
  'agent-skills': () => ({
    ...skillIndex,
    // The digest is that of a text which holds the base URL.
    skills: skillIndex.skills.map((skill) => ({ ...skill, digest: 'sha256' })),
  }),
  'api-catalog': () => getJson('/.well-known/api-catalog'),
  'ai-catalog': () => getJson('/.well-known/ai-catalog.json'),
  'server-card': () => getJson('/mcp/server-card'),
  'agents-schema': () => getJson('/schemas/agents.json'),
};

for (const [name, document] of Object.entries(projections)) {
  test(`the projection ${name} is as its golden file has it`, async () => {
    const folder = join(import.meta.dirname, '..', 'fixtures', 'projections');
    const { hostname } = new URL(siteUrl);
    const text = `${JSON.stringify(await document(), null, 2)}\n`
      .replaceAll(siteUrl, 'http://localhost:4321')
      .replaceAll(`urn:air:${hostname}`, 'urn:air:localhost');
    const golden = join(folder, `${name}.json`);
    if (process.env['UPDATE_FIXTURES'] === '1') {
      mkdirSync(folder, { recursive: true });
      writeFileSync(golden, text);
    }
    assert.deepEqual(JSON.parse(text), JSON.parse(readFileSync(golden, 'utf8')), 'UPDATE_FIXTURES=1 writes it anew');
  });
}
