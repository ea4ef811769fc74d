import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { handshakeVersions, statelessVersion } from '#api/catalog/to-mcp.ts';
import { testBaseUrl } from '../support/test-app.ts';
import {
  type Answer,
  ask,
  askAlone,
  call,
  capabilities,
  clientInfo,
  type Json,
  message,
  meta,
  origin,
  send,
} from './mcp-messages.ts';
import { many, serve } from './mcp-served.ts';

describe('the handshake of the revisions before 2026-07-28', () => {
  for (const [asked, given] of [
    ...handshakeVersions.map((version) => [version, version] as const),
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
    ['1900-01-01', '2025-11-25'],
  ] as const) {
    it(`a client that asks for ${asked} gets ${given}`, async () => {
      const { status, result, headers } = await send(
        message('initialize', { protocolVersion: asked, capabilities: {}, clientInfo }),
      );
      assert.equal(status, 200);
      assert.equal(result['protocolVersion'], given);
      assert.deepEqual(result['capabilities'], capabilities);
      assert.equal((result['serverInfo'] as Json)['name'], 'porchlight');
      assert.match(String(result['instructions']), /llms\.txt/);
      assert.equal(headers.get('mcp-session-id'), null, 'there are no sessions');
      assert.equal(headers.get('cache-control'), 'no-store');
    });
  }

  it('notifications are taken without an answer', async () => {
    for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unheard-of']) {
      const { status, text } = await send(JSON.stringify({ jsonrpc: '2.0', method }));
      assert.deepEqual([status, text], [202, ''], method);
    }
  });

  it('ping answers with an empty result, and the id comes back as it was', async () => {
    for (const id of [0, 7, -1, 'abc', '']) {
      const { status, result, id: back } = await send(message('ping', {}, id));
      assert.deepEqual([status, result, back], [200, {}, id]);
    }
  });

  it('a method that is unknown is an error of JSON-RPC, with status 200', async () => {
    for (const method of ['sampling/createMessage', 'server/discover', 'toString', '__proto__', '']) {
      const { status, error, id } = await ask(method);
      assert.deepEqual([status, error.code, id], [200, -32601, 1], method);
    }
  });
});

describe('requests that stand alone, as since 2026-07-28', () => {
  it('server/discover says who answers and which revisions it speaks', async () => {
    const { status, result } = await askAlone('server/discover');
    assert.equal(status, 200);
    assert.equal(result['resultType'], 'complete');
    assert.deepEqual(result['supportedVersions'], [statelessVersion]);
    assert.deepEqual(result['capabilities'], capabilities);
    assert.equal(result['cacheScope'], 'public');
    assert.equal(typeof result['ttlMs'], 'number');
    const info = (result['_meta'] as Record<string, Json>)['io.modelcontextprotocol/serverInfo'];
    assert.equal(info?.['name'], 'porchlight');
  });

  it('lists and calls need nothing before them', async () => {
    const { result: list } = await askAlone('tools/list');
    assert.equal(list['resultType'], 'complete');
    assert.equal(list['cacheScope'], 'public');
    const { result } = await askAlone('tools/call', { name: 'define_term', arguments: { term: 'mcp' } });
    assert.equal(result['resultType'], 'complete');
    assert.notEqual(result['isError'], true);
  });

  it('a method that is unknown, or gone, is a 404 with an error of JSON-RPC', async () => {
    for (const method of ['ping', 'initialize', 'resources/unheard-of']) {
      const { status, error } = await askAlone(method);
      assert.deepEqual([status, error.code], [404, -32601], method);
    }
  });

  const term = { name: 'define_term', arguments: { term: 'mcp' } };
  for (const [name, params, headers] of [
    ['without Mcp-Method', {}, { 'mcp-method': null }],
    ['with another Mcp-Method', {}, { 'mcp-method': 'tools/call' }],
    ['with Mcp-Method in other letters', {}, { 'mcp-method': 'Tools/List' }],
    ['without MCP-Protocol-Version', {}, { 'mcp-protocol-version': null }],
    ['with another MCP-Protocol-Version', {}, { 'mcp-protocol-version': '2025-11-25' }],
    ['without Mcp-Name', term, { 'mcp-name': null }],
    ['with another Mcp-Name', term, { 'mcp-name': 'sign_guestbook' }],
    ['with a broken encoding of Mcp-Name', term, { 'mcp-name': '=?base64?!!!?=' }],
  ] as const) {
    it(`a request ${name} is refused: headers and body have to agree`, async () => {
      const method = 'name' in params ? 'tools/call' : 'tools/list';
      const { status, error, id } = await askAlone(method, params, headers);
      assert.deepEqual([status, error.code, id], [400, -32020, 1], error.message);
    });
  }

  it('Mcp-Name may be Base64', async () => {
    const encoded = `=?base64?${Buffer.from('define_term').toString('base64')}?=`;
    assert.equal((await askAlone('tools/call', term, { 'mcp-name': encoded })).status, 200);
  });

  it('a revision that is not spoken is refused with those that are', async () => {
    for (const version of ['2027-01-01', '1900-01-01', '2025-11-25']) {
      const { status, error } = await askAlone(
        'tools/list',
        { _meta: meta(version) },
        { 'mcp-protocol-version': String(version) },
      );
      assert.deepEqual([status, error.code], [400, -32022], String(version));
      assert.equal(error.data?.['requested'], String(version));
      assert.ok(JSON.stringify(error.data).includes(statelessVersion));
    }
    const { status } = await send(message('tools/list'), { 'mcp-protocol-version': 'latest' });
    assert.equal(status, 400);
  });

  it('the capabilities of the client are required, and may be empty', async () => {
    const { 'io.modelcontextprotocol/clientCapabilities': _left, ...rest } = meta();
    const { status, error } = await askAlone('tools/list', { _meta: rest });
    assert.deepEqual([status, error.code], [400, -32602]);
  });
});

