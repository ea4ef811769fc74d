import type { Exchange } from '../../../fetch/exchange.ts';
import { defineCheck, type Verdict } from '../../check.ts';
import { isSuccess } from '../../facts/headers.ts';
import { find, findStrings, jsonOf } from '../../facts/json.ts';
import { isObject, isText, requireServed } from '../../judging/claims.ts';
import { isHtml } from '../../judging/gates.ts';
import { lineOf } from '../../judging/lines.ts';
import { isJsonRpc, mcpAnswers } from '../../judging/mcp.ts';
import { fail, partial, pass, requireFile } from '../../judging/verdicts.ts';

function missingIn(card: Record<string, unknown>): string[] {
  const [name = ''] = findStrings(card, 'name');
  return [
    ...(/^[a-z0-9.-]+\/[\w.-]+$/i.test(name) ? [] : ['a name of the form com.example/name']),
    ...(isText(card['version']) ? [] : ['a version']),
    ...(findStrings(card, 'description').some((text) => isText(text) && text.length <= 100)
      ? []
      : ['a description of at most 100 characters']),
    ...(findStrings(card, 'remotes', '*', 'url').length > 0 ? [] : ['a remote with its url']),
  ];
}

/** Whether the card of an MCP server has its form. */
export const mcpServerCard = defineCheck({
  id: 'mcp-server-card',
  technique: 'agent-api',
  topic: 'MCP server card',
  titles: {
    pass: 'The MCP server card has its form',
    partial: 'The MCP server card is incomplete',
    fail: 'The MCP server card is missing or broken',
  },
  causes: ['mcp'],
  why: 'A client learns the address and the version of a server without connecting to it.',
  reference: {
    title: 'SEP-2127: MCP Server Cards',
    url: 'https://github.com/modelcontextprotocol/modelcontextprotocol/issues/2127',
  },
  contested:
    'SEP-2127 puts the card next to the endpoint, found through ai-catalog.json, and advises against a well-known address; public scanners look at /.well-known/mcp/server-card.json. We take either.',
  fix: ({ origin, mcp }) => ({
    text: 'Serve the card as application/mcp-server-card+json.',
    snippet: `{\n  "$schema": "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",\n  "name": "${new URL(origin).hostname.split('.').reverse().join('.')}/site",\n  "version": "1.0.0",\n  "description": "What the server is for, in at most 100 characters.",\n  "remotes": [{ "type": "streamable-http", "url": "${mcp?.url ?? `${origin}/mcp`}" }]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const answers = mcpAnswers(evidence).some(isJsonRpc);
    if (evidence.exchanges['mcp-server-card:catalog'] !== undefined) {
      const named = requireFile(evidence, 'mcp-server-card:catalog');
      return isSuccess(named) && !isHtml(named)
        ? judgeCard(named, answers)
        : fail(lineOf(named, 'ai-catalog.json names this card, and it is not there.'));
    }
    return judgeCard(requireServed(evidence, 'mcp-server-card', 'An MCP server card'), answers);
  },
});

/** `answers`: the endpoint was seen to speak JSON-RPC. */
function judgeCard(exchange: Exchange, answers: boolean): Verdict {
  const { value, problem } = jsonOf(exchange);
  const line = (note: string) =>
    lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 200) });
  if (problem !== null || !isObject(value)) {
    return fail(line(problem ?? 'The card is no object.'));
  }
  const missing = missingIn(value);
  if (missing.length > 0) {
    return find(value, 'remotes', '*').length === 0 && missing.length > 2
      ? fail(line(`The card lacks ${missing.join(', ')}.`))
      : partial(line(`The card lacks ${missing.join(', ')}.`));
  }
  return answers
    ? pass(line('The card is whole, and the endpoint speaks JSON-RPC.'))
    : partial(line('The card is whole. The endpoint it names did not answer us: declared only.'));
}
