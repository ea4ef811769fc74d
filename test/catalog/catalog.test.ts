import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { datasets } from '#almanac/datasets/index.ts';
import { techniqueIds } from '#almanac/techniques.ts';
import { almanacOperations, restOf } from '#api/almanac/operations.ts';
import { tools } from '#api/catalog/tools.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();

const specifiedIds = [
  'llms-txt',
  'markdown-negotiation',
  'webmcp',
  'json-ld',
  'robots-welcome',
  'accessibility-tree',
  'no-js-parity',
  'machine-discovery',
  'agent-api',
  'ax-trust',
  'agent-identity',
  'transparent-machine-layer',
];

test('the catalog has exactly the twelve techniques, in order', async () => {
  const { body } = await request(app)
    .get('/api/techniques')
    .expect(200)
    .expect('Content-Type', /^application\/json/);
  assert.deepEqual(Object.keys(body), ['title', 'description', 'source', 'techniques']);
  assert.equal(body.source, `${testBaseUrl}/techniques`);
  assert.deepEqual(
    body.techniques.map((technique: { id: string }) => technique.id),
    specifiedIds,
  );
  assert.deepEqual([...techniqueIds], specifiedIds);
  body.techniques.forEach((technique: Record<string, unknown>, index: number) => {
    assert.deepEqual(Object.keys(technique), ['id', 'number', 'name', 'what', 'why', 'proof']);
    assert.equal(technique['number'], index + 1);
    for (const field of ['name', 'what', 'why', 'proof']) {
      assert.equal(typeof technique[field], 'string');
      assert.doesNotMatch(String(technique[field]), /\{base_url\}|TODO/);
    }
  });
});

test('the tool registry has the envelope of the specification and every tool', async () => {
  const { body } = await request(app).get('/api/tool-registry').expect(200);
  for (const field of ['$comment', 'version', 'spec']) {
    assert.equal(typeof body[field], 'string', field);
  }
  assert.deepEqual(
    body.tools.map((tool: { name: string }) => tool.name),
    tools.map(({ name }) => name),
  );
  for (const tool of body.tools) {
    assert.equal(tool.inputSchema.type, 'object', tool.name);
    assert.equal(typeof tool.inputSchema.properties, 'object', tool.name);
    assert.equal(typeof tool.annotations.readOnlyHint, 'boolean', tool.name);
    assert.match(tool.http.method, /^(GET|POST)$/, tool.name);
    assert.match(tool.http.path, /^\/api\//, tool.name);
    assert.ok(tool.description.length > 20, tool.name);
    for (const name of Object.keys(tool.example ?? {})) {
      assert.ok(name in tool.inputSchema.properties, `${tool.name}: the example has an unknown ${name}`);
    }
  }
});

// biome-ignore format: one tool of the specification a line
const specified: [name: string, method: string, path: string, required: string[], parameters: string[]][] = [
  ['list_techniques', 'GET', '/api/techniques', [], []],
  ['get_technique', 'GET', '/api/techniques', ['id'], []],
  ['sign_guestbook', 'POST', '/api/guestbook', ['name', 'message'], ['name', 'message', 'model']],
  ['get_visitor_info', 'GET', '/api/whoami', [], []],
  ['audit_site', 'POST', '/api/audit', ['url'], ['url']],
  ['get_premium_playbook', 'GET', '/api/premium/playbook', [], []],
  ['list_directory', 'GET', '/api/directory', [], []],
  ['search_almanac', 'GET', '/api/search', ['q'], ['q']],
  ['get_crawler', 'GET', '/api/crawlers/{id}', ['id'], []],
  ['identify_user_agent', 'GET', '/api/verify-crawler', ['ua'], ['ua']],
  ['define_term', 'GET', '/api/glossary/{term}', ['term'], []],
  ['ask_almanac', 'GET', '/api/ask', ['q'], ['q']],
];

test('each tool that is registered is one of the twelve, at its address with its inputs', async () => {
  const { body } = await request(app).get('/api/tool-registry').expect(200);
  const order = specified.map(([name]) => name);
  const names: string[] = body.tools.map((tool: { name: string }) => tool.name);
  assert.deepEqual(
    names.filter((name) => !order.includes(name)),
    [],
    'no tool beyond the twelve',
  );
  assert.deepEqual(
    names,
    order.filter((name) => names.includes(name)),
    'in the order of the specification',
  );
  for (const tool of body.tools) {
    const [, method, path, required, parameters] = specified.find(([name]) => name === tool.name) ?? [];
    assert.equal(tool.http.method, method, tool.name);
    assert.equal(tool.http.path, path, tool.name);
    assert.deepEqual(tool.inputSchema.required ?? [], required, tool.name);
    assert.deepEqual((tool.http.query ?? tool.http.body ?? []).slice(0, parameters?.length), parameters, tool.name);
    const writes = ['sign_guestbook', 'get_premium_playbook'];
    assert.equal(tool.annotations.readOnlyHint, !writes.includes(tool.name), tool.name);
  }
});

test('every tool answers to its example with what its output schema allows', async () => {
  for (const tool of tools.filter(({ method, access }) => method === 'GET' && access === 'open')) {
    const input = tool.example ?? {};
    const path = tool.path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(input[name])));
    const query = Object.entries(input).filter(
      ([name]) => tool.routeOf === undefined && !tool.path.includes(`{${name}}`),
    );
    const response = await request(app).get(path).query(Object.fromEntries(query)).expect(200);
    if (tool.routeOf === undefined) {
      const parsed = tool.output.safeParse(response.body);
      assert.ok(parsed.success, `${tool.name}: ${parsed.error?.message}`);
    }
  }
});

test('health says that the service answers, and is not stored', async () => {
  const response = await request(app).get('/api/health').expect(200).expect('Cache-Control', 'no-store');
  assert.equal(response.body.status, 'ok');
});

test('what an address below a dataset begins with where an id would stand is told about, and no record is called so', () => {
  const words = almanacOperations.flatMap(({ path }) => /^\/api\/\{dataset\}\/([a-z-]+)\//.exec(path)?.[1] ?? []);
  assert.deepEqual([...new Set(words)], [...restOf.keys()]);
  for (const { id, records } of datasets) {
    assert.deepEqual(
      records.filter((record) => restOf.has(record.id)),
      [],
      id,
    );
  }
});