describe('what is no message', () => {
  for (const [name, body, code] of [
    ['no JSON', '{', -32700],
    ['nothing', '', -32600],
    ['a string', '"ping"', -32600],
    ['null', 'null', -32600],
    ['an empty batch', '[]', -32600],
    ['a batch', `[${message('ping')},${message('ping', {}, 2)}]`, -32600],
    ['another version of JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['no version of JSON-RPC', '{"id":1,"method":"ping"}', -32600],
    ['no method', '{"jsonrpc":"2.0","id":1}', -32600],
    ['a method that is a number', '{"jsonrpc":"2.0","id":1,"method":5}', -32600],
    ['an id that is null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600],
    ['an id that is a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600],
    ['parameters in a list', '{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32600],
  ] as const) {
    it(`${name} is refused`, async () => {
      const { status, error, text } = await send(body);
      assert.deepEqual([status, error.code], [400, code], text);
    });
  }

  it('a message of another media type is refused', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-rpc']) {
      const { status, error } = await send(message('ping'), { 'content-type': type });
      assert.deepEqual([status, error.code], [415, 415], type);
      assert.equal(error.data?.['type'], `${testBaseUrl}/problems/unsupported-media-type`);
    }
  });

  it('a message above 16 KiB is refused, announced or not', async () => {
    const long = message('tools/call', { name: 'define_term', arguments: { term: 'a'.repeat(17_000) } });
    assert.equal((await send(long)).status, 413);
    const response = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new Blob([long]).stream(),
      duplex: 'half',
    } as RequestInit);
    assert.equal(response.status, 413);
    assert.equal(((await response.json()) as Answer).error.code, 413);
  });

  it('only POST is taken: there is no stream to open and no session to end', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH']) {
      const response = await fetch(`${origin}/mcp`, { method, headers: { accept: 'text/event-stream' } });
      assert.equal(response.status, 405, method);
      assert.equal(response.headers.get('allow'), 'POST, OPTIONS');
    }
  });
});

describe('where a request comes from', () => {
  for (const [from, status] of [
    [testBaseUrl, 200],
    ['https://evil.example', 403],
    [`${testBaseUrl}.evil.example`, 403],
    [testBaseUrl.replace('https:', 'http:'), 403],
    [origin, 403],
    ['null', 403],
  ] as const) {
    it(`Origin: ${from} gets ${status}`, async () => {
      const answer = await send(message('ping'), { origin: from });
      assert.equal(answer.status, status);
      assert.equal(answer.error?.code, status === 403 ? -32600 : undefined);
      assert.equal(answer.headers.get('access-control-allow-origin'), null);
    });
  }

  it('a page of another site cannot sign the guestbook', async () => {
    const body = message('tools/call', { name: 'sign_guestbook', arguments: { name: 'a', message: 'b' } });
    assert.equal((await send(body, { origin: 'https://evil.example' })).status, 403);
    assert.equal((await (await fetch(`${origin}/api/guestbook`)).json()).entries.length, 0);
  });
});

describe('the allowances', () => {
  it('a write counts like its HTTP twin, and together with it', async () => {
    const own = await serve({ read: many, write: [{ count: 2, windowSeconds: 60 }] });
    const entry = { name: 'a', message: 'b' };
    const twin = await fetch(`${own}/api/guestbook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(entry),
    });
    assert.equal(twin.status, 201);
    assert.notEqual((await call('sign_guestbook', entry, own)).result['isError'], true);
    const { status, result, headers } = await call('sign_guestbook', entry, own);
    assert.equal(status, 200);
    assert.equal(result['isError'], true);
    assert.match(JSON.stringify(result['content']), /Wait \d+ seconds/);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.notEqual((await call('define_term', { term: 'mcp' }, own)).result['isError'], true, 'reads go on');
  });

  it('every request counts as a read, together with those of the API', async () => {
    const own = await serve({ read: { count: 3, windowSeconds: 60 }, write: [many] });
    assert.equal((await fetch(`${own}/api/health`)).status, 200);
    assert.equal((await ask('ping', {}, own)).status, 200);
    assert.equal((await send('no JSON', {}, own)).status, 400);
    const { status, error, headers } = await ask('ping', {}, own);
    assert.deepEqual([status, error.code, error.data?.['status']], [429, 429, 429]);
    assert.match(headers.get('retry-after') ?? '', /^\d+$/);
    assert.equal((await fetch(`${own}/api/health`)).status, 429);
  });
});
