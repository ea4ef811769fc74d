import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { bareSite, openSite } from '../audit/sites.ts';
import { axeViolations, injectAxe } from '../support/axe.ts';
import { launchBrowser, withPage } from '../support/browser.ts';
import { startBuiltService } from '../support/built-service.ts';
import { checkMarkup } from '../support/nu-checker.ts';

const browser = await launchBrowser();
const site = await openSite(bareSite, 20);
after(() => site.close());
const { origin } = await startBuiltService({ environment: { AUDIT_ALLOW_HOSTS: site.host } });
const report = `${origin}/audit?${new URLSearchParams({ url: `${site.origin}/` })}`;

test('with scripts the form tells how the audit goes, and then opens the report', async () => {
  await withPage(browser, {}, async (page) => {
    await page.goto(`${origin}/audit`);
    const accepts: string[] = [];
    page.on('request', (request) => {
      if (request.url() === `${origin}/api/audit`) {
        accepts.push(request.headers()['accept'] ?? '');
      }
    });
    // Told while it happens: the page may be gone when one looks for it afterwards.
    const told: string[] = [];
    await page.exposeFunction('tell', (line: string) => told.push(line));
    await page.evaluate(() => {
      const { tell } = window as unknown as { tell(line: string): void };
      const parts = '[data-audit-log], [data-audit-status], [data-technique] small';
      new MutationObserver((records) => {
        for (const { target } of records) {
          if (target instanceof Element && target.matches(parts)) {
            const said = target.matches('ol') ? target.lastElementChild : target;
            tell(said?.textContent ?? '');
          }
        }
      }).observe(document, { childList: true, subtree: true });
    });
    await page.fill('#url', `${site.origin}/`);
    await page.click('form[data-audit] button');
    await page.waitForURL(report);
    assert.ok(
      told.some((line) => line.startsWith('Asking the site')),
      told.join('\n'),
    );
    assert.ok(
      told.some((line) => line.startsWith(`${site.origin}/ 200`)),
      told.join('\n'),
    );
    assert.ok(told.includes('judged'), 'a lantern is lit when the checks of its technique are judged');
    assert.deepEqual(accepts, ['text/event-stream']);
    assert.match(String(await page.textContent('.audit-result')), /\d+ of 100: /);
  });
});

test('without scripts the form opens the report', async () => {
  await withPage(browser, { javaScriptEnabled: false }, async (page) => {
    await page.goto(`${origin}/audit`);
    await page.fill('#url', `${site.origin}/`);
    await page.click('form[data-audit] button');
    await page.waitForURL(report);
    assert.match(String(await page.textContent('h1')), /^Audit of 127/);
  });
});

test('what is refused before the audit begins is left to the page of the form', async () => {
  await withPage(browser, {}, async (page) => {
    await page.goto(`${origin}/audit`);
    await page.fill('#url', 'http://10.0.0.1/');
    await page.click('form[data-audit] button');
    await page.waitForSelector('.form-problem');
    assert.match(String(await page.textContent('.form-problem')), /10\.0\.0\.1/);
    assert.equal(await page.inputValue('#url'), 'http://10.0.0.1/');
    assert.equal(
      await page.textContent('form[data-audit] button'),
      'Audit my site',
      'the button is called what it was',
    );
  });
});

test('a link to a check that is folded leads to it; a report prints on a few sheets, with all steps and what to do, evidence folded', async () => {
  await withPage(browser, {}, async (page) => {
    await page.goto(`${report}#check-real-404`);
    assert.ok(await page.locator('#check-real-404').isVisible());
    await page.goto(report);
    await page.emulateMedia({ media: 'print' });
    assert.ok(!(await page.locator('#check-real-404').isVisible()));
    assert.ok(await page.locator('#findings .finding').first().isVisible());
    assert.ok(!(await page.locator('.finding .evidence').first().isVisible()));
    assert.ok(await page.locator('#findings .finding .fix').last().isVisible());
    assert.ok(await page.locator('#plan li').last().isVisible());
    assert.ok(!(await page.locator('[data-keys]').isVisible()));
    assert.ok(!(await page.locator('form[data-audit]').isVisible()));
    const sheets = (await page.pdf({ format: 'A4' })).toString('latin1').match(/\/Type\s*\/Page\b/g)?.length ?? 0;
    assert.ok(sheets > 0 && sheets <= 5, `${sheets} sheets`);
  });
});

test('axe-core finds nothing on a report, and no width makes it scroll sideways', async () => {
  await withPage(browser, { reducedMotion: 'reduce' }, async (page) => {
    await page.goto(report);
    await page.evaluate(() => {
      for (const details of document.querySelectorAll('details')) {
        details.open = true;
      }
    });
    await injectAxe(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      for (const width of [320, 820, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await axeViolations(page), [], `${width} px, ${colorScheme}`);
        const tooWide = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
        assert.ok(tooWide <= 0, `${tooWide} px wider than ${width} px`);
      }
    }
  });
});

