import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';
import { test } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { parse as parseYaml } from 'yaml';
import { z } from 'zod';
import { toSummary } from '#api/audits/views.ts';
import { AgentsManifest } from '#api/catalog/to-agents-json.ts';
import { auditSite } from '../audit/audited.ts';
import { bareSite } from '../audit/sites.ts';
import { pageTypes, siteUrl } from '../support/site-under-test.ts';

interface LinkHeader {
  refs: { rel: string; uri: string; type?: string }[];
}
const { parse: parseLinks } = createRequire(import.meta.url)('http-link-header') as {
  parse(value: string): LinkHeader;
};

async function get(path: string): Promise<{ response: Response; body: string }> {
  const response = await fetch(new URL(path, siteUrl));
  assert.equal(response.status, 200, path);
  return { response, body: await response.text() };
}

async function getJson<Shape>(path: string, mediaType: string, shape: z.ZodType<Shape>): Promise<Shape> {
  const { response, body } = await get(path);
  assert.equal(response.headers.get('content-type'), mediaType);
  return shape.parse(JSON.parse(body));
}

const Anything = z.record(z.string(), z.unknown());

test('openapi.json is OpenAPI 3.1', async () => {
  const document = await getJson('/openapi.json', 'application/vnd.oai.openapi+json;version=3.1', Anything);
  const validator = new Validator();
  const result = await validator.validate(structuredClone(document));
  assert.deepEqual(result.errors ?? [], []);
  assert.equal(result.valid, true);
  assert.equal(validator.version, '3.1');
  const { info: _info, ...faulty } = document;
  assert.equal((await new Validator().validate(faulty)).valid, false, 'the validator finds what is missing');
});

const OpenApi = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ responses: z.record(z.string(), Anything) }))),
  components: z.object({
    schemas: z.record(z.string(), Anything),
    responses: z.record(z.string(), Anything),
    headers: z.record(z.string(), Anything),
  }),
});
const openApi = await getJson('/openapi.json', 'application/vnd.oai.openapi+json;version=3.1', OpenApi);

/** Every object and list in a JSON document. */
function partsOf(value: unknown): object[] {
  return typeof value === 'object' && value !== null ? [value, ...Object.values(value).flatMap(partsOf)] : [];
}

test('openapi.json writes what several answers hold once, and every reference leads to it', () => {
  const names = Object.entries(openApi.components).flatMap(([kind, parts]) =>
    Object.keys(parts).map((name) => `#/components/${kind}/${name}`),
  );
  const used = partsOf(openApi).flatMap((part) => ('$ref' in part ? [String(part.$ref)] : []));
  assert.deepEqual([...new Set(used)].sort(), names.sort(), 'each is referred to, and nothing else is');
  const schemas = partsOf(openApi).filter((part) => 'type' in part && part.type === 'object');
  const counts = Map.groupBy(
    schemas.map((schema) => JSON.stringify(schema)).filter((text) => text.length > 450),
    (text) => text,
  );
  assert.deepEqual(
    [...counts.values()].filter(({ length }) => length > 1),
    [],
  );
});

/** The schema of an answer, with everything that it refers to, as JSON Schema of its own. */
const answerSchema = (path: string, method: string, status: string): z.ZodType => {
  const content = openApi.paths[path]?.[method]?.responses[status]?.['content'] as
    | Record<string, { schema: Record<string, unknown> }>
    | undefined;
  const described = content?.['application/json'] ?? content?.['application/problem+json'];
  assert.ok(described, `${method} ${path} ${status}`);
  const document = { ...described.schema, $defs: openApi.components.schemas };
  const text = JSON.stringify(document).replaceAll('#/components/schemas/', '#/$defs/');
  return z.fromJSONSchema(JSON.parse(text) as Record<string, unknown>);
};

test('answers keep the schemas that openapi.json has for them', async () => {
  const { report } = await auditSite(bareSite);
  const audited = {
    ...report,
    history: { home: report.final_url, change: null, results: [] },
    allowance: { limit: 3, remaining: 2, resets_at: '2026-11-21T13:00:00.000Z' },
    payment: null,
    request_id: 'one',
  };
  const entry = {
    id: '0123456789ab',
    url: 'https://example.com',
    score: 80,
    grade: 'agent-ready (certifiable)',
    certified_at: '2026-11-21T12:00:00.000Z',
    badge: '/badge.svg?score=80',
    tier: 'standard',
    checked_at: '2026-11-21T12:00:00.000Z',
    below_since: null,
  };
  const cases: [path: string, method: string, status: string, answer: Record<string, unknown>][] = [
    ['/api/audit', 'post', '200', audited],
    ['/api/directory', 'post', '201', { congratulations: 'Yes.', entry, audit: toSummary(report, siteUrl) }],
  ];
  for (const [path, at] of [
    ['/api/guestbook', '/api/guestbook'],
    ['/api/directory', '/api/directory'],
    ['/api/crawlers', '/api/crawlers'],
    ['/api/crawlers/{id}', '/api/crawlers/gptbot'],
  ] as const) {
    cases.push([path, 'get', '200', Anything.parse(JSON.parse((await get(at)).body))]);
  }
  const due = await fetch(new URL('/api/premium/playbook', siteUrl));
  assert.equal(due.status, 402);
  cases.push(['/api/premium/playbook', 'get', '402', Anything.parse(await due.json())]);
  for (const [path, method, status, answer] of cases) {
    const schema = answerSchema(path, method, status);
    schema.parse(answer);
    // Reports that an earlier version kept have no exchanges.
    for (const member of Object.keys(answer).filter((each) => each !== 'exchanges')) {
      const { [member]: _left, ...lacking } = answer;
      assert.equal(schema.safeParse(lacking).success, false, `${method} ${path} without ${member}`);
    }
  }
});

