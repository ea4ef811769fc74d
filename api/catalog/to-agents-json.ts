import { z } from 'zod';
import type { Limits } from '../contract/limits.ts';
import { freeOfCharge, prices } from '../contract/prices.ts';
import { severalKey, type Tool, toInputSchema } from '../contract/tool.ts';
import { HowToSign, howToSign } from '../identity/how-to-sign.ts';
import { identityTiers } from '../identity/tiers.ts';
import type { Endpoint } from './endpoints.ts';
import { mcpPath, mcpVersions } from './to-mcp.ts';
import { toRegisteredTools } from './to-tool-registry.ts';
import { TrustRule, trustRules } from './trust-rules.ts';

const Address = z.url();
const Anything = z.record(z.string(), z.unknown());

/** The shape of `/.well-known/agents.json`; its JSON Schema is served under the address in `$schema`. */
export const AgentsManifest = z.object({
  $schema: Address,
  name: z.string(),
  description: z.string(),
  url: Address,
  version: z.string(),
  updated: z.iso.date(),
  contact: z.string(),
  language: z.string(),
  license: Address,
  discovery: z.array(z.object({ rel: z.string(), href: Address, type: z.string(), description: z.string() })),
  pages: z.array(
    z.object({
      href: Address,
      title: z.string(),
      twins: z.object({ markdown: Address, json: Address }),
    }),
  ),
  page_list: z.object({ href: Address, count: z.int() }).describe('Every page, those of single records too.'),
  endpoints: z.array(
    z.object({
      method: z.string(),
      path: z.string(),
      description: z.string(),
      input: Anything.nullable(),
      output: z.string().describe('Media type of the answer.'),
      auth: z.string(),
      pricing: z.string().nullable(),
      rate_limit: z.string().nullable(),
      tool: z.string().nullable(),
    }),
  ),
  datasets: z.array(
    z.object({ id: z.string(), title: z.string(), count: z.int(), href: Address, updated: z.iso.date() }),
  ),
  interfaces: z.object({
    http: z.object({ openapi: Address }),
    json_api: z.object({ openapi: Address, catalog: Address, errors: z.string() }),
    webmcp: z.object({ object: z.string(), page: Address, registry: Address, tools: z.array(Anything) }),
    mcp: z.object({ url: Address, transport: z.string(), versions: z.array(z.string()), card: Address }).nullable(),
    identity: Anything,
  }),
  rate_limits: z
    .array(z.object({ policy: z.string(), count: z.int(), window_seconds: z.int(), of: z.string() }))
    .describe('Every policy that the RateLimit headers name.'),
  identity: z.object({
    scheme: z.string(),
    tiers: z.record(z.string(), z.string()),
    how_to_sign: HowToSign,
  }),
  web_bot_auth: z.object({ supported: z.boolean(), verifies: z.string(), try_it: Address }),
  payments: z.object({
    scheme: z.string(),
    demo: z.literal(true),
    note: z.string(),
    pay: z.object({ method: z.string(), path: z.string(), body: z.object({ quote: z.string() }) }),
    header: z.string(),
    prices: z.array(
      z.object({
        tool: z.string(),
        method: z.string(),
        path: z.string(),
        amount_usd: z.string(),
        unit: z.string(),
        free: z.string(),
      }),
    ),
  }),
  trust: z.array(TrustRule),
});
export type AgentsManifest = z.infer<typeof AgentsManifest>;

interface ManifestSource {
  site: {
    name: string;
    description: string;
    origin: string;
    contact: string;
    language: string;
    licenseUrl: string;
    version: string;
  };
  updated: string;
  /** The main pages; `pageCount` counts those of the linked list too. */
  pages: { path: string; title: string; markdown: string; json: string }[];
  pageCount: number;
  tools: readonly Tool[];
  httpOnlyOperations: readonly Tool[];
  endpoints: readonly Endpoint[];
  datasets: { id: string; title: string; count: number; path: string; updated: string }[];
  limits: Limits;
}

