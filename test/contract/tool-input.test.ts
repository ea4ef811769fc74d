import assert from 'node:assert/strict';
import { test } from 'node:test';
import express from 'express';
import request from 'supertest';
import { z } from 'zod';
import { defineTool } from '#api/contract/tool.ts';
import { mcpRoutes } from '#api/interfaces/mcp.ts';
import { toolRoutes } from '#api/interfaces/tools.ts';
import { createTestApp } from '../support/test-app.ts';

test('input is parsed once, from a query, from a body and over MCP', async () => {
  let runs = 0;
  const input = z.strictObject({
    q: z.string().transform((text) => {
      runs += 1;
      return `${text}!`;
    }),
  });
  const declaration = {
    title: 'An echo',
    description: 'Says what it was told.',
    access: 'open',
    limit: 'read',
    readOnly: true,
    input,
    output: z.object({ said: z.string() }),
    run: ({ q }: { q: string }) => ({ said: q }),
  } as const;
  const read = defineTool({ ...declaration, name: 'read_echo', method: 'GET', path: '/read' });
  const write = defineTool({ ...declaration, name: 'write_echo', method: 'POST', path: '/write' });
  const { context } = createTestApp();
  const app = express();
  app.use(toolRoutes([read, write], context, (_request, _response, next) => next()));
  const pages = { read: async () => null, paths: () => [] };
  app.use(mcpRoutes([read], { ...context, pages }, [], () => []));

  assert.deepEqual((await request(app).get('/read?q=a').expect(200)).body, { said: 'a!' });
  assert.deepEqual((await request(app).post('/write').send({ q: 'b' }).expect(200)).body, { said: 'b!' });
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read_echo', arguments: { q: 'c' } } };
  const { body } = await request(app).post('/mcp').send(call).expect(200);
  assert.deepEqual(body.result.content, [{ type: 'text', text: 'said: c!' }]);
  assert.equal(runs, 3);
});
