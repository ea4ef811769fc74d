import assert from 'node:assert/strict';
import { test } from 'node:test';
import robotsParser from 'robots-parser';
import { crawlers } from '#almanac/datasets/crawlers.ts';
import { sitePages } from '#site/site-map.ts';
import { siteUrl } from '../support/site-under-test.ts';

async function read(path: string): Promise<{ text: string; type: string | null }> {
  const response = await fetch(`${siteUrl}${path}`);
  assert.equal(response.status, 200);
  return { text: await response.text(), type: response.headers.get('content-type') };
}

/** Robots tokens that a site which welcomes AI agents has to name, whatever the almanac holds. */
const expectedTokens = [
  ...['GPTBot', 'OAI-SearchBot', 'ChatGPT-User', 'ClaudeBot', 'Claude-User', 'Claude-SearchBot', 'Google-Extended'],
  ...['PerplexityBot', 'Perplexity-User', 'CCBot', 'Applebot-Extended', 'Amazonbot', 'Amzn-SearchBot', 'Bytespider'],
  ...['meta-externalagent', 'meta-externalfetcher', 'MistralAI-User', 'DuckAssistBot', 'GoogleOther'],
];

test('robots.txt keeps RFC 9309 and allows every page to every crawler that it names', async () => {
  const { text, type } = await read('/robots.txt');
  assert.equal(type, 'text/plain; charset=utf-8');
  assert.ok(Buffer.byteLength(text) < 500 * 1024);
  const line =
    /^(?:#.*|User-agent: (?:\*|[A-Za-z_.\d -]+)|Allow: \/|Content-Signal: (?:(?:search|ai-input|ai-train)=(?:yes|no)(?:, |$)){3}|Sitemap: https?:\/\/\S+)?$/;
  assert.deepEqual(
    text.split('\n').filter((each) => !line.test(each)),
    [],
  );
  const tokens = [...text.matchAll(/^User-agent: (.+)$/gm)].map(([, token]) => String(token));
  assert.equal(new Set(tokens.map((token) => token.toLowerCase())).size, tokens.length, 'each token has one group');
  assert.ok(tokens.includes('*'));
  const known = crawlers.records.flatMap(({ robots_token }) => robots_token ?? []);
  const named = new Set(tokens.map((token) => token.toLowerCase()));
  assert.deepEqual(
    [...known, ...expectedTokens].filter((token) => !named.has(token.toLowerCase())),
    [],
    'every crawler of the almanac with a robots token is named',
  );
  const robots = robotsParser(`${siteUrl}/robots.txt`, text);
  assert.deepEqual(robots.getSitemaps(), [`${siteUrl}/sitemap.xml`]);
  for (const token of [...tokens, 'SomeOtherBot/1.0']) {
    for (const { path } of sitePages) {
      assert.equal(robots.isAllowed(`${siteUrl}${path}`, token), true, `${token}: ${path}`);
    }
  }
});

test('security.txt keeps RFC 9116', async () => {
  const { text, type } = await read('/.well-known/security.txt');
  assert.equal(type, 'text/plain; charset=utf-8');
  const registered =
    /^(Acknowledgments|Canonical|Contact|Encryption|Expires|Hiring|Policy|Preferred-Languages): (\S(?:.*\S)?)$/;
  const fields = text
    .trimEnd()
    .split('\n')
    .map((line) => registered.exec(line) ?? assert.fail(`${line} is not a field of security.txt`))
    .map(([, name, value]) => ({ name, value: String(value) }));
  const valuesOf = (name: string): string[] => fields.filter((field) => field.name === name).map(({ value }) => value);
  assert.ok(valuesOf('Contact').length > 0, 'section 2.5.3: there is a contact');
  for (const contact of valuesOf('Contact')) {
    assert.match(contact, /^(?:mailto:[^@\s]+@[^@\s]+|tel:\+[\d-]+|https:\/\/\S+)$/);
  }
  const [expires, ...more] = valuesOf('Expires');
  assert.deepEqual(more, [], 'section 2.5.5: Expires comes once');
  assert.match(expires ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)$/);
  const days = (Date.parse(expires ?? '') - Date.now()) / 86_400_000;
  assert.ok(days > 30 && days < 365, `the file expires in ${days} days`);
  assert.ok(valuesOf('Preferred-Languages').length <= 1, 'section 2.5.8: Preferred-Languages comes once at most');
  assert.deepEqual(valuesOf('Canonical'), [`${siteUrl}/.well-known/security.txt`]);
});