const asSentence = (limits: readonly Limits['read'][]): string =>
  limits.map(({ count, windowSeconds }) => `${count} per ${windowSeconds} s`).join(' and ');

/** What each allowance of a client network is of. */
const allowances = {
  audit: { ...freeOfCharge.audits, of: 'free audits of one client network; then each has a price' },
  join: { ...freeOfCharge.joins, of: 'tries to join the directory of one client network' },
} as const;

/** Which limits apply to a call; null when it isn't counted. `rate_limits` says whose requests each one counts. */
function rateLimitOf({ limit, allowance }: Pick<Endpoint, 'limit' | 'allowance'>, limits: Limits): string | null {
  if (limit === undefined) {
    return null;
  }
  const calls = asSentence(limit === 'read' ? [limits.read] : limits.write);
  if (allowance === undefined) {
    return calls;
  }
  const { limit: count, windowSeconds } = allowances[allowance];
  return `${calls}; ${allowance}: ${count} per ${windowSeconds} s`;
}

/** The policies that the RateLimit headers name. */
const toRateLimits = ({ read, write }: Limits): AgentsManifest['rate_limits'] => [
  { policy: 'read', count: read.count, window_seconds: read.windowSeconds, of: 'reads of one client address' },
  ...write.map(({ count, windowSeconds }) => ({
    policy: `write-${windowSeconds}`,
    count,
    window_seconds: windowSeconds,
    of: 'writes of one client address, of all kinds together',
  })),
  ...Object.entries(allowances).map(([policy, { limit, windowSeconds, of }]) => ({
    policy,
    count: limit,
    window_seconds: windowSeconds,
    of,
  })),
];

/** What a caller has to bring: nothing, or a header. */
const authOf = (tool: Tool): string =>
  Object.entries(tool.headers ?? {})
    .filter(([, { required }]) => required)
    .map(([name, { description }]) => `${name}: ${description}`)
    .join(' ') || 'none';

/** What an endpoint takes: the fields of its form, or its parameters or its body as JSON Schema. */
function inputOf({ form, parameters, body }: Endpoint): Record<string, unknown> | null {
  if (form !== undefined) {
    return { form };
  }
  return parameters === undefined
    ? (body ?? null)
    : {
        type: 'object',
        properties: Object.fromEntries(
          Object.entries(parameters).map(([name, { schema, description }]) => [name, { ...schema, description }]),
        ),
        required: Object.keys(parameters).filter((name) => parameters[name]?.isOptional !== true),
      };
}

/** More inputs than this are told in brief: the filters of a list, the fields of a record. */
const fewInputs = 1;

/** What the input may be: of a filter that takes several values, with commas, its values are no closed list. */
const brief = ({ type, enum: values, [severalKey]: isSeveral }: BriefSchema): Record<string, unknown> =>
  values !== undefined
    ? { [isSeveral === true ? 'examples' : 'enum']: values }
    : type === undefined || type === 'string'
      ? {}
      : { type };

interface BriefSchema {
  type?: unknown;
  enum?: unknown;
  [severalKey]?: unknown;
}

/**
 * The input of a tool. Of several inputs it has the names and the values, and so of the tools whose schemas are below
 * `interfaces.webmcp`; the OpenAPI description has the words.
 */
function toolInput(tool: Tool, isRegistered: boolean): Record<string, unknown> {
  const schema = toInputSchema(tool) as { properties?: Record<string, BriefSchema> };
  const properties = Object.entries(schema.properties ?? {});
  const names = new Set(properties.map(([name]) => name));
  const isBound = (name: string): boolean => /_(?:from|to)$/.test(name) && names.has(name.replace(/_(?:from|to)$/, ''));
  return properties.length <= fewInputs && !isRegistered
    ? schema
    : {
        ...schema,
        properties: Object.fromEntries(
          properties.flatMap(([name, property]) => (isBound(name) ? [] : [[name, brief(property)]])),
        ),
        // The bounds of what has an order: `released_from` and `released_to` next to `released`.
        ...(properties.some(([name]) => isBound(name)) ? { patternProperties: { '_(from|to)$': {} } } : {}),
      };
}

