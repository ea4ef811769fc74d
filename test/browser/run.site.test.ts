import assert from 'node:assert/strict';
import { test } from 'node:test';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { siteUrl } from '../support/site-under-test.ts';

const browser = await launchBrowser();

test('a request of the page runs here: status, header fields and body are shown', () =>
  withPage(browser, {}, async (page) => {
    const errors = watchForErrors(page);
    await page.goto(`${siteUrl}/developers/reading`);
    const place = page.locator('[data-run="/api/crawlers/gptbot"]');
    await place.getByRole('button', { name: 'Run here' }).click();
    await place
      .getByRole('status')
      .filter({ hasText: /^200 in \d+ ms$/ })
      .waitFor();
    const shown = await page.locator('.runresult pre').textContent();
    assert.match(shown ?? '', /^content-type: application\/json/m);
    assert.match(shown ?? '', /"id": "gptbot"/);
    assert.deepEqual(errors, []);
  }));

test('a request with an Accept header gets the twin', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/developers/reading`);
    await page.locator('[data-run="/about"]').getByRole('button', { name: 'Run here' }).click();
    const shown = await page.locator('.runresult pre').textContent();
    assert.match(shown ?? '', /^content-type: text\/markdown/m);
    assert.match(shown ?? '', /^# About/m);
  }));

test('a proof of a technique runs on its page, with the header that it is about', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/techniques/markdown-negotiation`);
    const place = page.locator('.proof [data-run="/"]').first();
    await place.getByRole('button', { name: 'Run here' }).click();
    const shown = await page.locator('.runresult pre').first().textContent();
    assert.match(shown ?? '', /^content-type: text\/markdown/m);
    assert.match(shown ?? '', /^x-bytes-saved: \d+/m);
  }));

test('where other programs take up the answer, the button says that it only fetches it', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/techniques/llms-txt`);
    const places = page.locator('.proof [data-run]');
    for (const place of await places.all()) {
      const command = await place.evaluate(({ previousElementSibling }) => previousElementSibling?.textContent ?? '');
      assert.equal(await place.getByRole('button').textContent(), command.includes(' | ') ? 'Fetch here' : 'Run here');
    }
    assert.ok((await page.getByRole('button', { name: 'Fetch here' }).count()) > 0);
  }));

test('what writes or needs another program is not run from a page', () =>
  withPage(browser, {}, async (page) => {
    for (const id of ['agent-api', 'accessibility-tree']) {
      await page.goto(`${siteUrl}/techniques/${id}`);
      assert.equal(await page.locator('.proof [data-run]').count(), 0, id);
    }
  }));

test('a language chosen in one place is chosen in all, and on the next page', () =>
  withPage(browser, {}, async (page) => {
    await page.goto(`${siteUrl}/developers/reading`);
    await page.locator('details[name="request-get_crawler"] > summary', { hasText: 'Python' }).click();
    assert.ok(
      await page
        .locator('details[name="request-ask_almanac"][data-stack="python"]')
        .evaluate((tab) => tab.hasAttribute('open')),
    );
    await page.goto(`${siteUrl}/developers/signing`);
    assert.ok(
      await page.locator('details[name="sign"][data-stack="python"]').evaluate((tab) => tab.hasAttribute('open')),
    );
  }));

test('without scripts no button is offered that would do nothing', () =>
  withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${siteUrl}/developers/reading`);
    assert.equal(await page.getByRole('button', { name: 'Run here' }).count(), 0);
    assert.ok(await page.getByText('curl -s').first().isVisible());
  }));

/** Addresses of sections that other sites and older twins link to. */
const earlier =
  'endpoints representations errors limits mcp guestbook idempotency reading withdrawing signing sign-node sign-python sign-shell sign-body sign-command tiers tier-a paying pay-shell pay-audit pay-node pay-python'.split(
    ' ',
  );

test('every earlier anchor of /developers reaches its section', () =>
  withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${siteUrl}/developers`);
    for (const id of earlier) {
      const target = page.locator(`[id="${id}"]`);
      assert.equal(await target.count(), 1, id);
      assert.ok(await target.isVisible(), id);
    }
  }));
