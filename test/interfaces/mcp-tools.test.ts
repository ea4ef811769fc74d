import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tools } from '#api/catalog/tools.ts';
import { toInputSchema } from '#api/contract/tool.ts';
import { ask, call, type Json, textOf } from './mcp-messages.ts';
import { allTools, audited, givenTo, serve } from './mcp-served.ts';

describe('the tools', () => {
  it('are those of the registry, in its order', async () => {
    const { result } = await ask('tools/list', {});
    const listed = result['tools'] as Json[];
    assert.deepEqual(
      listed.map(({ name }) => name),
      allTools.map(({ name }) => name),
    );
    for (const { name, title, description, inputSchema, annotations } of listed) {
      assert.ok(title && description, String(name));
      const given = (inputSchema as { properties: Json }).properties;
      const tool = allTools.find((each) => each.name === name);
      assert.ok(tool);
      const { properties } = toInputSchema(tool) as { properties: Json };
      assert.deepEqual(
        Object.keys(given).filter((each) => each !== 'payment'),
        Object.keys(properties).filter((each) => each !== 'format'),
        String(name),
      );
      const declared = allTools.find((tool) => tool.name === name);
      assert.equal((annotations as Json)['readOnlyHint'], declared?.readOnly, String(name));
    }
    assert.deepEqual((await ask('tools/list')).result, result, 'with and without parameters');
    const bytes = Buffer.byteLength((await ask('tools/list')).text);
    assert.ok(bytes <= 12_000, `tools/list has ${bytes} of 12,000 bytes: shorten descriptions until it fits`);
  });

  for (const tool of tools.filter(({ access }) => access === 'open')) {
    it(`${tool.name} answers with what its declaration promises, as data and as text`, async () => {
      const { status, result } = await call(tool.name, givenTo(tool));
      assert.equal(status, 200);
      assert.notEqual(result['isError'], true, JSON.stringify(result['content']));
      tool.output.parse(result['structuredContent']);
      if (tool.readOnly && tool.limit === 'read') {
        const { text, isError } = await textOf(tool.name, givenTo(tool));
        assert.equal(isError, false);
        assert.ok(text.length > 20 && !/undefined|\[object/.test(text), text.slice(0, 300));
        assert.ok(text.length < JSON.stringify(result['structuredContent']).length * 1.05, 'no longer than the data');
      }
    });
  }

  it('an audit is told in 8 KB, with its plan', async () => {
    const own = await serve();
    const { result } = await ask('tools/call', { name: 'audit_site', arguments: { url: audited.origin } }, own);
    const [content] = result['content'] as { text: string }[];
    const text = String(content?.text);
    assert.ok(Buffer.byteLength(text) <= 8000, `${Buffer.byteLength(text)} bytes`);
    assert.match(text, /score \d+/);
    assert.match(text, /^1\. .*\+\d+ points/m);
    assert.match(text, /instruction/);
  });
});