/** The manifest of everything that a machine can read or call here, itself included. */
export function toAgentsJson(source: ManifestSource): AgentsManifest {
  const { site, tools, endpoints } = source;
  const at = (path: string): string => `${site.origin}${path}`;
  const identity = {
    scheme: 'RFC 9421 HTTP Message Signatures, Ed25519',
    tiers: { ...identityTiers },
    how_to_sign: howToSign(site.origin),
  };
  return {
    $schema: at('/schemas/agents.json'),
    name: site.name,
    description: site.description,
    url: at('/'),
    version: site.version,
    updated: source.updated,
    contact: `mailto:${site.contact}`,
    language: site.language,
    license: site.licenseUrl,
    discovery: endpoints
      .filter((endpoint) => endpoint.rel !== undefined)
      .map(({ rel, path, type, title }) => ({ rel: String(rel), href: at(path), type, description: title })),
    pages: source.pages.map(({ path, title, markdown, json }) => ({
      href: at(path),
      title,
      twins: { markdown: at(markdown), json: at(json) },
    })),
    page_list: { href: at('/pages.json'), count: source.pageCount },
    endpoints: [
      ...[...tools, ...source.httpOnlyOperations].map((tool) => ({
        method: tool.method,
        path: tool.path,
        description: tool.description,
        input: toolInput(tool, tools.includes(tool)),
        output: tool.firstType ?? 'application/json',
        auth: authOf(tool),
        pricing: tool.notes?.pricing ?? null,
        rate_limit: rateLimitOf(tool, source.limits),
        tool: tools.includes(tool) ? tool.name : null,
      })),
      ...endpoints.map((endpoint) => ({
        method: endpoint.method,
        path: endpoint.path,
        description: endpoint.description,
        input: inputOf(endpoint),
        output: endpoint.type,
        auth: 'none',
        pricing: endpoint.pricing ?? null,
        rate_limit: rateLimitOf(endpoint, source.limits),
        tool: null,
      })),
    ],
    datasets: source.datasets.map(({ id, title, count, path, updated }) => ({
      id,
      title,
      count,
      href: at(path),
      updated,
    })),
    interfaces: {
      http: { openapi: at('/openapi.json') },
      json_api: {
        openapi: at('/openapi.json'),
        catalog: at('/.well-known/api-catalog'),
        errors: 'application/problem+json (RFC 9457)',
      },
      webmcp: {
        object: 'document.modelContext',
        page: at('/'),
        registry: at('/api/tool-registry'),
        tools: toRegisteredTools(tools).map((tool) => ({ ...tool })),
      },
      mcp: {
        url: at(mcpPath),
        transport: 'streamable-http',
        versions: [...mcpVersions],
        card: at(`${mcpPath}/server-card`),
      },
      identity: { scheme: identity.scheme, try_it: identity.how_to_sign.try_it },
    },
    rate_limits: toRateLimits(source.limits),
    identity,
    web_bot_auth: {
      supported: true,
      verifies:
        'Signature-Input, Signature and Signature-Key or Signature-Agent, on /api/whoami and on guestbook writes and withdrawals',
      try_it: at('/api/whoami'),
    },
    payments: {
      scheme: 'x402 version 2, scheme mock on the network demo:local',
      demo: true,
      note: 'A demonstration: no money moves, and no wallet can pay by accident.',
      pay: { method: 'POST', path: '/api/pay', body: { quote: 'the `quote` of the 402' } },
      header: 'X-Payment',
      prices: Object.values(prices).map(({ tool, method, path, amountUsd, unit, free }) => ({
        tool,
        method,
        path,
        amount_usd: amountUsd,
        unit,
        free,
      })),
    },
    trust: trustRules.map((rule) => ({ ...rule })),
  };
}
