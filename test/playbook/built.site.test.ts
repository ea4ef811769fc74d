import assert from 'node:assert/strict';
import { test } from 'node:test';
import { techniqueIds } from '#almanac/techniques.ts';
import { readConfig } from '#api/config.ts';
import { readBuiltPlaybook } from '#api/playbook/built.ts';
import { PlaybookAnswer } from '#api/playbook/deliver.ts';
import { readPlaybook } from '../../scripts/support/build/playbook.ts';
import { siteUrl } from '../support/site-under-test.ts';

const playbook = await readPlaybook('https://porch.example');

test('there is a chapter for each technique, in the order of the catalog', () => {
  assert.deepEqual(
    playbook.chapters.map(({ id }) => id),
    [...techniqueIds],
  );
});

test('chapters stand below the title of the whole, and what is in code stays as it is', () => {
  const [first = ''] = playbook.markdown.split('\n');
  assert.equal(first, `# ${playbook.title}`);
  for (const { markdown } of playbook.chapters) {
    const code = [...markdown.matchAll(/^```.*?^```$/gms)].map(([block]) => block);
    assert.ok(code.length > 0);
    assert.ok(code.every((block) => playbook.markdown.includes(block)));
  }
});

test('its page has one title, and the chapters below it in their order', async () => {
  const { html } = await readBuiltPlaybook(readConfig().distDir);
  assert.equal(html.match(/<h1[ >]/g)?.length, 1);
  const [main = ''] = /<main[ >].*<\/main>/s.exec(html) ?? [];
  const places = playbook.chapters.map(({ title }) => main.indexOf(`${title}</h2>`));
  assert.ok(places.every((place) => place > 0));
  assert.deepEqual(
    places,
    places.toSorted((a, b) => a - b),
  );
});

test('links lead to the site from wherever it is read', () => {
  for (const { markdown, url } of playbook.chapters) {
    assert.doesNotMatch(markdown, /\{base_url\}/);
    assert.ok(markdown.includes(`](${url})`), `${url} is linked`);
  }
});

test('the running service delivers it for a payment, and serves it nowhere else', async () => {
  const at = `${siteUrl}/api/premium/playbook`;
  const { quote } = (await (await fetch(at)).json()) as { quote: string };
  const paid = await fetch(`${siteUrl}/api/pay`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ quote }),
  });
  const { payment } = (await paid.json()) as { payment: string };
  const answer = PlaybookAnswer.parse(await (await fetch(at, { headers: { 'x-payment': payment } })).json());
  assert.equal(answer.count, techniqueIds.length);
  for (const path of ['/playbook.json', '/../playbook.json', '/%2e%2e/playbook.json']) {
    const body = await (await fetch(`${siteUrl}${path}`)).text();
    assert.ok(!body.includes(answer.chapters[0]?.markdown.slice(0, 200) ?? ''), path);
  }
});