test('agents.json keeps the JSON Schema that it names, and the schema is no weaker than the code', async () => {
  const manifest = await getJson('/.well-known/agents.json', 'application/json', Anything);
  const address = String(manifest['$schema']);
  const schema = await getJson(address, 'application/schema+json', Anything);
  assert.equal(schema['$schema'], 'https://json-schema.org/draft/2020-12/schema');
  const fromSchema = z.fromJSONSchema(schema);
  fromSchema.parse(manifest);
  AgentsManifest.parse(manifest);
  const faults: [name: string, fault: Record<string, unknown>][] = [
    ['no name', { name: undefined }],
    ['pages that are no list', { pages: {} }],
    ['an address that is none', { url: 'porchlight' }],
    ['an endpoint without a path', { endpoints: [{ method: 'GET' }] }],
  ];
  for (const [name, fault] of faults) {
    assert.equal(fromSchema.safeParse({ ...manifest, ...fault }).success, false, name);
  }
});

test('the API catalog is a linkset as RFC 9727 has it', async () => {
  const Targets = z.array(z.strictObject({ href: z.url(), type: z.string().regex(/^[\w.+-]+\/[\w.+-]+/) })).min(1);
  const Linkset = z.strictObject({
    linkset: z
      .array(
        z.strictObject({
          anchor: z.url(),
          'service-desc': Targets,
          'service-doc': Targets.optional(),
          'service-meta': Targets.optional(),
          status: Targets.optional(),
        }),
      )
      .min(1),
  });
  const type = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';
  const { linkset } = await getJson('/.well-known/api-catalog', type, Linkset);
  for (const [name, targets] of linkset.flatMap(({ anchor: _anchor, ...links }) => Object.entries(links))) {
    for (const { href, type: promised } of targets ?? []) {
      const served = (await get(href)).response.headers.get('content-type');
      assert.equal(mediaTypeOf(served), mediaTypeOf(promised), `${name}: ${href}`);
    }
  }
  const head = await fetch(`${siteUrl}/.well-known/api-catalog`, { method: 'HEAD' });
  const { refs } = parseLinks(head.headers.get('link') ?? '');
  assert.ok(
    refs.some(({ rel, uri }) => rel === 'api-catalog' && new URL(uri, siteUrl).pathname === '/.well-known/api-catalog'),
    'section 2: the answer to HEAD has a Link with rel="api-catalog"',
  );
});

const mediaTypeOf = (value: string | null | undefined): string => (value ?? '').split(';')[0]?.trim() ?? '';

test('every digest in the index of agent skills is that of the served file', async () => {
  const Skills = z.strictObject({
    $schema: z.literal('https://schemas.agentskills.io/discovery/0.2.0/schema.json'),
    skills: z
      .array(
        z.strictObject({
          name: z
            .string()
            .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
            .max(64),
          type: z.literal('skill-md'),
          description: z.string().min(1).max(1024),
          url: z.url(),
          digest: z.string().regex(/^sha256:[0-9a-f]{64}$/),
        }),
      )
      .min(1),
  });
  const { skills } = await getJson('/.well-known/agent-skills/index.json', 'application/json', Skills);
  for (const { name, url, digest, description } of skills) {
    const { body } = await get(url);
    assert.equal(`sha256:${createHash('sha256').update(body).digest('hex')}`, digest, url);
    const matter = parseYaml(/^---\n(.*?)\n---\n/s.exec(body)?.[1] ?? '') as { name: string; description: string };
    assert.deepEqual([matter.name, matter.description], [name, description]);
  }
});

test('the Link header of every kind of page can be parsed, and each target is what it is said to be', async () => {
  const seen = new Map<string, string>();
  for (const { kind, path, status } of pageTypes) {
    for (const accept of ['text/html', 'text/markdown', 'application/json']) {
      const response = await fetch(`${siteUrl}${path}`, { headers: { accept } });
      await response.body?.cancel();
      assert.equal(response.status, status);
      const { refs } = parseLinks(response.headers.get('link') ?? '');
      const relations = refs.map(({ rel, type }) => [rel, type ?? ''].join(' ').trim());
      const expected =
        status === 404
          ? []
          : accept === 'text/html'
            ? ['alternate text/markdown', 'alternate application/json', 'describedby text/markdown']
            : ['canonical', 'describedby text/markdown'];
      assert.deepEqual(
        expected.filter((relation) => !relations.includes(relation)),
        [],
        `${kind} as ${accept}: ${response.headers.get('link')}`,
      );
      for (const { uri, type } of refs) {
        const served = seen.get(uri) ?? mediaTypeOf((await get(uri)).response.headers.get('content-type'));
        seen.set(uri, served);
        assert.equal(served, mediaTypeOf(type ?? 'text/html'), `${kind} as ${accept}: ${uri}`);
      }
    }
  }
});
