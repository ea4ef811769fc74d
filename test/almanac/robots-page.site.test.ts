import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crawlers } from '#almanac/datasets/index.ts';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { pageFaults } from '../support/nu-checker.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();
const html = { accept: 'text/html' };
const choice = 'training=yes&search=no&user=yes&other=yes';

test('without scripts the form leads to a page with the file and what its lines cost', () =>
  withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${siteUrl}/robots`);
    await page.getByLabel('Training of models').selectOption('Allow');
    await page.getByLabel('Search engines and the indexes of AI search').selectOption('Refuse');
    await page.getByRole('button', { name: 'Write my robots.txt' }).click();
    await page.waitForURL(/\/robots\?training=yes&search=no/);
    const file = await (await fetch(`${siteUrl}/api/robots?${choice}`)).text();
    assert.equal((await page.locator('pre').first().textContent())?.trimEnd(), file.trimEnd());
    const lines = await page.locator('table tbody th').allTextContents();
    assert.ok(lines.includes('Googlebot') && !lines.includes('GPTBot'), 'the costs are those of the choice');
    assert.equal(await page.locator('select#search').inputValue(), 'no', 'what was chosen stays');
    const link = await page.getByRole('link', { name: 'as plain text' }).getAttribute('href');
    assert.equal(await (await fetch(`${siteUrl}${link}`)).text(), file);
  }));

test('with scripts one button copies the file', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/robots?${choice}`);
    await page.locator('#file ~ .code').first().getByRole('button', { name: 'Copy' }).waitFor();
  }));

test('the page says what the API says, from both fronts, and search engines leave it out', async () => {
  const address = `${siteUrl}/api/robots?${choice}`;
  const answer = await (await fetch(address, { headers: { accept: 'application/json' } })).json();
  for (const origin of [siteUrl, nginxUrl]) {
    const response = await fetch(`${origin}/robots.json?search=no`);
    assert.equal(response.headers.get('x-robots-tag'), 'noindex');
    assert.deepEqual(((await response.json()) as { data: unknown }).data, answer);
  }
  const markdown = await (await fetch(`${siteUrl}/robots.md?search=no`)).text();
  assert.match(markdown, /^User-agent: Googlebot$/m);
});

test('a choice that is none is explained above the form, and refused to programs', async () => {
  const response = await fetch(`${siteUrl}/robots?training=maybe&search=no`, { headers: html });
  assert.equal(response.status, 400);
  const text = await response.text();
  assert.match(text, /The choice for training of models is neither yes \(allow\) nor no \(refuse\)\./);
  assert.match(text, /<select[^>]* id="training"[^>]* aria-invalid="true"/);
  assert.match(
    text,
    /<select[^>]* id="search"[^>]*>\s*<option value="yes">Allow<\/option>\s*<option value="no" selected/,
  );
  assert.deepEqual(await pageFaults(text), []);
  for (const path of ['/robots.json?training=maybe', '/robots?training=maybe']) {
    const program = await fetch(`${siteUrl}${path}`, { headers: { accept: 'application/json' } });
    assert.equal(program.status, 400, path);
    assert.equal(program.headers.get('content-type'), 'application/problem+json', path);
  }
});

test('a sitemap stays when something else is chosen, and a file that refuses nobody has no table', async () => {
  const sitemap = 'https://shop.example/sitemap.xml';
  const text = await (
    await fetch(`${siteUrl}/robots?${new URLSearchParams({ other: 'yes', sitemap })}`, { headers: html })
  ).text();
  assert.match(text, /name="sitemap" value="https:\/\/shop\.example\/sitemap\.xml"/);
  assert.match(text, /Sitemap: https:\/\/shop\.example\/sitemap\.xml/);
  assert.doesNotMatch(text, /id="lines"/);
  assert.deepEqual(await pageFaults(text), []);
});

test('it says which names it refuses as training that the list of the type does not have', async () => {
  const others = crawlers.records.filter(
    ({ bot_type: type, status, robots_token: token, purpose }) =>
      !/^(?:training|search-index|user-action-fetcher|agentic-browser)$/.test(type) &&
      status === 'active' &&
      token !== null &&
      /\btrain/i.test(purpose),
  );
  assert.ok(others.length > 3);
  for (const path of ['/robots.md', '/robots.md?training=no']) {
    const markdown = await (await fetch(`${siteUrl}${path}`)).text();
    const line = markdown.split('\n').find((each) => each.includes('whose record has another type')) ?? '';
    for (const { robots_token: token } of others) {
      assert.ok(line.includes(String(token)), `${path}: ${token}`);
    }
  }
  assert.doesNotMatch(await (await fetch(`${siteUrl}/robots.md?search=no`)).text(), /whose record has another type/);
});

test('the page of a choice has no violation of axe', () =>
  withPage(browser, {}, async (page) => {
    for (const query of [choice, 'training=maybe']) {
      await page.goto(`${siteUrl}/robots?${query}`);
      await injectAxe(page);
      assert.deepEqual(await axeViolations(page), [], query);
    }
  }));
