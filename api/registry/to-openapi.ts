import type { Endpoint } from './endpoints.ts';
import { toAnswerSchema, toSharedSchemas } from './openapi-schemas.ts';
import { type ProblemSlug, problemType } from './problem-types.ts';
import { pathParameters, type Tool, toInputSchema } from './tool.ts';

type Json = Record<string, unknown>;

const problemSchema: Json = {
  type: 'object',
  description: 'Problem details (RFC 9457).',
  required: ['type', 'title', 'status', 'detail', 'instance', 'request_id'],
  properties: {
    type: { type: 'string', format: 'uri', description: 'Address of the page that describes the error type.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened in this case and what to do next.' },
    instance: { type: 'string', description: 'Path that was asked for.' },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: { pointer: { type: 'string' }, detail: { type: 'string' } },
      },
    },
  },
};

/** The error responses by status; types that share a status are named together. */
const problemResponses = (slugs: readonly ProblemSlug[]): Json =>
  Object.fromEntries(
    [...Map.groupBy(slugs.map(problemType), ({ status }) => status)].map(([status, types]) => [
      String(status),
      {
        description: types.map(({ title }) => title).join('; '),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  );

const tagOf = (path: string): string =>
  path.startsWith('/api/guestbook') ? 'guestbook' : ['/api/directory', '/api/pay'].includes(path) ? 'site' : 'almanac';

/** An answer in another media type than JSON: text. */
const otherContent = (types: readonly string[]): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: { type: 'string' } }]));

function toolOperation(tool: Tool, isTool: boolean): Json {
  const schema = toInputSchema(tool) as { properties?: Record<string, Json>; required?: string[] };
  const inPath = new Set(pathParameters(tool));
  const parameters = Object.entries(schema.properties ?? {})
    .filter(([name]) => inPath.has(name) || tool.method !== 'POST')
    .map(
      ([name, property]): Json => ({
        name,
        in: inPath.has(name) ? 'path' : 'query',
        required: inPath.has(name) || (schema.required?.includes(name) ?? false),
        description: property.description,
        schema: property,
      }),
    );
  for (const [name, { description, required }] of Object.entries(tool.headers ?? {})) {
    parameters.push({ name, in: 'header', required, description, schema: { type: 'string' } });
  }
  const invalid: ProblemSlug = tool.method === 'POST' ? 'invalid-fields' : 'invalid-query';
  const problems: ProblemSlug[] = [
    ...(inPath.size > 0 ? (['not-found'] as const) : []),
    invalid,
    'rate-limited',
    ...(tool.problems ?? []),
  ];
  return {
    operationId: tool.name,
    summary: tool.title,
    description: tool.description,
    tags: [isTool ? 'tools' : tagOf(tool.path)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(tool.method === 'POST' ? { requestBody: { required: true, content: { 'application/json': { schema } } } } : {}),
    responses: {
      [tool.creates ? 201 : 200]: {
        description: 'The answer.',
        content: { 'application/json': { schema: toAnswerSchema(tool.output) }, ...otherContent(tool.alsoAs ?? []) },
      },
      ...problemResponses(problems),
    },
  };
}

const formContent = (fields: Readonly<Record<string, string>>): Json => ({
  'application/x-www-form-urlencoded': {
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([name, description]) => [name, { type: 'string', description }]),
      ),
    },
  },
});

const seeOther: Json = {
  description: 'Address of the page that has the answer.',
  schema: { type: 'string', format: 'uri-reference' },
};

function endpointOperation(endpoint: Endpoint): Json {
  const [mediaType = ''] = endpoint.type.split(';');
  const schema = mediaType.endsWith('json') ? { type: 'object' } : { type: 'string' };
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-z0-9]+/gi, '_')}`,
    summary: endpoint.title,
    description: endpoint.description,
    tags: [endpoint.rel === undefined ? 'service' : 'discovery'],
    ...(endpoint.parameters === undefined
      ? {}
      : {
          parameters: Object.entries(endpoint.parameters).map(([name, parameter]) => ({
            name,
            ...parameter,
            required: true,
          })),
        }),
    ...(endpoint.form === undefined ? {} : { requestBody: { required: true, content: formContent(endpoint.form) } }),
    ...(endpoint.body === undefined
      ? {}
      : { requestBody: { required: true, content: { 'application/json': { schema: endpoint.body } } } }),
    responses: {
      [endpoint.status ?? 200]:
        endpoint.status === 303
          ? { description: endpoint.title, headers: { Location: seeOther } }
          : { description: endpoint.title, content: { [mediaType]: { schema } } },
      ...(endpoint.parameters === undefined
        ? {}
        : problemResponses(
            Object.values(endpoint.parameters).map((each) => (each.in === 'path' ? 'not-found' : 'invalid-query')),
          )),
    },
  };
}

/** The OpenAPI 3.1 description of every tool and endpoint. */
export function toOpenApi(
  site: {
    name: string;
    description: string;
    origin: string;
    contact: string;
    license: string;
    licenseUrl: string;
    version: string;
  },
  tools: readonly Tool[],
  plainOperations: readonly Tool[],
  endpoints: readonly Endpoint[],
): Json {
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const tool of tools.filter((candidate) => candidate.routeOf === undefined)) {
    add(tool.path, tool.method, toolOperation(tool, true));
  }
  for (const operation of plainOperations) {
    add(operation.path, operation.method, toolOperation(operation, false));
  }
  for (const endpoint of endpoints) {
    add(endpoint.path, endpoint.method, endpointOperation(endpoint));
  }
  return {
    openapi: '3.1.1',
    info: {
      title: `${site.name} API`,
      version: site.version,
      description: site.description,
      contact: { email: site.contact, url: `${site.origin}/about` },
      license: { name: site.license, url: site.licenseUrl },
      termsOfService: `${site.origin}/trust`,
    },
    servers: [{ url: site.origin }],
    security: [{}],
    tags: [
      { name: 'tools', description: 'The HTTP twins of the tools.' },
      { name: 'guestbook', description: 'Reading the guestbook and withdrawing from it; signing it is a tool.' },
      { name: 'site', description: 'Joining the directory, and the demo payment.' },
      { name: 'almanac', description: 'The datasets as they are.' },
      { name: 'discovery', description: 'Files that describe the site to machines.' },
      { name: 'service', description: 'The rest of the API.' },
    ],
    externalDocs: { description: 'The API for people', url: `${site.origin}/developers` },
    paths,
    components: { schemas: { Problem: problemSchema, ...toSharedSchemas() } },
  };
}
