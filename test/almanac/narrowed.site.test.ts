import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { datasets } from '#almanac/datasets/index.ts';
import { nginxUrl, siteUrl } from '../support/site-under-test.ts';

const read = async (path: string, origin = siteUrl): Promise<string> => (await fetch(`${origin}${path}`)).text();

/** Every facet link of a page, with the number that it promises. */
function facetLinks(html: string): { href: string; count: number }[] {
  const [, facets = ''] = /<nav aria-label="Narrow the records down">(.*?)<\/nav>/s.exec(html) ?? [];
  return [...facets.matchAll(/<a href="([^"]+)"[^>]*>[^<]*<span>(\d+)<\/span>/g)].map(([, href = '', count]) => ({
    href: href.replaceAll('&amp;', '&').replaceAll('&#38;', '&'),
    count: Number(count),
  }));
}

const rowsOf = (html: string): number => html.match(/<tr id=/g)?.length ?? 0;

describe('the facets of a dataset', () => {
  for (const { path } of datasets) {
    test(`of /${path} lead to as many records as they say, from both fronts`, async () => {
      const links = facetLinks(await read(`/${path}`));
      assert.ok(links.length >= 5, `${links.length} links`);
      for (const { href, count } of [links[0], links.at(-1)].filter((link) => link !== undefined)) {
        const [one, other] = [await read(href), await read(href, nginxUrl)];
        assert.equal(rowsOf(one), count, href);
        assert.equal(other, one, href);
        const again = facetLinks(one).find((link) => link.href === `/${path}`);
        assert.equal(again?.count, count, 'a chosen value leads back');
      }
    });
  }

  test('are combined', async () => {
    const first = facetLinks(await read('/crawlers?bot_type=training')).find(({ href }) =>
      href.includes('status=active'),
    );
    assert.equal(first?.href, '/crawlers?bot_type=training&status=active');
    assert.equal(rowsOf(await read(first.href)), first.count);
  });
});

describe('a page of which the query asks for a part', () => {
  const target = '/crawlers?bot_type=training&status=active';

  test('is no page of its own to a search engine, from both fronts', async () => {
    for (const origin of [siteUrl, nginxUrl]) {
      const response = await fetch(`${origin}${target}`);
      assert.equal(response.headers.get('x-robots-tag'), 'noindex');
      const html = await response.text();
      assert.match(html, new RegExp(`<link rel="canonical" href="${siteUrl}/crawlers">`));
      assert.match(html, new RegExp(`<meta property="og:url" content="${siteUrl}/crawlers">`));
    }
  });

  test('has twins with the same records, which are those of the API', async () => {
    const api = JSON.parse(await read(`/api${target}`));
    for (const origin of [siteUrl, nginxUrl]) {
      const twin = JSON.parse(await read('/crawlers.json?bot_type=training&status=active', origin));
      assert.deepEqual(twin.data, api);
      assert.equal(twin.url, `${siteUrl}${target}`);
      const markdown = await read('/crawlers.md?bot_type=training&status=active', origin);
      assert.equal(markdown.match(/^\| \[/gm)?.length, api.matched);
    }
  });

  test('takes the order and the ranges of the API', async () => {
    const path = '/models?context_window_from=1000000&sort=-context_window';
    const ids = [...(await read(path)).matchAll(/<tr id="([^"]+)"/g)].map(([, id]) => id);
    const { records } = JSON.parse(await read(`/api${path}`));
    assert.deepEqual(
      ids,
      records.map(({ id }: { id: string }) => id),
    );
  });

  test('without a record says so and leads back', async () => {
    const html = await read('/crawlers?operator=nobody-at-all');
    assert.match(html, /No record has these marks/);
    assert.equal(rowsOf(html), 0);
  });

  test('shows what stands in the query as text', async () => {
    const html = await read(`/crawlers?operator=${encodeURIComponent('"><script>alert(1)</script>')}`);
    assert.doesNotMatch(html, /"><script>alert/);
  });
});

test('the statuses of queries, from both fronts', async () => {
  const whole = (await read('/crawlers')).length;
  for (const origin of [siteUrl, nginxUrl]) {
    for (const [path, status, isWhole] of [
      ['/crawlers?utm_source=x', 200, true],
      ['/crawlers?UTM_Source=x&ref=y&q=gpt', 200, true],
      ['/crawlers?limit=3', 200, true],
      ['/crawlers?colour=red', 200, true],
      ['/crawlers?bot_type=training&utm_source=x', 200, false],
      ['/crawlers?bot%5Ftype=training', 200, false],
      ['/crawlers?bot_type=nonsense', 400, false],
      ['/crawlers?bot_type=training&bot_type=archive', 400, false],
      ['/crawlers?sort=colour', 400, false],
      ['/crawlers.md?bot_type=', 400, false],
      ['/crawlers/gptbot?bot_type=training', 200, false],
    ] as const) {
      const response = await fetch(`${origin}${path}`, { headers: { accept: 'text/html' } });
      assert.equal(response.status, status, `${origin}${path}`);
      assert.equal((await response.text()).length === whole, isWhole, `${origin}${path}`);
    }
  }
});
