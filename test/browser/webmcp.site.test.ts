import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page, Route } from 'playwright-core';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

interface RegistryTool {
  name: string;
  title: string;
  description: string;
  inputSchema: { required?: string[] };
  annotations: Record<string, boolean>;
  http: {
    method: string;
    path: string;
    query?: string[];
    body?: string[];
    select?: { list: string; by: string };
  };
  example?: Record<string, unknown>;
}

const { tools: registry } = (await (await fetch(`${siteUrl}/api/tool-registry`)).json()) as { tools: RegistryTool[] };
const browser = await launchBrowser('--enable-features=WebMCP');

/** The home page in a browser that knows WebMCP, once its tools are registered. */
const atHome = (job: (page: Page) => Promise<void>): Promise<void> =>
  withPage(browser, {}, async (page) => {
    const errors = watchForErrors(page);
    await page.goto(siteUrl);
    await registered(page);
    await job(page);
    assert.deepEqual(errors, []);
  });

async function registered(page: Page): Promise<void> {
  const wanted = registry.map(({ name }) => name);
  for (const end = Date.now() + 10_000; ; ) {
    const found = await page.evaluate(async () =>
      ((await document.modelContext?.getTools()) ?? []).map(({ name }) => name),
    );
    if (wanted.every((name) => found.includes(name))) {
      return;
    }
    assert.ok(Date.now() < end, `of ${wanted.join(', ')} the page registered ${found.join(', ')}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Runs a tool as an agent in the browser does, and reads what it answers. */
const execute = (page: Page, name: string, input: Record<string, unknown>): Promise<unknown> =>
  page.evaluate(
    async ([wanted, given]) => {
      const tool = (await document.modelContext?.getTools())?.find((each) => each.name === wanted);
      if (tool === undefined) {
        throw new Error(`no tool is called ${wanted}`);
      }
      return JSON.parse(String(await document.modelContext?.executeTool(tool, given))) as unknown;
    },
    [name, input] as const,
  );

/** Calls the HTTP twin from the page, so that both calls come from the same client. */
async function callTwin(page: Page, { http }: RegistryTool, input: Record<string, unknown>): Promise<unknown> {
  const url = new URL(
    http.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(input[name]))),
    siteUrl,
  );
  for (const name of http.query ?? []) {
    if (input[name] !== undefined) {
      url.searchParams.set(name, String(input[name]));
    }
  }
  const body = http.body && JSON.stringify(Object.fromEntries(http.body.map((name) => [name, input[name]])));
  const answer = await page.evaluate(
    async ([address, method, sent]) => {
      const headers = { accept: 'application/json', ...(sent ? { 'content-type': 'application/json' } : {}) };
      const response = await fetch(address, { method, headers, body: sent ?? null });
      return (await response.json()) as Record<string, Record<string, unknown>[]>;
    },
    [url.href, http.method, body] as const,
  );
  const { select } = http;
  return select ? answer[select.list]?.find((row) => row[select.by] === input[select.by]) : answer;
}

/** Both values without the leaves in which two calls of the same twin differ (times, request ids). */
function withoutVolatile(one: unknown, other: unknown, third: unknown): unknown {
  if (Array.isArray(one) && Array.isArray(other) && Array.isArray(third)) {
    return one.length === other.length ? third.map((item, i) => withoutVolatile(one[i], other[i], item)) : third.length;
  }
  if (isObject(one) && isObject(other) && isObject(third)) {
    return Object.fromEntries(
      Object.entries(third).map(([key, value]) => [key, withoutVolatile(one[key], other[key], value)]),
    );
  }
  return one === other ? third : 'differs from call to call';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const byName = (one: { name: string }, other: { name: string }): number => one.name.localeCompare(other.name);

test('the home page registers exactly the tools of the registry', () =>
  atHome(async (page) => {
    const found = await page.evaluate(async () => {
      // A form that is a tool by its attributes is registered by the browser, not by the page's script.
      const forms = [...document.querySelectorAll('form[toolname]')].map((form) => form.getAttribute('toolname'));
      return ((await document.modelContext?.getTools()) ?? [])
        .filter((tool) => !forms.includes(tool.name))
        .map(({ name, title, description, inputSchema, annotations }) => ({
          definition: { name, title, description, inputSchema },
          annotations,
        }));
    });
    assert.ok(registry.length > 0);
    assert.deepEqual(
      found.map(({ definition }) => definition).sort(byName),
      registry
        .map(({ name, title, description, inputSchema }) => ({ name, title, description, inputSchema }))
        .sort(byName),
    );
    for (const { name, annotations } of registry) {
      const registered: Record<string, unknown> = {
        ...found.find(({ definition }) => definition.name === name)?.annotations,
      };
      for (const [hint, value] of Object.entries(annotations)) {
        assert.equal(registered[hint] ?? false, value, `${name}: ${hint}`);
      }
    }
  }));

for (const tool of registry.filter(({ annotations }) => annotations['readOnlyHint'])) {
  test(`${tool.name} answers in the page as its HTTP twin does`, () =>
    atHome(async (page) => {
      // What can be audited without a network is this site.
      const input = tool.name === 'audit_site' ? { url: siteUrl } : (tool.example ?? {});
      const inPage = await execute(page, tool.name, input);
      const [once, again] = [await callTwin(page, tool, input), await callTwin(page, tool, input)];
      assert.ok(isObject(inPage) && !('error' in inPage), JSON.stringify(inPage)?.slice(0, 300));
      assert.deepEqual(withoutVolatile(once, again, inPage), withoutVolatile(once, again, once));
    }));
}

for (const { name, inputSchema } of registry.filter((tool) => (tool.inputSchema.required ?? []).length > 0)) {
  test(`${name} answers an input that lacks something with an error as data`, () =>
    atHome(async (page) => {
      const { required = [] } = inputSchema;
      const empty = Object.fromEntries(required.map((each) => [each, '']));
      for (const input of [{}, { no_such_input: 1 }, empty]) {
        assertError(await execute(page, name, input), input);
      }
    }));
}

function assertError(answer: unknown, context: unknown): void {
  const shown = `${JSON.stringify(context)} → ${JSON.stringify(answer)}`;
  assert.ok(isObject(answer) && isObject(answer['error']), shown);
  const { detail } = answer['error'];
  assert.ok(typeof detail === 'string' && detail.length > 10, shown);
}

/** A tool that needs no input and asks nothing but its own address. */
const plainTool = registry.find(
  ({ http, annotations, inputSchema }) =>
    http.method === 'GET' && annotations['readOnlyHint'] && (inputSchema.required ?? []).length === 0,
);
assert.ok(plainTool);

const problem = { title: 'Too many requests', status: 429, detail: 'Wait for ten seconds.' };
const troubles: Record<string, (route: Route) => Promise<void>> = {
  'an unreachable service': (route) => route.abort('connectionrefused'),
  'a problem': (route) => route.fulfill({ status: 429, json: problem, contentType: 'application/problem+json' }),
  'an answer that is not JSON': (route) => route.fulfill({ status: 502, body: '<h1>Bad gateway</h1>' }),
};

for (const [name, trouble] of Object.entries(troubles)) {
  test(`${name} is an error as data`, () =>
    withPage(browser, {}, async (page) => {
      await page.goto(siteUrl);
      await registered(page);
      await page.route(`**${plainTool.http.path}`, trouble);
      assertError(await execute(page, plainTool.name, {}), name);
    }));
}

test('a call that is cancelled ends, and the tools go on working', () =>
  atHome(async (page) => {
    const { promise: asked, resolve: arrived } = Promise.withResolvers<void>();
    const held = (url: URL): boolean => url.pathname === plainTool.http.path;
    await page.route(held, () => arrived());
    const outcome = page.evaluate(async (name) => {
      const tool = (await document.modelContext?.getTools())?.find((each) => each.name === name);
      const cancel = new AbortController();
      addEventListener('cancel-now', () => cancel.abort(), { once: true });
      return tool === undefined
        ? 'no tool'
        : document.modelContext?.executeTool(tool, {}, { signal: cancel.signal }).then(
            (answer) => `answered ${answer}`,
            (error: unknown) => (error instanceof DOMException ? error.name : String(error)),
          );
    }, plainTool.name);
    await asked;
    await page.evaluate(() => dispatchEvent(new Event('cancel-now')));
    assert.match(String(await outcome), /^AbortError$|^answered .*cancelled/i);
    await page.unroute(held);
    const after = await execute(page, plainTool.name, {});
    assert.ok(isObject(after) && !('error' in after));
  }));

test('a browser without WebMCP gets no tools and no errors', async () => {
  await withPage(await launchBrowser(), {}, async (page) => {
    const errors = watchForErrors(page);
    const fetched: string[] = [];
    page.on('request', (request) => fetched.push(new URL(request.url()).pathname));
    await page.goto(siteUrl, { waitUntil: 'networkidle' });
    assert.equal(await page.evaluate(() => 'modelContext' in document), false);
    assert.ok(!fetched.includes('/api/tool-registry'));
    assert.deepEqual(errors, []);
  });
});
