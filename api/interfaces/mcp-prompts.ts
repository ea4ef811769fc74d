import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { mcpPrompts } from '../catalog/mcp-prompts.ts';
import { echoedLine } from '../contract/echoed-line.ts';

export const listPrompts = () => ({
  prompts: mcpPrompts.map(({ text: _text, ...declaration }) => ({
    ...declaration,
    arguments: declaration.arguments.map(({ values: _values, ...argument }) => argument),
  })),
});

/** The messages of a prompt. Throws a ProtocolError that names what is missing or can't be. */
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
  const wrong = prompt.arguments.find(
    ({ name: argument, values }) => given[argument] !== undefined && values?.includes(given[argument]) === false,
  );
  if (wrong !== undefined) {
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      `The argument ${wrong.name} is not one of ${wrong.values?.join(', ')}: ${wrong.description}`,
    );
  }
  const values = Object.fromEntries(Object.entries(given).map(([key, value]) => [key, value.slice(0, 300)]));
  return {
    description: prompt.description,
    messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt.text(values) } }],
  };
}

/** Values that complete an argument of a prompt; none for a prompt that is none. */
export function completePrompt(name: string, argument: string, value: string): string[] {
  const prompt = mcpPrompts.find((each) => each.name === name);
  const { values = [] } = prompt?.arguments.find((each) => each.name === argument) ?? {};
  return values.filter((each) => each.startsWith(value.toLowerCase()));
}
