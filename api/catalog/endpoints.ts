import { datasets } from '#almanac/datasets/index.ts';
import { platformIds } from '../audit/fixes/platforms/index.ts';
import { checksCsvPath } from '../audits/checks-csv.ts';
import { auditFeedPath } from '../audits/feed.ts';
import { auditPreviewPath } from '../audits/preview.ts';
import { auditProblems } from '../audits/start.ts';
import { freeChapterFiles } from '../contract/playbook-files.ts';
import { pricing } from '../contract/prices.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import type { Tool } from '../contract/tool.ts';
import { badgeStyles } from '../directory/badge.ts';
import { withdrawalProblems } from '../guestbook/withdraw.ts';
import { writeProblems } from '../guestbook/write.ts';
import { deliveryProblems } from '../playbook/deliver.ts';
import { mcpPath, mcpVersions } from './to-mcp.ts';

/** An address of the service that is neither a tool nor a page. */
export interface Endpoint {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  title: string;
  description: string;
  /** Media type of the answer. */
  type: string;
  /** Relation in the manifest's `discovery` list (IANA link relations where one fits); absent for plain API endpoints. */
  rel?: string;
  /** Parameters in the path and the query, by name. */
  parameters?: Readonly<Record<string, EndpointParameter>>;
  /** Fields of the form that a POST takes, each with what it is for. */
  form?: Readonly<Record<string, string>>;
  /** JSON Schema of the body that a POST takes. */
  body?: Readonly<Record<string, unknown>>;
  /** Status of the answer when all goes well; 200 by default. */
  status?: 200 | 201 | 303;
  /** Other answers by status: what each is for, and its media types where it has a body. */
  others?: Readonly<Record<number, { description: string; types?: readonly string[] }>>;
  /** Errors beyond those that follow from `form`, `parameters` and `limit`. */
  problems?: readonly ProblemSlug[];
  /** Which allowance a request counts against; absent where none is counted. */
  limit?: Tool['limit'];
  /** A further allowance of the client network that a request takes from. */
  allowance?: Tool['allowance'];
  /** What it costs, where it sells something. */
  pricing?: string;
  /** `file` is prebuilt, `server` is answered by the running service. */
  servedBy: 'file' | 'server';
}

/** A parameter of an endpoint that is no tool. */
export interface EndpointParameter {
  in: 'path' | 'query';
  description: string;
  /** JSON Schema. */
  schema: Readonly<Record<string, unknown>>;
  example: string | number;
  /** True for one that can be left out. */
  isOptional?: true;
}

const json = 'application/json';

const problem = 'application/problem+json';

const page = 'text/html; charset=utf-8';

const badgeStyle = {
  in: 'query',
  description: 'Badge style.',
  schema: { enum: badgeStyles },
  example: 'night',
  isOptional: true,
} as const;

const unchanged = { description: 'Unchanged since the ETag in If-None-Match.' };

const siteWithReport = {
  in: 'query',
  description: 'A site with a report.',
  schema: { type: 'string' },
  example: 'https://example.com/',
} as const;

const ofReport = {
  parameters: { url: siteWithReport },
  problems: ['not-found', 'invalid-query', 'invalid-fields', 'audit-target-refused'],
} as const;

type Declared<Known extends keyof Endpoint> = Omit<Endpoint, Known> & Partial<Pick<Endpoint, Known>>;

/** A prebuilt file. */
const file = (endpoint: Declared<'method' | 'servedBy'>): Endpoint => ({
  method: 'GET',
  servedBy: 'file',
  ...endpoint,
});

/** What the service answers to a GET. */
const answer = (endpoint: Declared<'method' | 'servedBy'>): Endpoint => ({
  ...{ method: 'GET', limit: 'read', servedBy: 'server' },
  ...endpoint,
});

/** A form that is answered with a page. */
const form = (endpoint: Declared<'method' | 'type' | 'servedBy'>): Endpoint => ({
  ...{ method: 'POST', type: page, limit: 'write', servedBy: 'server' },
  ...endpoint,
});

