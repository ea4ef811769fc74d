import { type ProblemSlug, problemType } from '../contract/problem-types.ts';
import { pathParameters, severalKey, type Tool, toInputSchema } from '../contract/tool.ts';
import type { Endpoint } from './endpoints.ts';
import { answerHeaders, problemHeaders, toHeaders } from './openapi-headers.ts';
import { toAnswerSchema, toProblemSchema, toSharedSchemas } from './openapi-schemas.ts';

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

const problemContent: Json = { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } };

/** What a request can be answered with wherever it goes; each operation refers to it as its default. */
const anywhere: readonly ProblemSlug[] = [
  'invalid-request',
  'request-timeout',
  'body-too-large',
  'uri-too-long',
  'headers-too-large',
  'internal-error',
  'unavailable',
];

const anyProblem: Json = {
  description: `Any other error. Whatever the address, these can come: ${anywhere.map((slug) => `${problemType(slug).status} ${slug}`).join(', ')}.`,
  content: problemContent,
};

/** The error responses by status; types that share a status are named together. */
const problemResponses = (slugs: readonly ProblemSlug[]): Json => ({
  ...Object.fromEntries(
    [...Map.groupBy(new Set(slugs), (slug) => problemType(slug).status)].map(([status, types]) => [
      String(status),
      {
        description: types.map((slug) => problemType(slug).title).join('; '),
        ...problemHeaders(status),
        content: { 'application/problem+json': { schema: toProblemSchema(types) } },
      },
    ]),
  ),
  default: { $ref: '#/components/responses/Problem' },
});

/** What a POST can be answered with because it has a body. */
const bodyProblems: readonly ProblemSlug[] = [
  'invalid-request',
  'body-too-large',
  'unsupported-media-type',
  'invalid-fields',
];

/** The answer to a conditional request for what has an entity tag, RFC 9110 section 15.4.5. */
const unchanged: Json = { 304: { description: 'Unchanged since the ETag in If-None-Match.' } };

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
      ([name, { description, [severalKey]: isSeveral, ...property }]): Json => ({
        name,
        in: inPath.has(name) ? 'path' : 'query',
        required: inPath.has(name) || (schema.required?.includes(name) ?? false),
        description,
        ...(isSeveral === true
          ? { style: 'form', explode: false, schema: { type: 'array', items: property } }
          : { schema: property }),
        ...(inPath.has(name) && tool.example?.[name] !== undefined ? { example: tool.example[name] } : {}),
      }),
    );
  const headers = Object.entries(tool.headers ?? {}).map(
    ([name, { description, required }]): Json => ({
      name,
      in: 'header',
      required,
      description,
      schema: { type: 'string' },
    }),
  );
  const problems: ProblemSlug[] = [
    ...(tool.method === 'POST' ? bodyProblems : parameters.length > 0 ? (['invalid-query'] as const) : []),
    ...(inPath.size > 0 ? (['not-found'] as const) : []),
    ...(tool.hasEntityTag ? (['precondition-failed'] as const) : []),
    'rate-limited',
    ...(tool.method === 'GET' ? [] : (['cross-site-form'] as const)),
    ...(tool.problems ?? []),
  ];
  const answer = (description: string, status: 200 | 201): Json => ({
    description,
    ...answerHeaders(tool, status),
    content: { 'application/json': { schema: toAnswerSchema(tool.output) }, ...otherContent(tool.alsoAs ?? []) },
  });
  return {
    operationId: tool.name,
    summary: tool.title,
    description: tool.description,
    tags: [isTool ? 'tools' : tagOf(tool.path)],
    ...(parameters.length + headers.length > 0 ? { parameters: [...parameters, ...headers] } : {}),
    ...(tool.method === 'POST' ? { requestBody: { required: true, content: { 'application/json': { schema } } } } : {}),
    responses: {
      ...(tool.creates === undefined
        ? { 200: answer('The answer.', 200) }
        : { 200: answer(tool.creates.unless, 200), 201: answer('The answer: it is made.', 201) }),
      ...(tool.hasEntityTag ? unchanged : {}),
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

/** What a body of a media type is; any JSON but the answers of tools is an object without a schema here. */
function contentOf(type: string): Json {
  const [mediaType = ''] = type.split(';');
  return { [mediaType]: { schema: { type: mediaType.endsWith('json') ? 'object' : 'string' } } };
}

/** The errors of an endpoint: those that it declares, and those that follow from what it takes and where it is served. */
const endpointProblems = (endpoint: Endpoint): ProblemSlug[] => [
  ...(endpoint.form === undefined ? [] : ([...bodyProblems, 'cross-site-form'] as const)),
  ...Object.values(endpoint.parameters ?? {}).map((each) => (each.in === 'path' ? 'not-found' : 'invalid-query')),
  ...(endpoint.servedBy === 'file' ? (['precondition-failed'] as const) : []),
  // MCP tells its errors in its own form, and lists them itself.
  ...(endpoint.limit === undefined || endpoint.others?.[429] !== undefined ? [] : (['rate-limited'] as const)),
  ...(endpoint.problems ?? []),
];

const seeOther: Json = {
  description: 'Address of the page that has the answer.',
  schema: { type: 'string', format: 'uri-reference' },
};

function endpointOperation(endpoint: Endpoint): Json {
  return {
    operationId: `${endpoint.method.toLowerCase()}${endpoint.path.replace(/[^a-z0-9]+/gi, '_')}`,
    summary: endpoint.title,
    description: endpoint.description,
    tags: [endpoint.rel === undefined ? 'service' : 'discovery'],
    ...(endpoint.parameters === undefined
      ? {}
      : {
          parameters: Object.entries(endpoint.parameters).map(([name, { isOptional = false, ...parameter }]) => ({
            name,
            ...parameter,
            required: !isOptional,
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
          : { description: endpoint.title, content: contentOf(endpoint.type) },
      ...Object.fromEntries(
        Object.entries(endpoint.others ?? {}).map(([status, { description, types }]) => [
          status,
          { description, ...(types === undefined ? {} : { content: Object.assign({}, ...types.map(contentOf)) }) },
        ]),
      ),
      ...(endpoint.servedBy === 'file' ? unchanged : {}),
      ...problemResponses(endpointProblems(endpoint)),
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
  httpOnlyOperations: readonly Tool[],
  endpoints: readonly Endpoint[],
): Json {
  const paths: Record<string, Json> = {};
  const add = (path: string, method: string, operation: Json): void => {
    paths[path] = { ...paths[path], [method.toLowerCase()]: operation };
  };
  for (const tool of tools.filter((candidate) => candidate.routeOf === undefined)) {
    add(tool.path, tool.method, toolOperation(tool, true));
  }
  for (const operation of httpOnlyOperations) {
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
    components: {
      schemas: { Problem: problemSchema, ...toSharedSchemas() },
      responses: { Problem: anyProblem },
      headers: toHeaders(),
    },
  };
}
