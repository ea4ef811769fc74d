import { defineCheck } from '../../check.ts';
import { findStrings, jsonOf } from '../../facts/json.ts';
import { isObject, requireServed } from '../../judging/claims.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { isJsonRpc } from '../../judging/mcp.ts';
import { fail, partial, pass } from '../../judging/verdicts.ts';

const required = [
  'name',
  'description',
  'version',
  'capabilities',
  'defaultInputModes',
  'defaultOutputModes',
  'skills',
];

/** Whether an A2A agent card has its form and the agent answers. */
export const agentCard = defineCheck({
  id: 'agent-card',
  technique: 'agent-api',
  topic: 'A2A agent card',
  titles: {
    pass: 'The A2A agent card is whole, and the agent answers',
    partial: 'The A2A agent card is incomplete or unproven',
    fail: 'The A2A agent card is missing or its agent does not answer',
  },
  causes: ['agent-files'],
  why: 'A card says that an agent can be spoken to. Another agent that reads it will.',
  reference: { title: 'A2A protocol: agent discovery', url: 'https://a2a-protocol.org/latest/topics/agent-discovery/' },
  fix: ({ origin }) => ({
    text: 'Fill in all that the card must have, or take it away when there is no agent behind it.',
    snippet: `{\n  "name": "Agent of ${new URL(origin).host}",\n  "description": "What it does, in a sentence.",\n  "version": "1.0.0",\n  "supportedInterfaces": [{ "url": "${origin}/a2a", "protocolBinding": "JSONRPC", "protocolVersion": "1.0" }],\n  "capabilities": {},\n  "defaultInputModes": ["text/plain"],\n  "defaultOutputModes": ["text/plain"],\n  "skills": [{ "id": "answer", "name": "Answer", "description": "Answers questions on the site.", "tags": ["search"] }]\n}`,
    language: 'json',
  }),
  judge(evidence) {
    const exchange = requireServed(evidence, 'agent-card', 'An A2A agent card');
    const { value, problem } = jsonOf(exchange);
    const line = (note: string) =>
      lineOf(exchange, note, { header: 'content-type', excerpt: exchange.body.slice(0, 200) });
    if (problem !== null || !isObject(value)) {
      return fail(line(problem ?? 'The card is no object.'));
    }
    const address = [...findStrings(value, 'supportedInterfaces', '*', 'url'), ...findStrings(value, 'url')][0];
    const missing = [
      ...required.filter((key) => !Object.hasOwn(value, key)),
      ...(address === undefined ? ['supportedInterfaces'] : []),
    ];
    const answer = evidence.exchanges['agent-card-endpoint'];
    if (answer?.outcome === 'ok' && [404, 405, 410, 501].includes(answer.status ?? 0) && !isJsonRpc(answer)) {
      return fail(line('The card names an endpoint.'), lineOf(answer, 'It does not answer as one.'));
    }
    if (missing.length > 0) {
      return partial(line(`The card lacks ${missing.join(', ')}.`));
    }
    return answer !== undefined && isJsonRpc(answer)
      ? pass(
          line('The card is whole.'),
          lineOf(answer, 'The endpoint speaks JSON-RPC.', { excerpt: answer.body.slice(0, 160) }),
        )
      : partial(line('The card is whole.'), bareLine(evidence, 'The endpoint was not seen at work: declared only.'));
  },
});
