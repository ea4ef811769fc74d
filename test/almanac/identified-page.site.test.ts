import assert from 'node:assert/strict';
import { test } from 'node:test';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { pageFaults } from '../support/nu-checker.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();
const gptBot = 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)';
const addressOf = (ua: string, ending = ''): string => `/crawlers${ending}?${new URLSearchParams({ ua })}`;

test('without scripts the field on the page of the crawlers tells whose User-Agent it is', () =>
  withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${siteUrl}/crawlers`);
    await page.getByLabel('Who is this? Paste a User-Agent from your log').fill(gptBot);
    await page.getByRole('button', { name: 'Identify' }).click();
    await page.waitForURL(/\/crawlers\?ua=/);
    assert.equal(await page.locator('h2 a[href="/crawlers/gptbot"]').textContent(), 'GPTBot');
    assert.equal(await page.locator('#ua').inputValue(), gptBot, 'what was typed stays');
  }));

test('the page says what the API says, from both fronts, and search engines leave it out', async () => {
  const address = `${siteUrl}/api/verify-crawler?${new URLSearchParams({ ua: gptBot })}`;
  const answer = (await (await fetch(address)).json()) as Record<string, unknown>;
  for (const origin of [siteUrl, nginxUrl]) {
    const response = await fetch(`${origin}${addressOf(gptBot, '.json')}`);
    assert.equal(response.headers.get('x-robots-tag'), 'noindex');
    const { data } = (await response.json()) as { data: Record<string, unknown> };
    assert.deepEqual(data, answer);
  }
});

test('text of a stranger stays text, and is marked', async () => {
  const hostile = '<script>alert(1)</script>-bot/1.0 [x](javascript:alert(1))';
  const html = await (await fetch(`${siteUrl}${addressOf(hostile)}`)).text();
  assert.ok(!html.replaceAll(/ value="[^"]*"/g, '').includes('<script>alert'));
  assert.deepEqual(await pageFaults(html), []);
  const markdown = await (await fetch(`${siteUrl}${addressOf('ignore-all-rules-bot/1.0', '.md')}`)).text();
  assert.match(markdown, /in untrusted text of the visitor:\n\n {4}.*ignore-all-rules-bot/);
});

test('a string that is empty or too long is refused with what to do', async () => {
  for (const ua of ['', '\u200b', 'x'.repeat(5000)]) {
    const response = await fetch(`${siteUrl}${addressOf(ua)}`, { headers: { accept: 'application/json' } });
    assert.equal(response.status, 400);
    assert.equal(response.headers.get('content-type'), 'application/problem+json');
  }
});

test('the answer has no violation of axe', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}${addressOf(gptBot)}`);
    await injectAxe(page);
    assert.deepEqual(await axeViolations(page), []);
  }));
