import { type Tool, toInputSchema } from '../contract/tool.ts';
import { version } from '../version.ts';

/** The revision of the Model Context Protocol in which each request is complete in itself. */
export const statelessVersion = '2026-07-28';

/** Revisions that begin with `initialize`, newest first; they are served without sessions. */
export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18'];

/** Every revision that is spoken at `mcpPath`, newest first. */
export const mcpVersions: readonly string[] = [statelessVersion, ...handshakeVersions];

export const mcpPath = '/mcp';

/** Asks for the data of a result as structuredContent: `_meta` of the call with this key and the value "json". */
export const formatKey = 'porchlight/format';

/** A tool as `tools/list` shows it. */
export interface McpTool {
  [member: string]: unknown;
  name: string;
  title: string;
  description: string;
  inputSchema: { type: 'object'; [member: string]: unknown };
  annotations: { readOnlyHint: boolean; openWorldHint: boolean; destructiveHint?: boolean };
}

/** A payment for who sends no headers and no `_meta`. */
const paymentInput = { type: 'string', description: '`payment` of pay_quote, when one is due.' };

/** Feeds are for programs that follow them over HTTP. */
const isForModels = ([name]: [string, unknown]): boolean => name !== 'format';

/** What a schema says that a model needs before it calls; the answer names a limit that it breaks. */
const keywords = ['type', 'enum', 'items', 'additionalProperties'];

/** What the answer that has it says itself: how the list goes on. */
const toldByAnswer = 'cursor';

/** One input: its type, its values and the first clause of its description; an example only where the values aren't listed. */
function toBriefProperty(name: string, property: Record<string, unknown>): Record<string, unknown> {
  const { description } = property;
  const isListed = property['enum'] !== undefined;
  return {
    ...Object.fromEntries(Object.entries(property).filter(([name]) => keywords.includes(name))),
    ...(typeof description === 'string' && name !== toldByAnswer
      ? { description: description.replace(isListed ? /(?:; |, such as ).*$|\.$/ : /; .*$|\.$/, '') }
      : {}),
  };
}

/** JSON Schema of a tool's input, without what a model learns nothing from. */
function toBriefSchema(tool: Tool): McpTool['inputSchema'] {
  const { additionalProperties: _strict, properties = {}, ...schema } = toInputSchema(tool);
  const inputs = Object.entries(properties as Record<string, Record<string, unknown>>).filter(isForModels);
  const isPaid = Object.hasOwn(tool.headers ?? {}, 'X-Payment');
  return {
    ...schema,
    type: 'object',
    properties: {
      ...Object.fromEntries(inputs.map(([name, property]) => [name, toBriefProperty(name, property)])),
      ...(isPaid ? { payment: paymentInput } : {}),
    },
  };
}

/**
 * The tools as the Model Context Protocol shows them: those of the registry in its order, then the further ones. They have no
 * output schemas, which would be five times as long as the rest: results are text, and data where a call asks for it.
 */
export const toMcpTools = (tools: readonly Tool[]): McpTool[] =>
  tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toBriefSchema(tool),
    annotations: {
      readOnlyHint: tool.readOnly,
      openWorldHint: tool.limit === 'audit',
      // They mean something only for what changes something.
      ...(tool.readOnly ? {} : { destructiveHint: tool.method === 'DELETE' }),
    },
  }));

/** Who answers, as `initialize` and `server/discover` say it. */
export const toServerInfo = (site: { name: string; origin: string }) => ({
  name: 'porchlight',
  title: site.name,
  version,
  websiteUrl: `${site.origin}/`,
});

/** What the server is for, within the 100 characters that a card has room for. */
const serverDescription =
  'Ask or search the almanac, verify-crawler, audit sites, directory, techniques, playbook, guestbook.';

/** The host in reverse, as names of servers begin; an address stands for nobody's domain. */
const reverseHost = (hostname: string): string =>
  /[a-z]$/i.test(hostname) ? hostname.split('.').reverse().join('.') : 'localhost';

/**
 * The server card (SEP-2127), served at `/mcp/server-card` and, for readers of its earlier drafts, under
 * `/.well-known/mcp/`. Its name is the host in reverse with the name of the software; a card holds no tools.
 */
export const toServerCard = (site: { name: string; origin: string }): Record<string, unknown> => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${reverseHost(new URL(site.origin).hostname)}/porchlight`,
  version,
  description: serverDescription,
  title: site.name,
  websiteUrl: `${site.origin}/`,
  remotes: [{ type: 'streamable-http', url: `${site.origin}${mcpPath}`, supportedProtocolVersions: [...mcpVersions] }],
});
