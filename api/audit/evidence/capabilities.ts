import type { Exchange } from '../../fetch/exchange.ts';
import { version } from '../../version.ts';
import { apiDescriptionOf } from '../facts/api-description.ts';
import { authChallengesOf } from '../facts/challenges.ts';
import { isSuccess, linkHeaderOf } from '../facts/headers.ts';
import { find, findStrings, jsonOf } from '../facts/json.ts';
import { jsonRpcOf } from '../facts/json-rpc.ts';
import type { ExchangeName } from './exchange-name.ts';
import type { McpEvidence } from './recording.ts';
import type { Reservation } from './request-budget.ts';
import type { RequestScheduler } from './request-scheduler.ts';
import { isSameSite } from './same-site.ts';

const files = {
  'agents-json': '/.well-known/agents.json',
  'api-catalog': '/.well-known/api-catalog',
  ard: '/.well-known/ard.json',
  'ai-catalog': '/.well-known/ai-catalog.json',
  'ai-plugin': '/.well-known/ai-plugin.json',
  'signature-directory': '/.well-known/http-message-signatures-directory',
  'agent-skills': '/.well-known/agent-skills/index.json',
  'mcp-server-card': '/.well-known/mcp/server-card.json',
  'agent-card': '/.well-known/agent-card.json',
  openapi: '/openapi.json',
  'oauth-resource': '/.well-known/oauth-protected-resource',
} as const satisfies { [Name in ExchangeName]?: string };

type FileName = keyof typeof files;

/** The document that a file holds, or null. */
type DocumentOf = (name: FileName) => unknown;

/** Where manifests name the description of the API, and the MCP endpoint: at the top or one level deeper. */
const openapiPlaces = [
  ['interfaces', 'http', 'openapi'],
  ['interfaces', 'openapi', 'url'],
  ['api', 'openapi'],
  ['openapi'],
];
const mcpPlaces = [
  ['interfaces', 'mcp', 'url'],
  ['interfaces', 'mcp', 'endpoint'],
  ['mcp', 'url'],
  ['mcp', 'endpoint'],
];

const client = { name: 'PorchlightAudit', version };
const modernVersion = '2026-07-28';
const sessionVersion = '2025-11-25';

/** Asks for the machine-readable descriptions of a site, and at most a little of what they claim. */
export async function askCapabilities(
  scheduler: RequestScheduler,
  base: URL,
  home: Exchange,
  from: Reservation,
): Promise<McpEvidence | null> {
  const asked = new Map(
    await Promise.all(
      (Object.entries(files) as [FileName, string][]).map(
        async ([name, path]): Promise<[FileName, Exchange]> => [
          name,
          await scheduler.ask(name, new URL(path, base).href, { first: true }),
        ],
      ),
    ),
  );
  const documentOf: DocumentOf = (name) => {
    const exchange = asked.get(name) ?? null;
    return isSuccess(exchange) ? jsonOf(exchange).value : null;
  };
  const resolved = (address: string): string | null =>
    URL.canParse(address, base) ? new URL(address, base).href : null;

  const skill = findStrings(documentOf('agent-skills'), 'skills', '*', 'url')
    .map(resolved)
    .find((url) => url !== null);
  const described = [
    ...findStrings(documentOf('api-catalog'), 'linkset', '*', 'service-desc', '*', 'href'),
    ...linkHeaderOf(home)
      .filter((link) => link.rel.includes('service-desc'))
      .map((link) => link.href),
    ...openapiPlaces.flatMap((path) => findStrings(documentOf('agents-json'), ...path)),
    ...findStrings(documentOf('ai-plugin'), 'api', 'url'),
  ]
    .map(resolved)
    .find((url) => url !== null && url !== new URL('/openapi.json', base).href && isSameSite(base, url));

  const [, , , mcp] = await Promise.all([
    skill && isSameSite(base, skill) ? scheduler.ask('skill:1', skill, { from }) : null,
    askPriced(scheduler, base, described ?? null, documentOf, from),
    askAgent(scheduler, base, documentOf('agent-card')),
    askMcp(scheduler, base, documentOf, from),
  ]);
  await askOauth(scheduler, base, from);
  return mcp;
}

