import { z } from 'zod';
import { type Tool, toInputSchema } from '../contract/tool.ts';
import { version } from '../version.ts';

/** The revision of the Model Context Protocol in which each request stands alone. */
export const statelessVersion = '2026-07-28';

/** Revisions that begin with `initialize`, newest first; they are served without sessions. */
export const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** Every revision that is spoken at `mcpPath`, newest first. */
export const mcpVersions: readonly string[] = [statelessVersion, ...handshakeVersions];

export const mcpPath = '/mcp';

/** A tool as `tools/list` shows it. */
export interface McpTool {
  name: string;
  title: string;
  description: string;
  inputSchema: Record<string, unknown>;
  outputSchema: Record<string, unknown>;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
}

/** What a call that fails returns: problem details (RFC 9457). It is among the outputs, which clients check. */
const problemOutput: Record<string, unknown> = {
  type: 'object',
  description: 'Problem details (RFC 9457) of a call that failed.',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What happened in this case and what to do next.' },
  },
};

function toOutputSchema(tool: Tool): Record<string, unknown> {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.output, { io: 'output', unrepresentable: 'any' });
  return { type: 'object', anyOf: [schema, problemOutput] };
}

/** The tools as the Model Context Protocol shows them, in the order of the registry. */
export const toMcpTools = (tools: readonly Tool[]): McpTool[] =>
  tools.map((tool) => ({
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: toInputSchema(tool),
    outputSchema: toOutputSchema(tool),
    annotations: {
      readOnlyHint: tool.readOnly,
      destructiveHint: tool.method === 'DELETE',
      idempotentHint: tool.readOnly,
      openWorldHint: tool.limit === 'audit',
    },
  }));

/** Who answers, as `initialize` and `server/discover` say it. */
export const toServerInfo = (site: { name: string; origin: string }): Record<string, string> => ({
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
