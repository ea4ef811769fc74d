import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startBuiltService } from '../support/built-service.ts';
import { noLimits } from '../support/limits.ts';

const browserAccept = 'text/html,application/xhtml+xml,*/*;q=0.8';

/** A service of its own for each of these, since each uses up what a network may send in an hour. */
async function serve(reads = noLimits.read) {
  const limits = { ...noLimits, read: reads, write: [{ count: 1, windowSeconds: 3600 }] };
  const { origin } = await startBuiltService({ limits });
  const send = async (path: string, fields: Record<string, string>, accept = browserAccept) => {
    const response = await fetch(`${origin}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { accept, origin, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields),
    });
    return { response, text: await response.text() };
  };
  return { origin, send };
}

const { origin, send } = await serve();
// The one that is allowed.
await send('/guestbook', { name: 'Ada', message: 'First.' });

describe('a form that is sent too often', () => {
  const cases: [path: string, fields: Record<string, string>, kept: RegExp[]][] = [
    [
      '/guestbook',
      { name: 'Grace <b>', message: 'Kept, line\r\nby line.', model: 'm-1' },
      [/value="Grace <b>"/, />Kept, line\nby line\.<\/textarea>/, /value="m-1"/],
    ],
    ['/guestbook/withdraw', { id: '0123456789ab', token: 'my-token' }, [/value="0123456789ab"/, /value="my-token"/]],
    ['/directory', { url: 'example.com' }, [/id="url"[^>]* value="example\.com"/]],
    ['/audit', { url: 'example.com' }, [/id="url"[^>]* value="example\.com"/]],
    ['/audit/look', { url: 'example.com/a' }, [/id="url"[^>]* value="example\.com\/a"/]],
    ['/playbook', { payment: 'made', as: 'page' }, [/name="payment" value="made"/, /name="as" value="page"/]],
  ];
  for (const [path, fields, kept] of cases) {
    it(`${path} comes back with what was typed, and says when to send it again`, async () => {
      const { response, text } = await send(path, fields);
      assert.equal(response.status, 429);
      assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
      assert.ok(Number(response.headers.get('retry-after')) > 0);
      assert.match(text, new RegExp(`<form[^>]* action="${path}"`));
      for (const pattern of kept) {
        assert.match(text, pattern);
      }
      assert.match(text, /Send it again at \d\d:\d\d UTC, in \d+ minutes\./);
      assert.doesNotMatch(text, /3600 seconds/);
    });
  }

  it('is problem+json to a program, as before', async () => {
    const { response, text } = await send('/guestbook', { name: 'Grace', message: 'x' }, 'application/json');
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
    assert.match(JSON.parse(text).detail, /^1 requests per 3600 seconds are allowed\. Wait \d+ seconds\.$/);
    assert.equal('plain' in JSON.parse(text), false);
  });

  it('stores nothing', async () => {
    const { count } = (await (await fetch(`${origin}/api/guestbook`)).json()) as { count: number };
    assert.equal(count, 1);
  });

  it('is shown again no more often than pages are read', async () => {
    const few = await serve({ count: 2, windowSeconds: 3600 });
    await few.send('/guestbook', { name: 'Ada', message: 'First.' });
    const fields = { name: 'Grace', message: 'Kept.' };
    const shown: boolean[] = [];
    for (let sent = 0; sent < 3; sent += 1) {
      const { response, text } = await few.send('/guestbook', fields);
      assert.equal(response.status, 429);
      shown.push(text.includes('Kept.'));
    }
    assert.deepEqual(shown, [true, true, false]);
  });
});

const read = async (path: string, accept = browserAccept) => {
  const response = await fetch(`${origin}${path}`, { headers: { accept } });
  return { response, text: await response.text() };
};

describe('a question that cannot be answered', () => {
  const long = 'why '.repeat(150).trim();
  const cases: [path: string, status: number, says: RegExp, kept: RegExp][] = [
    ['/ask?q=+++', 400, /<p>The question is empty: give a question\.<\/p>/, /<input[^>]* id="q"/],
    [
      `/ask?q=${encodeURIComponent(long)}`,
      400,
      /The question is too long: at most 500 /,
      new RegExp(`id="q"[^>]* value="${long}"`),
    ],
    ['/crawlers?ua=++', 400, /<p>The User-Agent is empty: give a User-Agent string\.<\/p>/, /<input[^>]* id="ua"/],
    ['/crawlers?ua=GPTBot&ip=nowhere', 400, /The address of the visitor /, /id="ua"[^>]* value="GPTBot"/],
    [
      '/audit/compare?a=example.com&b=foo+bar',
      422,
      /id="b-error"><span class="error">The address contains a space/,
      /id="a"[^>]* value="example\.com"/,
    ],
    ['/audit/compare?a=&b=', 422, /id="a-error"><span class="error">No address was given/, /<input[^>]* id="b"/],
    [
      '/audit/compare?b=example.com',
      400,
      /id="a-error"><span class="error">No address was given/,
      /id="b"[^>]* value="example\.com"/,
    ],
  ];
  for (const [path, status, says, kept] of cases) {
    it(`${path.slice(0, 60)} keeps the form, and says in it what to do`, async () => {
      const { response, text } = await read(path);
      assert.equal(response.status, status);
      assert.equal(response.headers.get('x-robots-tag'), 'noindex');
      assert.match(text, /<meta name="robots" content="noindex">/);
      assert.match(text, says);
      assert.match(text, kept);
      assert.doesNotMatch(text, /`errors`|npm run audit/);
    });

    it(`${path.slice(0, 60)} is problem+json to a program`, async () => {
      const { response, text } = await read(path, 'application/json');
      assert.equal(response.status, status);
      assert.equal(response.headers.get('content-type'), 'application/problem+json');
      assert.equal(JSON.parse(text).status, status);
      const [page = '', query = ''] = path.split('?');
      assert.equal(
        (await read(`${page}.json?${query}`, '*/*')).response.headers.get('content-type'),
        'application/problem+json',
      );
    });
  }
});
