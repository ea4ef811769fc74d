import { defineCheck } from '../../check.ts';
import { find, findStrings } from '../../facts/json.ts';
import { jsonRpcOf } from '../../facts/json-rpc.ts';
import { bareLine, counted, lineOf } from '../../judging/lines.ts';
import { isJsonRpc, mcpAnswers, toolsAnswer } from '../../judging/mcp.ts';
import { flawsOfTools } from '../../judging/tool-definitions.ts';
import { fail, notApplicable, partial, pass, requireFile, unchecked } from '../../judging/verdicts.ts';

/** Whether the MCP endpoint that a site names lists its tools. */
export const mcpServer = defineCheck({
  id: 'mcp-server',
  technique: 'agent-api',
  topic: 'MCP server',
  titles: {
    pass: 'The MCP endpoint answers and lists its tools',
    partial: 'The MCP endpoint answers, but not in full',
    fail: 'The MCP endpoint does not answer as one',
  },
  causes: ['mcp'],
  why: 'A client that learns of an endpoint connects to it. One that does not answer costs it a task.',
  reference: { title: 'Model Context Protocol: specification', url: 'https://modelcontextprotocol.io/specification/' },
  contested:
    'The version of 2026-07-28 has no initialize and no sessions; earlier ones need both. We try both, and either is enough.',
  fix: ({ origin, mcp }) => ({
    text: 'Answer tools/list over streamable HTTP, with a name, a description and an inputSchema for each tool, or take the endpoint out of what names it.',
    snippet: `curl -s ${mcp?.url ?? `${origin}/mcp`} -H 'content-type: application/json' \\\n  -H 'accept: application/json, text/event-stream' \\\n  -d '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}'`,
    language: 'sh',
  }),
  judge(evidence) {
    const { mcp } = evidence;
    if (mcp === null) {
      requireFile(evidence, 'mcp-server-card');
      requireFile(evidence, 'agents-json');
      return notApplicable(bareLine(evidence, 'No MCP endpoint is claimed.'));
    }
    const source = evidence.exchanges[mcp.claimedBy];
    const claim = source === undefined ? [] : [lineOf(source, 'This names the endpoint.', { excerpt: mcp.url })];
    if (!mcp.asked) {
      return unchecked(...claim, bareLine(evidence, 'The endpoint is on another host, which is not spoken to.'));
    }
    const answers = mcpAnswers(evidence);
    if (answers.length === 0) {
      return unchecked(...claim, bareLine(evidence, 'No call to the endpoint came to an answer.'));
    }
    const listed = toolsAnswer(evidence);
    if (listed !== null) {
      const flaws = flawsOfTools(listed.tools);
      const names = listed.tools.flatMap((tool) => findStrings(tool, 'name')).slice(0, 12);
      const line = (note: string) => lineOf(listed.exchange, note, { excerpt: names.join(', ') });
      return flaws.length === 0 && listed.tools.length > 0
        ? pass(...claim, line(`tools/list brings ${counted(listed.tools.length, 'tool')}, each defined in full.`))
        : partial(
            ...claim,
            line(
              `tools/list brings ${counted(listed.tools.length, 'tool')}; ${flaws.slice(0, 3).join('; ') || 'the list is empty'}.`,
            ),
          );
    }
    const lines = answers.map((exchange) =>
      lineOf(exchange, 'No list of tools came.', { excerpt: exchange.body.slice(0, 200) }),
    );
    const initialized = answers.some((exchange) => find(jsonRpcOf(exchange).value, 'result').length > 0);
    if (initialized) {
      return partial(...claim, ...lines);
    }
    if (answers.every(({ status }) => status === 401 || status === 403)) {
      return partial(
        ...claim,
        ...lines,
        bareLine(evidence, 'The endpoint asks for an account: declared, and not to be verified from outside.'),
      );
    }
    return fail(
      ...claim,
      ...lines,
      bareLine(
        evidence,
        answers.some(isJsonRpc) ? 'The endpoint answers with errors alone.' : 'What answers is no MCP endpoint.',
      ),
    );
  },
});
