import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { entriesOfPage } from '#api/guestbook/page-data.ts';
import { launchBrowser, watchForErrors, withPage } from '../support/browser.ts';
import { startBuiltService } from '../support/built-service.ts';
import { listAt, signAt } from '../support/guestbook-client.ts';
import { entryBlocksOf } from '../support/guestbook-twin.ts';
import { characterTexts, markupTexts, naughtyTexts } from '../support/hostile-texts.ts';
import { signByForm } from './sign-by-form.ts';

const { origin, config } = await startBuiltService();
const browser = await launchBrowser();
const phone = { width: 390, height: 844 };

test('characters that deceive are kept as they should be, whether they come as JSON or by the form', async () => {
  await withPage(browser, { javaScriptEnabled: false }, async (page) => {
    for (const { name, sent, kept } of characterTexts) {
      const message = `${sent} (${name})`.slice(0, 280);
      const expected = `${kept} (${name})`.slice(0, 280);
      const { body } = await signAt(origin, { name: 'JSON', message });
      assert.equal(body.entry.message, expected, `${name}, as JSON`);
      assert.equal(await signByForm(page, origin, { name: 'Form', message }), 201, name);
      const [entry] = (await listAt(origin, '?limit=1')).body.entries;
      assert.equal(entry?.message, expected, `${name}, by the form`);
      assert.equal(await page.locator('.entry-message').textContent(), expected, `${name}, on the receipt`);
    }
  });
  const lone = await signAt(origin, { name: 'Lone \ud800', message: '\udc00 surrogates \ud83d' });
  assert.deepEqual([lone.body.entry.name, lone.body.entry.message], ['Lone \ufffd', '\ufffd surrogates \ufffd']);
  const stacked = await signAt(origin, { name: 'Zalgo', message: `Z${'\u0300\u0316'.repeat(500)}` });
  assert.ok(stacked.body.accepted.message.stored <= 5, '1,000 combining marks are not kept');
});

/** Asserts that the page shows these texts of visitors, that nothing in them has become markup, and that all of it fits. */
async function assertInert(page: Page, texts: string[]): Promise<void> {
  const seen = await page.evaluate(() => {
    const blocks = [...document.querySelectorAll('main article.entry [data-untrusted]')];
    return {
      texts: blocks.map((block) => block.textContent),
      strays: blocks.flatMap((block) =>
        [...block.querySelectorAll('*')]
          .filter((inner) => !['B', 'SPAN'].includes(inner.tagName))
          .map((inner) => inner.outerHTML),
      ),
      links: [...document.querySelectorAll('main a')].flatMap((link) => {
        const { href } = link as HTMLAnchorElement;
        return href.includes('evil') || href.startsWith('javascript:') ? [href] : [];
      }),
      unframed: blocks.filter((block) => block.closest('main article.entry') === null).length,
      foreign: [...document.querySelectorAll('main :is(script, style, img, iframe, object, embed, svg, base, meta)')]
        .filter((element) => element.closest('article.entry') !== null)
        // The house's own icon and seal; a text that became one of them would be inside [data-untrusted], where nothing is spared.
        .filter((element) => !element.matches('svg:is(.icon, .seal)[aria-hidden="true"]'))
        .map((element) => element.outerHTML),
      headings: [...document.querySelectorAll('main :is(h1, h2, h3)')].map((heading) => heading.textContent?.trim()),
    };
  });
  assert.deepEqual(seen.texts, texts, 'the text in the DOM is what the API holds');
  assert.deepEqual([seen.strays, seen.links, seen.foreign, seen.unframed], [[], [], [], 0]);
  assert.deepEqual(
    seen.headings.filter((heading) => /evil|Heading/.test(heading ?? '')),
    [],
  );
  // Entries out of sight are not laid out; here every one has to be.
  await page.evaluate(() => {
    for (const article of document.querySelectorAll<HTMLElement>('article.entry')) {
      article.style.contentVisibility = 'visible';
    }
  });
  for (const width of [phone.width, 320, 1440]) {
    await page.setViewportSize({ ...phone, width });
    const { tooWide, overlapping } = await page.evaluate(() => {
      const root = document.documentElement;
      const articles = [...document.querySelectorAll('article.entry')];
      const wide = articles.filter((article) =>
        [...article.querySelectorAll('*')].some(
          (element) => element.getBoundingClientRect().right > root.clientWidth + 0.5,
        ),
      );
      return {
        tooWide: [root.scrollWidth - root.clientWidth, ...wide.map((article) => article.textContent?.slice(0, 200))],
        overlapping: articles.filter((article) => article.scrollHeight > article.clientHeight + 12).length,
      };
    });
    assert.deepEqual([tooWide, overlapping], [[0], 0], `at ${width} px`);
  }
}