test('the Nu HTML checker finds no error in a report, and none in the page of a problem', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-vnu-'));
  try {
    const headers = { accept: 'text/html' };
    await writeFile(join(folder, 'report.html'), await (await fetch(report, { headers })).text());
    const refused = `${origin}/audit?url=http://10.0.0.1/`;
    await writeFile(join(folder, 'refused.html'), await (await fetch(refused, { headers })).text());
    const messages = await checkMarkup(folder);
    assert.deepEqual(
      messages.flatMap(({ message, lastLine }) => (/ai-catalog/.test(message) ? [] : `${lastLine}: ${message}`)),
      [],
    );
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('on a phone the first fix is within a screen and a half, and the report of a plain site within eight', async () => {
  const phone = { width: 390, height: 844 };
  await withPage(browser, { viewport: phone, isMobile: true, reducedMotion: 'reduce' }, async (page, context) => {
    await page.goto(report);
    const screens = (pixels: number): number => pixels / phone.height;
    const top = await page
      .locator('#plan li')
      .first()
      .evaluate((step) => step.getBoundingClientRect().top + scrollY);
    assert.ok(screens(top) <= 1.5, `the first fix is at ${screens(top)} screens`);
    const length = await page.evaluate(() => document.documentElement.scrollHeight);
    assert.ok(screens(length) <= 8, `${screens(length)} screens`);
    const home = await context.newPage();
    await home.goto(`${origin}/`);
    for (const part of ['#url', 'form[data-audit] button']) {
      const bottom = await home.locator(part).evaluate((element) => element.getBoundingClientRect().bottom);
      assert.ok(bottom <= phone.height, `${part} ends at ${bottom} px`);
    }
  });
});

test('the techniques filter the checks, and all come back', async () => {
  await withPage(browser, { viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' }, async (page) => {
    await page.goto(report);
    const visible = (of: string): Promise<number> =>
      page
        .locator(`.finding[data-of${of}]`)
        .evaluateAll((found) => found.filter((check) => check instanceof HTMLElement && !check.hidden).length);
    const all = await visible('');
    const said = await page
      .locator('.finding > .in')
      .evaluateAll((bodies) =>
        bodies.flatMap(({ childNodes }) =>
          [...childNodes].flatMap((node) => (node instanceof Text ? (node.textContent?.trim() ?? '') : [])),
        ),
      );
    assert.deepEqual(
      said.filter((text) => text !== ''),
      [],
      'the values that choose a part are not written',
    );
    const some = await visible('="llms-txt"');
    assert.ok(some > 0 && some < all, `${some} of ${all}`);
    await page.click('a[data-only="llms-txt"]');
    assert.deepEqual([await visible(''), await visible('="llms-txt"')], [some, some]);
    assert.equal(await page.getAttribute('a[data-only="llms-txt"]', 'aria-current'), 'true');
    assert.ok(!(await page.locator('#cause-no-markdown').isVisible()), 'a cause without checks is hidden');
    await page.goto(`${page.url().replace(/#.*/, '')}#check-markdown-on-request`);
    assert.equal(await visible(''), all, 'a link to a hidden check shows all');
    await page.click('a[data-only="llms-txt"]');
    await page.click('[data-show-all]');
    assert.equal(await visible(''), all);
  });
});

test('the server has one configuration with tabs of stacks, opened by the findings; the one chosen is remembered', async () => {
  await withPage(browser, { viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(report);
    const tabs = page.locator('#server .tabs');
    assert.ok(!(await tabs.isVisible()), 'it is folded');
    const finding = page.locator('#check-markdown-on-request');
    assert.equal(await finding.locator('pre').count(), await finding.locator('.evidence pre').count());
    await page.click('.plan a[href="#check-markdown-on-request"]');
    await finding.locator('a[href="#server"]').click();
    // Scripts open it: a moment after the click, or after the page has come.
    await tabs.locator('[data-stack="nginx"] pre').first().waitFor();
    await tabs.locator('summary', { hasText: 'Caddy' }).click();
    assert.match(String(await tabs.locator('[data-stack="caddy"] pre').textContent()), /header_regexp Accept/);
    assert.ok(await tabs.locator('[data-stack="caddy"] pre').isVisible());
    assert.ok(!(await tabs.locator('[data-stack="nginx"] pre').first().isVisible()));
    assert.equal(await tabs.locator('[data-stack="cloudflare"] .copy').count(), 2, 'each file can be copied');
    await page.goto(`${report}#server`);
    await page.reload();
    await tabs.locator('[data-stack="caddy"] pre').waitFor();
  });
  await withPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } }, async (page) => {
    await page.goto(report);
    await page.locator('#server > details > summary').click();
    await page.locator('#server .tabs summary', { hasText: 'Apache' }).click();
    assert.match(String(await page.locator('#server [data-stack="apache"] pre').textContent()), /RewriteEngine On/);
  });
});

test('without scripts the requests are a table, from which a tab leads to each', async () => {
  const { data } = (await (await fetch(report.replace('/audit?', '/audit.json?'))).json()) as {
    data: { exchanges: { url: string; status: number | null }[] };
  };
  assert.ok(data.exchanges.length > 20, `${data.exchanges.length} exchanges`);
  assert.ok(data.exchanges.some(({ url, status }) => url === `${site.origin}/llms.txt` && status === 404));
  await withPage(browser, { javaScriptEnabled: false, viewport: { width: 320, height: 700 } }, async (page) => {
    await page.goto(report);
    await page.getByRole('link', { name: `Requests ${data.exchanges.length}` }).click();
    assert.match(page.url(), /#requests$/);
    assert.equal(await page.locator('.requests tbody tr').count(), data.exchanges.length);
    const [first] = await page.locator('.requests tbody tr').all();
    assert.match(String(await first?.textContent()), /\/robots\.txt[\s\S]*404[\s\S]*\d+ ms, from \d+ ms/);
  });
});
