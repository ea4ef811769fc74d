import assert from 'node:assert/strict';
import { Client, type ClientOptions, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { tools } from '#api/catalog/tools.ts';
import { allTools, givenTo, serve } from './mcp-served.ts';

const origin = await serve();

/** Does with the official client all that it can do here, in one way to agree on a version. */
export async function useEverything(
  versionNegotiation: ClientOptions['versionNegotiation'],
  version: string,
): Promise<void> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${origin}/mcp`)));
  try {
    assert.equal(client.getNegotiatedProtocolVersion(), version);
    const listed = await client.listTools();
    assert.deepEqual(
      listed.tools.map((tool) => tool.name),
      allTools.map((tool) => tool.name),
    );
    for (const tool of tools.filter(({ access }) => access === 'open')) {
      const result = await client.callTool({ name: tool.name, arguments: givenTo(tool) });
      assert.notEqual(result.isError, true, tool.name);
    }
    const failed = await client.callTool({ name: 'define_term', arguments: { term: 'no such term' } });
    assert.equal(failed.isError, true);
    await assert.rejects(client.callTool({ name: 'no_such_tool', arguments: {} }), /no_such_tool/);
    const { prompts } = await client.listPrompts();
    assert.equal(prompts.length, 3);
    const { messages } = await client.getPrompt({ name: 'audit_and_fix', arguments: { url: 'https://a.example' } });
    assert.match(JSON.stringify(messages), /https:\/\/a\.example/);
    await assert.rejects(client.getPrompt({ name: 'audit_and_fix', arguments: {} }), /url is missing/);
    const { resourceTemplates } = await client.listResourceTemplates();
    const record = resourceTemplates.find(({ name }) => name === 'crawlers-record');
    const { completion } = await client.complete({
      ref: { type: 'ref/resource', uri: String(record?.uriTemplate) },
      argument: { name: 'id', value: 'gpt' },
    });
    assert.ok(completion.values.includes('gptbot'));
    await assert.rejects(client.readResource({ uri: 'https://elsewhere.example/x.md' }));
  } finally {
    await client.close();
  }
}