test('hostile texts from both doors are inert in the DOM: no element, no link, no script, no request, no overflow', async () => {
  const byForm = [...markupTexts, ...naughtyTexts.filter((_text, index) => index % 24 === 0)].values();
  const fillForms = (): Promise<void> =>
    withPage(browser, { javaScriptEnabled: false }, async (page) => {
      for (const text of byForm) {
        const status = await signByForm(page, origin, { name: text || 'x', message: text || 'x' });
        assert.ok(status === 201 || status === 422, `${status} for ${JSON.stringify(text)}`);
      }
    });
  await Promise.all(Array.from({ length: 4 }, fillForms));
  const room = 495 - (await listAt(origin)).body.totals.total;
  const queue = [...markupTexts, ...naughtyTexts].slice(0, room).values();
  const write = async (): Promise<void> => {
    for (const text of queue) {
      const { status } = await signAt(origin, { name: text, message: text, model: text });
      assert.ok(status === 201 || status === 422, `${status} for ${JSON.stringify(text)}`);
    }
  };
  await Promise.all(Array.from({ length: 64 }, write));
  const { entries } = (await listAt(origin)).body;
  assert.ok(entries.length > 300 && entries.length < 500, String(entries.length));
  /** The pages of the guestbook, newest first: the query of each, and the texts it has to show. */
  const pages = Array.from({ length: Math.ceil(entries.length / entriesOfPage) }, (_page, index) => {
    const from = index * entriesOfPage;
    return {
      query: from === 0 ? '' : `?before=${entries[from - 1]?.id}`,
      texts: entries
        .slice(from, from + entriesOfPage)
        .map(({ name, model, message }) => `${name}\n${model === null ? '' : `Model: ${model}\n`}\n${message}`),
    };
  });

  for (const reducedMotion of ['reduce', 'no-preference'] as const) {
    await withPage(browser, { viewport: phone, reducedMotion, javaScriptEnabled: false }, async (page) => {
      await page.goto(`${origin}/guestbook#gb-${entries[entriesOfPage - 1]?.id}`);
      const box = await page.locator('article:target').boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y < phone.height / 2, `the last entry is at ${box?.y} px`);
    });
  }

  await withPage(browser, { viewport: phone }, async (page) => {
    const errors = watchForErrors(page);
    const elsewhere: string[] = [];
    page.on('dialog', (dialog) => {
      errors.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('request', (sent) => {
      if (!sent.url().startsWith(`${origin}/`)) {
        elsewhere.push(sent.url());
      }
    });
    for (const { query, texts } of pages) {
      await page.setViewportSize(phone);
      await page.goto(`${origin}/guestbook${query}`, { waitUntil: 'networkidle' });
      await assertInert(page, texts);
    }
    assert.deepEqual([errors, elsewhere], [[], []]);
  });

  for (const { query, texts } of pages) {
    const twin = await (await fetch(`${origin}/guestbook.md${query}`)).text();
    const blocks = entryBlocksOf(twin, config.baseUrl).slice(-texts.length);
    assert.deepEqual(blocks, texts, `markdown${query}: every entry is a block`);
  }
});
