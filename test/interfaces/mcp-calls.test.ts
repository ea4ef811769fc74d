import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { describe, it } from 'node:test';
import { Receipt } from '#api/guestbook/write.ts';
import { createSigner } from '#api/identity/signatures/signer.ts';
import { toText } from '#api/interfaces/mcp-text.ts';
import { testBaseUrl, testMoment } from '../support/test-app.ts';
import { type Answer, asData, ask, call, type Json, message, origin, send, textOf } from './mcp-messages.ts';
import { serve } from './mcp-served.ts';

describe('a call of a tool', () => {
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
    const prices = await textOf('list_records', {
      dataset: 'models',
      filter: { provider: 'Anthropic,OpenAI' },
      fields: 'name,pricing_usd_per_mtok.input',
      sort: '-pricing_usd_per_mtok.input',
      limit: 1,
    });
    assert.match(prices.text, /\| id \| name \| pricing_usd_per_mtok\.input \|\n.*\n\| \S+ \| .* \| [\d.]+ \|/);
    const near = await textOf('list_records', { dataset: 'crawlers', filter: { operator: 'Facebook' } });
    assert.match(near.text, /^0 of 0 records\.\n\noperator: no record has "Facebook"\. Near it: .*Meta[^|]*$/);
    const price = { dataset: 'models', id: 'gpt-4o', fields: 'pricing_usd_per_mtok.input' };
    assert.match((await textOf('get_record', price)).text, /^id: gpt-4o\npricing_usd_per_mtok:\n {2}input: [\d.]+$/);
    const missing = await textOf('get_crawler', { id: 'zxqv' });
    assert.match(missing.text, /list_records with dataset crawlers lists them, and search_almanac searches\.$/);
    for (const dataset of ['state', 'state-of-the-agentic-web']) {
      assert.equal((await textOf('list_records', { dataset, limit: 1 })).isError, false, dataset);
      const nothing = await textOf('get_record', { dataset, id: 'zxqv' });
      assert.match(nothing.text, /^Nothing is here\. No record of state-of-the-agentic-web/, dataset);
    }
    const due = await textOf('get_premium_playbook');
    assert.doesNotMatch(due.text, /X-Payment/);
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
    const first = await textOf('search_almanac', { q: 'payments', limit: 2 });
    assert.match(first.text, /\n\nMore: call again with cursor 2$/);
    const second = await textOf('search_almanac', { q: 'payments', limit: 2, cursor: '2' });
    assert.notEqual(second.text.split('\n')[0], first.text.split('\n')[0]);
    const source = { title: 'GPTBot: robots token', url: 'https://porch.example/crawlers/gptbot' };
    const answer = { answer: 'GPTBot.', answered: true, confidence: 0.9, grounded_in: [source, source] };
    assert.equal(toText('ask_almanac', answer).split(source.url).length, 2, 'each source once');
    assert.match((await textOf('list_changes', { limit: 2 })).text, /^2 of \d+ changes/);
    const counted = await textOf('list_changes', { group: 'record', dataset: 'protocols', limit: 1 });
    assert.match(
      counted.text,
      /^\d+ changes of \d+ records\. protocols: .*\d+ changed.*\.\n\n1 of \d+, newest first:\n- \S+ protocols\/\S+ \(.*changed(, \d+ added)?: /,
    );
    assert.ok((await textOf('list_changes', { group: 'record' })).text.length < 6000);
    assert.match((await textOf('make_robots_txt', { training: 'no' })).text, /^User-agent: GPTBot\nDisallow: \/$/m);
  });

  it('an entry is signed and withdrawn without a header', async () => {
    const own = await serve();
    const signed = await call('sign_guestbook', { name: 'Ada', message: 'over MCP' }, own);
    const {
      id,
      withdrawal_token: token,
      recorded_as: { visitor_type: type, evidence },
    } = Receipt.parse(signed.result['structuredContent']);
    assert.deepEqual([type, evidence.at(-1)], ['agent', 'The entry came over MCP, which agents speak.']);
    const { text } = await textOf('get_visitor_info');
    assert.match(text, /isLikelyAgent: true/);
    assert.match(text, /call over MCP/);
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
      assert.match(String(content?.text), status === 404 ? /list_records|Near it/ : /correct this\. \//);
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
