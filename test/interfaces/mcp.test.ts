import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { handshakeVersions, statelessVersion } from '#api/catalog/to-mcp.ts';
import { tools } from '#api/catalog/tools.ts';
import { toInputSchema } from '#api/contract/tool.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { toText } from '#api/interfaces/mcp-text.ts';
import { testBaseUrl, testMoment } from '../support/test-app.ts';
import { allTools, audited, givenTo, many, serve } from './mcp-served.ts';

type Json = Record<string, unknown>;

const asData = { 'porchlight/format': 'json' };
const clientInfo = { name: 'test', version: '1' };
const capabilities = { tools: {}, resources: {}, prompts: {}, completions: {} };

const origin = await serve();

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  id: unknown;
  result: Json;
  error: { code: number; message: string; data?: Json };
}

/** Sends a body as it is. */
async function send(body: string, headers: Record<string, string> = {}, at = origin): Promise<Answer> {
  const response = await fetch(`${at}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  const { id, result, error } = (isJson ? JSON.parse(text) : {}) as Pick<Answer, 'id' | 'result' | 'error'>;
  return { status: response.status, headers: response.headers, text, id, result, error };
}

const message = (method: string, params?: Json, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });

/** A request of a client that began with `initialize`. */
const ask = (method: string, params?: Json, at = origin): Promise<Answer> =>
  send(message(method, params), { 'mcp-protocol-version': '2025-11-25' }, at);

/** A call that asks for data beside the text. */
const call = (name: string, given?: Json, at = origin): Promise<Answer> =>
  ask('tools/call', { name, ...(given === undefined ? {} : { arguments: given }), _meta: asData }, at);

/** A call as most clients make it; its text. */
async function textOf(name: string, given: Json = {}): Promise<{ text: string; isError: boolean }> {
  const { result } = await ask('tools/call', { name, arguments: given });
  const [content] = result['content'] as { text: string }[];
  assert.equal(
    result['isError'] === true ? undefined : result['structuredContent'],
    undefined,
    'the content comes once',
  );
  return { text: String(content?.text), isError: result['isError'] === true };
}

const meta = (version: unknown = statelessVersion): Json => ({
  'io.modelcontextprotocol/protocolVersion': version,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
});

/** A request that stands alone, with the headers that mirror it; some may be other ones, or left out. */
const askAlone = (
  method: string,
  params: Json = {},
  headers: Record<string, string | null> = {},
  id: unknown = 1,
): Promise<Answer> => {
  const mirrored: Record<string, string | null> = {
    'mcp-protocol-version': statelessVersion,
    'mcp-method': method,
    ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
    ...headers,
  };
  const kept = Object.entries(mirrored).filter((entry): entry is [string, string] => entry[1] !== null);
  return send(message(method, { _meta: meta(), ...params }, id), Object.fromEntries(kept));
};

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

  it('the further ones: records, lists, changes, a robots.txt', async () => {
    const record = await textOf('get_record', { dataset: 'protocols', id: 'mcp', fields: 'current_spec_version' });
    assert.match(record.text, /current_spec_version: 2026-07-28/);
    const list = await textOf('list_records', {
      dataset: 'models',
      filter: { released_from: '2026-09-01', open_weights: true },
      sort: '-released',
      limit: 1,
    });
    assert.match(list.text, /^1 of \d+ records\./);
    const cursor = /cursor (\S+)$/.exec(list.text)?.[1];
    const next = await textOf('list_records', {
      dataset: 'models',
      filter: { released_from: '2026-09-01', open_weights: true },
      sort: '-released',
      limit: 1,
      cursor,
    });
    assert.notEqual(next.text.split('\n')[4], list.text.split('\n')[4]);
    const wrong = await textOf('list_records', { dataset: 'crawlers', filter: { bot_type: 'trainer' } });
    assert.ok(wrong.isError);
    assert.match(wrong.text, /bot_type is not one of training, search-index/);
    const found = {
      title: 'Signing: A body',
      snippet: 'Cover it.',
      page: '/developers/signing',
      anchor: 'sign-body',
      tokens: 90,
    };
    assert.equal(
      toText('search_site', { results: [found] }),
      '- Signing: A body (read_page /developers/signing, section sign-body; 90 tokens): Cover it.',
    );
    assert.match((await textOf('search_site', { q: 'zxqv' })).text, /^No page matches/);
    assert.match((await textOf('list_changes', { limit: 2 })).text, /^2 of \d+ changes/);
    assert.match((await textOf('make_robots_txt', { training: 'no' })).text, /^User-agent: GPTBot\nDisallow: \/$/m);
  });

  it('an entry is signed and withdrawn without a header', async () => {
    const own = await serve();
    const signed = await call('sign_guestbook', { name: 'Ada', message: 'over MCP' }, own);
    const { id, withdrawal_token: token } = signed.result['structuredContent'] as {
      id: string;
      withdrawal_token: string;
    };
    const wrong = await call('withdraw_guestbook_entry', { id, token: 'x' }, own);
    assert.equal(wrong.result['isError'], true);
    const { result } = await call('withdraw_guestbook_entry', { id, token }, own);
    assert.deepEqual(result['structuredContent'], { id, withdrawn: true });
    assert.equal((await (await fetch(`${own}/api/guestbook`)).json()).entries.length, 0);
  });

  it('an entry is withdrawn by a call that is signed with its key, body and all', async () => {
    const own = await serve();
    const { privateKey } = generateKeyPairSync('ed25519');
    const signer = createSigner({ privateKey, now: () => testMoment });
    const callSigned = (name: string, given: Json, covered = true) => {
      const body = message('tools/call', { name, arguments: given, _meta: asData });
      const target = { method: 'POST', targetUri: `${testBaseUrl}/mcp` };
      const headers = signer.sign({ ...target, ...(covered ? { body: Buffer.from(body) } : {}) });
      return send(body, { 'mcp-protocol-version': '2025-11-25', ...headers }, own);
    };
    const signed = await callSigned('sign_guestbook', { name: 'Ada', message: 'signed over MCP' });
    const { id } = signed.result['structuredContent'] as { id: string };
    const unsigned = await call('withdraw_guestbook_entry', { id }, own);
    assert.match(JSON.stringify(unsigned.result), /sign the request with the key/);
    const open = await callSigned('withdraw_guestbook_entry', { id }, false);
    assert.match(JSON.stringify(open.result), /does not cover its body/);
    const { result } = await callSigned('withdraw_guestbook_entry', { id });
    assert.deepEqual(result['structuredContent'], { id, withdrawn: true });
  });

  it('what costs is paid for in x402 over MCP, and read chapter by chapter with one payment', async () => {
    const due = await ask('tools/call', { name: 'get_premium_playbook', arguments: { chapter: 'llms-txt' } });
    assert.equal(due.status, 200);
    assert.equal(due.result['isError'], true);
    const required = due.result['structuredContent'] as { x402Version: number; accepts: unknown[]; quote: string };
    assert.deepEqual(JSON.parse(String((due.result['content'] as { text: string }[])[0]?.text)), required);
    assert.equal(required.x402Version, 2);
    assert.equal(required.accepts.length, 1);
    const paid = await call('pay_quote', { quote: required.quote });
    const { payment } = paid.result['structuredContent'] as { payment: string };
    const payload = JSON.parse(Buffer.from(payment, 'base64').toString('utf8'));
    for (const chapter of ['llms-txt', 'webmcp']) {
      const { result } = await ask('tools/call', {
        name: 'get_premium_playbook',
        arguments: { chapter },
        _meta: { 'x402/payment': payload },
      });
      assert.notEqual(result['isError'], true, JSON.stringify(result['content']));
      assert.equal(((result['_meta'] as Json)['x402/payment-response'] as Json)['success'], true);
    }
    const byArgument = await textOf('get_premium_playbook', { chapter: 'llms-txt', payment });
    assert.equal(byArgument.isError, false);
    const forged = await ask('tools/call', {
      name: 'get_premium_playbook',
      arguments: {},
      _meta: { 'x402/payment': { ...payload, payload: { ...payload.payload, expires: payload.payload.expires + 60 } } },
    });
    assert.equal(forged.result['isError'], true);
    assert.equal((forged.result['structuredContent'] as Json)['x402Version'], 2);
  });

  it('a quote can be had before a tool asks for payment', async () => {
    const { result } = await call('get_quote', { tool: 'get_premium_playbook' });
    const { quote, amount_usd } = result['structuredContent'] as { quote: string; amount_usd: string };
    assert.equal(amount_usd, '0.10');
    assert.notEqual((await call('pay_quote', { quote })).result['isError'], true);
  });

  it('answer as their HTTP twins do', async () => {
    const { result } = await call('search_almanac', { q: 'web bot auth' });
    const twin = await fetch(`${origin}/api/search?q=web+bot+auth`);
    assert.deepEqual(result['structuredContent'], await twin.json());
  });

  it('take a dataset by its id and by its name in paths', async () => {
    const byId = await call('search_almanac', { q: 'GPTBot', dataset: 'state-of-the-agentic-web' });
    const byPath = await call('search_almanac', { q: 'GPTBot', dataset: 'state' });
    const { results } = byPath.result['structuredContent'] as { results: { dataset: string }[] };
    assert.ok(results.length > 0);
    assert.ok(results.every(({ dataset }) => dataset === 'state-of-the-agentic-web'));
    assert.deepEqual(byPath.result['structuredContent'], byId.result['structuredContent']);
  });

  for (const [name, given, pointer, detail] of [
    ['search_almanac', { q: 'a', dataset: 'States' }, '/dataset', /^is not one of crawlers, [a-z, -]+, state$/],
    ['get_technique', { id: 'nothing' }, '/id', /^is not one of llms-txt, [a-z, -]+$/],
    ['get_technique', {}, '/id', /^is missing: one of [a-z, -]+ is expected$/],
    ['get_technique', { id: null }, '/id', /^is not one of /],
    ['define_term', { term: 5 }, '/term', /^is a number where text is expected$/],
    ['search_almanac', { q: 'a', limit: 1.5 }, '/limit', /^is a number where a whole number is expected$/],
    ['ask_almanac', { q: 'a'.repeat(501) }, '/q', /^is too long: at most 500 characters are accepted$/],
  ] as const) {
    it(`${name} with ${JSON.stringify(given).slice(0, 40)} is refused with a sentence`, async () => {
      const { result } = await call(name, given);
      const [content] = result['content'] as { text: string }[];
      const [, said = ''] = String(content?.text).split(` ${pointer} `);
      assert.match(said, detail);
    });
  }

  it('see the HTTP request that carried the call', async () => {
    const { result } = await call('get_visitor_info', {});
    const { request } = result['structuredContent'] as { request: Json };
    assert.deepEqual([request['method'], request['path']], ['POST', '/mcp']);
  });

  it('take the headers of their HTTP twins: a repeated write makes no second entry', async () => {
    const own = await serve();
    const body = message('tools/call', {
      name: 'sign_guestbook',
      arguments: { name: 'a', message: 'once' },
      _meta: asData,
    });
    const headers = { 'idempotency-key': '"0123456789abcdef"' };
    const first = await send(body, headers, own);
    const second = await send(body, headers, own);
    const id = ({ result }: Answer): unknown => (result['structuredContent'] as Json)['id'];
    assert.ok(id(first));
    assert.equal(id(second), id(first));
  });

  for (const [name, given, status] of [
    ['define_term', {}, 422],
    ['define_term', { term: 5 }, 422],
    ['define_term', { term: 'mcp', more: 1 }, 422],
    ['define_term', { term: 'no such term' }, 404],
    ['define_term', { term: '../../etc/passwd' }, 404],
    ['sign_guestbook', { name: 'a' }, 422],
    ['get_technique', undefined, 422],
  ] as const) {
    it(`${name} with ${JSON.stringify(given)} fails with the problem ${status}, as a result that a model reads`, async () => {
      const { status: http, result } = await call(name, given as Json | undefined);
      assert.equal(http, 200);
      assert.equal(result['isError'], true);
      const [content] = result['content'] as { text: string }[];
      assert.match(String(content?.text), status === 404 ? /view=compact|Near it/ : /correct what|errors/);
    });
  }

  it('arguments that are no object are refused as well', async () => {
    for (const given of [[], 'text', 5, null]) {
      const { result } = await ask('tools/call', { name: 'define_term', arguments: given });
      assert.notEqual(result?.['isError'], false, JSON.stringify(given));
    }
  });

  it('a tool that does not exist is an error of the protocol', async () => {
    for (const name of ['no_such_tool', '', '__proto__', 'constructor', 5, null, undefined]) {
      const { status, error } = await ask('tools/call', { name });
      assert.deepEqual([status, error.code], [200, -32602], String(name));
    }
  });

  it('a hundred calls at once get each its own answer', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, id) =>
        send(
          message(
            'tools/call',
            { name: 'identify_user_agent', arguments: { ua: `agent-${id}/1.0` }, _meta: asData },
            id,
          ),
        ),
      ),
    );
    for (const [index, { id, result }] of answers.entries()) {
      assert.equal(id, index);
      assert.equal((result['structuredContent'] as Json)['ua'], `agent-${index}/1.0`);
    }
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