/** Every address that is neither a tool nor a page, in the order in which the documents list them. */
export const endpoints: readonly Endpoint[] = [
  file({
    path: '/llms.txt',
    title: 'Index for language models',
    description: 'Markdown index of the site; its links lead to markdown.',
    type: 'text/markdown; charset=utf-8',
    rel: 'llms-txt',
  }),
  file({
    path: '/llms-full.txt',
    title: 'The whole site in one file',
    description: 'The markdown twin of every page, each under its own address: over 1 MB, for an index of your own.',
    type: 'text/markdown; charset=utf-8',
    rel: 'llms-full-txt',
  }),
  file({
    path: '/.well-known/agents.json',
    title: 'Manifest for agents',
    description: 'Every page, endpoint, tool, dataset, identity scheme and rule of the site, itself included.',
    type: json,
    rel: 'self',
  }),
  file({
    path: '/openapi.json',
    title: 'OpenAPI description',
    description: 'OpenAPI 3.1 description of every endpoint.',
    type: 'application/vnd.oai.openapi+json;version=3.1',
    rel: 'service-desc',
  }),
  file({
    path: '/.well-known/api-catalog',
    title: 'API catalog',
    description: 'Linkset of the API and its descriptions (RFC 9727).',
    type: 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
    rel: 'api-catalog',
  }),
  file({
    path: '/.well-known/ard.json',
    title: 'Agentic resources',
    description: 'What an agent can use here, by Agentic Resource Discovery 0.91.',
    type: json,
    rel: 'ard',
  }),
  file({
    path: '/.well-known/ai-catalog.json',
    title: 'AI catalog',
    description: 'The same entries where version 0.9 has them.',
    type: 'application/ai-catalog+json',
    rel: 'ai-catalog',
  }),
  file({
    path: `${mcpPath}/server-card`,
    title: 'MCP server card',
    description: 'Where the MCP endpoint is and which revisions of the protocol it speaks (SEP-2127).',
    type: 'application/mcp-server-card+json',
    rel: 'mcp-server-card',
  }),
  file({
    path: '/.well-known/mcp/server-card.json',
    title: 'MCP server card, at its earlier address',
    description: 'The same card, where clients of the earlier drafts look for it.',
    type: 'application/mcp-server-card+json',
    rel: 'mcp-server-card',
  }),
  {
    method: 'POST',
    path: mcpPath,
    title: 'MCP endpoint',
    description: `The tools over the Model Context Protocol, revisions ${mcpVersions.join(', ')}: Streamable HTTP without sessions, one JSON-RPC message a POST.`,
    type: json,
    body: {
      type: 'object',
      required: ['jsonrpc', 'method'],
      properties: {
        jsonrpc: { const: '2.0' },
        id: { type: ['string', 'integer'], description: 'Left out in a notification.' },
        method: { type: 'string', examples: ['server/discover', 'initialize', 'ping', 'tools/list', 'tools/call'] },
        params: { type: 'object' },
      },
    },
    others: {
      202: { description: 'A notification was taken. It has no answer.' },
      400: { description: 'The body is no JSON, no message, or disagrees with the headers.', types: [json, problem] },
      403: { description: 'A page of another site sent it, as its Origin header says.', types: [json] },
      404: { description: 'The method is not known, to a message of revision 2026-07-28.', types: [json] },
      413: { description: 'The body is longer than 16 KiB.', types: [json, problem] },
      415: { description: 'The body is not application/json.', types: [json] },
      429: { description: 'The allowance for reading is used up.', types: [json] },
      500: { description: 'A tool failed.', types: [json] },
    },
    limit: 'read',
    servedBy: 'server',
  },
  answer({
    path: '/api/tool-registry',
    title: 'Tool registry',
    description: 'The tools with their input schemas and HTTP twins, as the home page registers them.',
    type: json,
    rel: 'tool-registry',
  }),
  file({
    path: '/robots.txt',
    title: 'Crawling rules',
    description: 'Rules for crawlers (RFC 9309): AI crawlers are allowed by name.',
    type: 'text/plain; charset=utf-8',
    rel: 'robots',
  }),
  file({
    path: '/sitemap.xml',
    title: 'Sitemap',
    description: 'Every page with the day of its last change.',
    type: 'application/xml; charset=utf-8',
    rel: 'sitemap',
  }),
  file({
    path: '/pages.json',
    title: 'List of pages',
    description: 'Every page with its twins and the day of its last change, as JSON.',
    type: json,
    rel: 'collection',
  }),
  file({
    path: '/sitemap.md',
    title: 'Sitemap in markdown',
    description: 'Every page by section, with a line on each.',
    type: 'text/markdown; charset=utf-8',
    rel: 'sitemap',
  }),
  file({
    path: '/feed.atom',
    title: 'Feed of new editions',
    description:
      'The newest edition of the catalog, each dataset, the playbook and the rubric of the audit (RFC 4287).',
    type: 'application/atom+xml; charset=utf-8',
    rel: 'alternate',
  }),
  file({
    path: '/feed.json',
    title: 'Feed of new editions as JSON',
    description: 'The same as JSON Feed 1.1. Changes of records: /api/changes.',
    type: 'application/feed+json',
    rel: 'alternate',
  }),
  file({
    path: '/.well-known/security.txt',
    title: 'Security contact',
    description: 'Where to report a vulnerability (RFC 9116).',
    type: 'text/plain; charset=utf-8',
    rel: 'security',
  }),
  file({
    path: '/.well-known/agent-skills/index.json',
    title: 'Agent skills',
    description: 'Skills for using this site, with the digest of each (Agent Skills Discovery 0.2.0).',
    type: json,
    rel: 'agent-skills',
  }),
  file({
    path: '/.well-known/agent-skills/read-this-site/SKILL.md',
    title: 'Skill: read this site',
    description: 'How an agent looks up, audits and signs here, as a skill that it can load.',
    type: 'text/markdown; charset=utf-8',
    rel: 'agent-skills',
  }),
  file({
    path: '/schemas/agents.json',
    title: 'Schema of the manifest',
    description: 'JSON Schema of /.well-known/agents.json.',
    type: 'application/schema+json',
    rel: 'describedby',
  }),
  ...['techniques', 'problems'].map((path) =>
    file({
      path: `/${path}/llms.txt`,
      title: `${path === 'techniques' ? 'Techniques' : 'Error types'}: index for language models`,
      description: `Markdown index of the pages below /${path}.`,
      type: 'text/markdown; charset=utf-8',
    }),
  ),
  ...datasets.flatMap(({ path, title }) => [
    file({
      path: `/${path}/llms.txt`,
      title: `${title}: index for language models`,
      description: 'Markdown index of this dataset.',
      type: 'text/markdown; charset=utf-8',
    }),
    file({
      path: `/${path}.jsonl`,
      title: `${title} as JSON Lines`,
      description: 'The whole dataset, a record a line.',
      type: 'application/jsonl; charset=utf-8',
    }),
    file({
      path: `/${path}.csv`,
      title: `${title} as CSV`,
      description: 'The whole dataset as CSV (RFC 4180), with JSON in cells that hold lists.',
      type: 'text/csv; charset=utf-8; header=present',
    }),
  ]),
  file({
    path: freeChapterFiles('markdown-negotiation'),
    title: 'Files of the free chapter',
    description: 'The recipes of the free chapter of the playbook as files, with their test.',
    type: 'application/zip',
  }),
  {
    method: 'GET',
    path: '/.well-known/http-message-signatures-directory',
    title: 'Key directory',
    description: 'The public keys of the requests of this site; the answer is signed with them.',
    type: 'application/http-message-signatures-directory+json',
    rel: 'key-directory',
    servedBy: 'server',
  },
  form({
    path: '/guestbook',
    title: 'Guestbook form',
    description: 'Signs the guestbook; the answer is a page with the receipt.',
    form: {
      name: 'Name, at most 80 characters; longer text is cut.',
      message: 'Message, at most 280 characters; longer text is cut.',
      model: 'Optional: the model that wrote it, at most 80 characters.',
    },
    status: 201,
    others: { 200: { description: 'The page of the first receipt, to a repeated Idempotency-Key.', types: [page] } },
    problems: writeProblems,
  }),
  form({
    path: '/guestbook/withdraw',
    title: 'Withdrawal form',
    description: 'Withdraws a guestbook entry; the answer is a page that confirms it.',
    form: { id: 'Id of the entry.', token: 'The withdrawal token from its receipt.' },
    problems: ['not-found', ...withdrawalProblems],
  }),
  answer({
    path: '/audit/fixes.zip',
    title: 'Fixes of an audit as files',
    description: 'Files that fix what the last report on a site found, with a README.md for a coding agent.',
    type: 'application/zip',
    parameters: {
      url: siteWithReport,
      platform: {
        in: 'query',
        description: 'What the fixes are for; what was recognised unless given.',
        schema: { enum: platformIds },
        example: 'nginx',
        isOptional: true,
      },
    },
    problems: ofReport.problems,
  }),
  answer({
    path: auditFeedPath,
    title: 'Results of a site as a feed',
    description: 'The last 20 results of a site, newest first: score, what was fixed, what is new.',
    type: 'application/atom+xml; charset=utf-8',
    ...ofReport,
  }),
  answer({
    path: checksCsvPath,
    title: 'Checks of a report as a table',
    description: 'The checks of a report.',
    type: 'text/csv; charset=utf-8',
    ...ofReport,
  }),
  answer({
    path: auditPreviewPath,
    title: 'Picture of a report',
    description: 'The score of a report as a PNG.',
    type: 'image/png',
    ...ofReport,
  }),
  form({
    path: '/audit',
    title: 'Audit form',
    description:
      'Audits a site from a browser without scripts, and leads to its report. Errors and payments due are pages too.',
    form: {
      url: 'Address of the site; without a scheme it is read as https.',
      quote: 'Optional: the quote of a payment that is due. It is paid in the demonstration, and the audit runs.',
    },
    status: 303,
    others: {
      200: {
        description:
          'The page of a report that has no address of its own: too long to be kept, or too little could be judged where a full one is kept.',
        types: [page],
      },
    },
    problems: [...auditProblems, 'payment-required', 'quote-not-valid'],
    allowance: 'audit',
    pricing: pricing.audit,
  }),
  form({
    path: '/audit/look',
    title: 'Form of what others see',
    description: 'The same as POST /api/audit/look; the answer is a page.',
    form: { url: 'Address of the page; without a scheme it is read as https.' },
    problems: auditProblems,
    allowance: 'audit',
  }),
  form({
    path: '/directory',
    title: 'Directory form',
    description: 'Audits a site and lists it when it passes; the answer is a page.',
    form: { url: 'Address of the site; without a scheme it is read as https.' },
    status: 201,
    others: {
      200: { description: 'The page of a site that was listed already, with the newer result.', types: [page] },
    },
    problems: [...auditProblems, 'not-certifiable'],
    limit: 'audit',
    allowance: 'join',
  }),
  form({
    path: '/playbook',
    title: 'Playbook form',
    description:
      'Sells the premium playbook: 402 with a quote, and with that the page of all chapters. No money moves.',
    form: {
      quote: 'The quote of the payment that is due. It is paid in the demonstration. Leave it out to be given one.',
      payment: 'One that was made: the answer is the files, as a zip.',
    },
    problems: [...deliveryProblems, 'quote-not-valid'],
    pricing: pricing.playbook,
  }),
  answer({
    path: '/badge.svg',
    title: 'Badge of a score',
    description: 'Draws the badge of a score.',
    type: 'image/svg+xml; charset=utf-8',
    parameters: {
      score: {
        in: 'query',
        description: 'The score.',
        schema: { type: 'integer', minimum: 0, maximum: 100 },
        example: 85,
      },
      style: badgeStyle,
    },
    others: { 304: unchanged },
  }),
  answer({
    path: '/badge/{id}.svg',
    title: 'Badge of a site',
    description: 'Draws the badge of a site in the directory; "not listed" for others.',
    type: 'image/svg+xml; charset=utf-8',
    parameters: {
      id: {
        in: 'path',
        description: 'Id of the site: first 12 hexadecimal characters of the SHA-256 of its origin.',
        schema: { type: 'string', pattern: '^[0-9a-f]{12}$' },
        example: '0123456789ab',
      },
      style: badgeStyle,
    },
    others: { 304: unchanged },
  }),
  answer({
    path: '/api/health',
    title: 'Health',
    description: 'Says that the server answers, with the build it serves.',
    type: json,
    rel: 'status',
  }),
];

/** The media types that the endpoints declare, by path. */
export const declaredTypes: ReadonlyMap<string, string> = new Map(endpoints.map(({ path, type }) => [path, type]));
