import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import robotsParser from 'robots-parser';
import request from 'supertest';
import { crawlers } from '#almanac/datasets/index.ts';
import { makeRobotsTxt, useOf } from '#almanac/robots-txt.ts';
import { createTestApp, testBaseUrl } from '../support/test-app.ts';

const { app } = createTestApp();
const page = 'https://shop.example/menu';

/** Whether a robots.txt allows a token, as an independent reader of RFC 9309 has it. */
const allows = (text: string, token: string): boolean =>
  robotsParser('https://shop.example/robots.txt', text).isAllowed(page, token) === true;

async function fetched(query: string): Promise<string> {
  const { text } = await request(app)
    .get(`/api/robots?${query}`)
    .expect(200)
    .expect('Content-Type', 'text/plain; charset=utf-8')
    .expect('Vary', /Accept/);
  return text;
}

describe('no training, and search and users stay', () => {
  it('refuses the tokens for training and leaves those of search and of users', async () => {
    const text = await fetched('training=no&search=yes&user=yes');
    for (const token of [
      ...['GPTBot', 'ClaudeBot', 'Amazonbot', 'meta-externalagent', 'KimiBot', 'AI2Bot', 'ICC-Crawler', 'Cotoyogi'],
      ...['Google-Extended', 'Applebot-Extended', 'CCBot', 'Bytespider'],
    ]) {
      assert.equal(allows(text, token), false, token);
    }
    for (const token of ['Googlebot', 'bingbot', 'OAI-SearchBot', 'ChatGPT-User', 'Claude-User', 'archive.org_bot']) {
      assert.equal(allows(text, token), true, token);
    }
    assert.match(text, /^Content-Signal: search=yes, ai-input=yes, ai-train=no$/m);
  });

  it('leaves out retired and unconfirmed tokens, and names them', async () => {
    const { body } = await request(app).get('/api/robots?training=no').set('Accept', 'application/json').expect(200);
    assert.ok(!/User-agent: (?:Claude-Web|anthropic-ai)/.test(body.robots_txt));
    const left = body.left_out.map(({ crawler }: { crawler: string }) => crawler);
    assert.ok(left.includes('claude-web') && left.includes('facebookbot'));
    assert.ok(left.includes('cohere-training-data-crawler'), 'Cohere says that it runs no crawler for training');
  });
});

describe('the list of crawlers by the use for which robots.txt refuses them', () => {
  for (const use of ['training', 'search', 'user', 'other']) {
    it(`has the records that a file with ${use}=no refuses, and no others`, async () => {
      const { body: file } = await request(app).get(`/api/robots?${use}=no`).set('Accept', 'application/json');
      const { body: list } = await request(app).get(`/api/crawlers?robots_use=${use}&fields=robots_token`).expect(200);
      const refused = file.refused.flatMap(({ crawlers: ids }: { crawlers: string[] }) => ids);
      assert.ok(refused.length > 3);
      assert.deepEqual(list.records.map(({ id }: { id: string }) => id).sort(), refused.sort());
    });
  }

  it('refuses a use that is none by name', async () => {
    const { body } = await request(app).get('/api/crawlers?robots_use=ads').expect(400);
    assert.match(JSON.stringify(body.errors), /robots_use.*training/);
    await request(app).get('/api/models?robots_use=training').expect(400);
  });
});

describe('every group', () => {
  it('names its source and what it cannot do', () => {
    const { robots_txt: text, refused } = makeRobotsTxt(
      { training: false, search: false, user: false, other: false },
      { site: testBaseUrl },
    );
    const groups = text.split('\n\n').filter((group) => group.includes('\nDisallow: /'));
    assert.equal(groups.length, refused.length);
    for (const group of groups) {
      assert.match(group, /^# .+, (?:training|search|user|other): https?:\/\/\S+\n/, group);
    }
    const perplexity = groups.find((group) => group.includes('User-agent: Perplexity-User'));
    assert.match(perplexity ?? '', /doesn't follow robots\.txt/);
    const extended = groups.find((group) => group.includes('User-agent: Google-Extended'));
    assert.match(extended ?? '', /stops no request/);
  });

  it('refuses each active token whose use is refused, once, and no other', () => {
    for (const use of ['training', 'search', 'user', 'other'] as const) {
      const choices = { training: true, search: true, user: true, other: true, [use]: false };
      const { robots_txt: text, refused } = makeRobotsTxt(choices, { site: testBaseUrl });
      const wanted = crawlers.records.filter(
        (crawler) => crawler.status === 'active' && crawler.robots_token !== null && useOf(crawler) === use,
      );
      assert.deepEqual(
        refused.map(({ token }) => token).sort(),
        [...new Set(wanted.map(({ robots_token }) => String(robots_token)))].sort(),
      );
      assert.ok(allows(text, 'SomebodyElse'));
    }
  });
});

describe('input', () => {
  it('a sitemap is the last line, as an address on one line', async () => {
    assert.match(
      await fetched(`sitemap=${encodeURIComponent('https://shop.example/sitemap.xml?a=1\nDisallow: /')}`),
      /\nSitemap: https:\/\/shop\.example\/sitemap\.xml\?a=1Disallow:%20\/\n$/,
    );
  });

  for (const [query, pointer] of [
    ['training=maybe', '?training'],
    ['sitemap=javascript:alert(1)', '?sitemap'],
    ['train=no', '?train'],
  ]) {
    it(`${query} is refused by name`, async () => {
      const { body } = await request(app).get(`/api/robots?${query}`).expect(400);
      assert.equal(body.errors[0].pointer, pointer);
    });
  }
});