const mayWantToken = ['mcp-initialize', 'mcp-discover', 'agent-card-endpoint', 'priced:1', 'priced:2', 'home'] as const;

/**
 * Asks for the metadata that an answer wanting a token names (RFC 9728 section 5.1), and for those of the authorization
 * server that they or the customary ones name (RFC 8414 section 3.1).
 */
async function askOauth(scheduler: RequestScheduler, base: URL, from: Reservation): Promise<void> {
  const named = mayWantToken
    .map((name) => scheduler.exchange(name))
    .filter((exchange) => exchange !== undefined)
    .flatMap((exchange) => authChallengesOf(exchange))
    .map(({ parameters }) => parameters.get('resource_metadata') ?? '')
    .find((address) => isSameSite(base, address));
  const metadata =
    named === undefined
      ? scheduler.exchange('oauth-resource')
      : await scheduler.ask('oauth-resource:named', named, { first: true, from });
  const issuer =
    metadata !== undefined && isSuccess(metadata)
      ? findStrings(jsonOf(metadata).value, 'authorization_servers', '0')[0]
      : undefined;
  if (issuer !== undefined && isSameSite(base, issuer)) {
    const { origin, pathname } = new URL(issuer);
    const path = `/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
    await scheduler.ask('oauth-server', new URL(path, origin).href, { first: true, from });
  }
}

/** Asks for the API description that is named elsewhere, and for two addresses that a description gives a price. */
async function askPriced(
  scheduler: RequestScheduler,
  base: URL,
  described: string | null,
  documentOf: DocumentOf,
  from: Reservation,
): Promise<void> {
  const claimed = described === null ? null : await scheduler.ask('openapi:claimed', described, { first: true, from });
  const priced = [
    ...pricedInOpenApi(documentOf('openapi'), base),
    ...pricedInOpenApi(isSuccess(claimed) ? apiDescriptionOf(claimed).value : null, base),
    ...pricedInManifest(documentOf('agents-json'), base),
  ].filter((url, index, all) => isSameSite(base, url) && all.indexOf(url) === index);
  await Promise.all(
    priced
      .slice(0, 2)
      .map((url, index) =>
        scheduler.ask(index === 0 ? 'priced:1' : 'priced:2', url, { accept: 'application/json', first: true, from }),
      ),
  );
}

/** Addresses of GET operations that list a 402 and need no parameter. */
function pricedInOpenApi(document: unknown, base: URL): string[] {
  const server = findStrings(document, 'servers', '0', 'url')[0] ?? '/';
  const root = URL.canParse(server, base) ? new URL(server, base).href.replace(/\/$/, '') : base.origin;
  const paths = find(document, 'paths')[0];
  if (typeof paths !== 'object' || paths === null) {
    return [];
  }
  return Object.entries(paths)
    .filter(([path, item]) => {
      const required = [
        ...find(item, 'parameters', '*', 'required'),
        ...find(item, 'get', 'parameters', '*', 'required'),
      ];
      return !path.includes('{') && find(item, 'get', 'responses', '402').length > 0 && !required.includes(true);
    })
    .map(([path]) => `${root}${path}`)
    .filter((url) => URL.canParse(url));
}

/** Addresses of GET endpoints for which the manifest names a price. */
const pricedInManifest = (manifest: unknown, base: URL): string[] =>
  find(manifest, 'endpoints', '*')
    .filter((endpoint) => {
      const pricing = find(endpoint, 'pricing')[0];
      return (
        (findStrings(endpoint, 'method')[0] ?? 'GET').toUpperCase() === 'GET' &&
        typeof pricing === 'object' &&
        pricing !== null
      );
    })
    .flatMap((endpoint) => findStrings(endpoint, 'path'))
    .filter((path) => !path.includes('{') && URL.canParse(path, base))
    .map((path) => new URL(path, base).href);

/** Asks the agent of an A2A card for a task that nobody gave it: an answer of any kind shows that it is there. */
async function askAgent(scheduler: RequestScheduler, base: URL, card: unknown): Promise<void> {
  const modern = findStrings(card, 'supportedInterfaces', '0', 'url')[0];
  const binding = findStrings(card, 'supportedInterfaces', '0', 'protocolBinding')[0] ?? 'JSONRPC';
  const address = modern ?? findStrings(card, 'url')[0];
  if (address === undefined || binding !== 'JSONRPC' || !URL.canParse(address, base)) {
    return;
  }
  const url = new URL(address, base).href;
  if (isSameSite(base, url)) {
    await scheduler.ask('agent-card-endpoint', url, {
      method: 'POST',
      accept: 'application/json',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: modern === undefined ? 'tasks/get' : 'GetTask',
        params: { id: 'no-such-task' },
      }),
      maxBodyBytes: 64 * 1024,
      first: true,
    });
  }
}

async function askMcp(
  scheduler: RequestScheduler,
  base: URL,
  documentOf: DocumentOf,
  from: Reservation,
): Promise<McpEvidence | null> {
  const catalog: FileName = documentOf('ard') === null ? 'ai-catalog' : 'ard';
  const cards = find(documentOf(catalog), 'entries', '*').filter((entry) =>
    findStrings(entry, 'type').some((type) => /^application\/mcp-server(?:-card)?\+json/i.test(type)),
  );
  const claims: [by: ExchangeName, url: string | undefined][] = [
    ['mcp-server-card', findStrings(documentOf('mcp-server-card'), 'remotes', '*', 'url')[0]],
    ['agents-json', mcpPlaces.flatMap((path) => findStrings(documentOf('agents-json'), ...path))[0]],
    [catalog, cards.flatMap((card) => findStrings(card, 'data', 'remotes', '*', 'url'))[0]],
  ];
  let claim = claims.find(([, url]) => url !== undefined && URL.canParse(url, base));
  const cardUrl = cards.flatMap((card) => findStrings(card, 'url'))[0];
  if (cardUrl !== undefined && URL.canParse(cardUrl, base) && isSameSite(base, new URL(cardUrl, base).href)) {
    const card = await scheduler.ask('mcp-server-card:catalog', new URL(cardUrl, base).href, { first: true, from });
    const url = isSuccess(card) ? findStrings(jsonOf(card).value, 'remotes', '*', 'url')[0] : undefined;
    claim ??= url !== undefined && URL.canParse(url, base) ? ['mcp-server-card:catalog', url] : undefined;
  }
  if (claim?.[1] === undefined) {
    return null;
  }
  const url = new URL(claim[1], base).href;
  const evidence: McpEvidence = { url, claimedBy: claim[0], asked: isSameSite(base, url) };
  if (!evidence.asked) {
    return evidence;
  }
  const call = (
    name: ExchangeName,
    method: string,
    params: Record<string, unknown>,
    headers: Record<string, string>,
  ): Promise<Exchange> =>
    scheduler.ask(name, url, {
      method: 'POST',
      accept: 'application/json, text/event-stream',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      maxBodyBytes: 512 * 1024,
      first: true,
      from,
    });
  // 2026-07-28 has no sessions: each request carries the version and the client, in the body and in headers.
  const modern = (name: ExchangeName, method: string): Promise<Exchange> =>
    call(
      name,
      method,
      {
        _meta: {
          'io.modelcontextprotocol/protocolVersion': modernVersion,
          'io.modelcontextprotocol/clientInfo': client,
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
      { 'mcp-protocol-version': modernVersion, 'mcp-method': method },
    );
  const [, initialized, tools] = await Promise.all([
    modern('mcp-discover', 'server/discover'),
    call('mcp-initialize', 'initialize', { protocolVersion: sessionVersion, capabilities: {}, clientInfo: client }, {}),
    modern('mcp-tools', 'tools/list'),
  ]);
  const agreed = findStrings(jsonRpcOf(initialized).value, 'result', 'protocolVersion')[0];
  if (find(jsonRpcOf(tools).value, 'result', 'tools').length === 0 && agreed !== undefined) {
    const session = initialized.headers['mcp-session-id']?.[0];
    await call(
      'mcp-tools-session',
      'tools/list',
      {},
      {
        'mcp-protocol-version': agreed.slice(0, 40).replace(/[^\w.-]/g, ''),
        ...(session === undefined || !/^[\x21-\x7e]{1,512}$/.test(session) ? {} : { 'mcp-session-id': session }),
      },
    );
  }
  return evidence;
}
