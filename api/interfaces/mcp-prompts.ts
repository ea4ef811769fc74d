import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { mcpPrompts } from '../catalog/mcp-prompts.ts';
import { echoedLine } from '../contract/echoed-line.ts';

export const listPrompts = () => ({
  prompts: mcpPrompts.map(({ text: _text, ...declaration }) => declaration),
});

/** The messages of a prompt. Throws a ProtocolError that names what is missing. */
export function getPrompt(name: string, given: Readonly<Record<string, string>> = {}) {
  const prompt = mcpPrompts.find((each) => each.name === name);
  if (prompt === undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `No prompt is called ${echoedLine(name.slice(0, 100))}. There are: ${mcpPrompts.map((each) => each.name).join(', ')}.`,
    );
  }
  const missing = prompt.arguments.find((argument) => argument.required && !given[argument.name]);
  if (missing !== undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The argument ${missing.name} is missing: ${missing.description}`,
    );
  }
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value.slice(0, 300)]));
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(values) } }],
  };
}

/** Values that complete an argument of a prompt. */
export const completePrompt = (argument: string, value: string): string[] =>
  ['training', 'search'].includes(argument) ? ['yes', 'no'].filter((each) => each.startsWith(value.toLowerCase())) : [];
