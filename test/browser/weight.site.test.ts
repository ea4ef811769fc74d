import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { State } from '#api/state.ts';
import { toNewEntry } from '../guestbook/new-entry.ts';
import { startBuiltService } from '../support/built-service.ts';
import { layoutPages } from '../support/site-under-test.ts';
import { most, sum, testWeight, transfersOf } from './weight.ts';

/**
 * A site as visitors find it: three certified sites with long hosts, and three entries as long as may be that differ in
 * all parts.
 */
async function fill({ directory, guestbook }: State): Promise<void> {
  const random = (length: number): string => {
    const words = readFileSync(new URL(import.meta.url), 'utf8').match(/[a-z]{3,}/g) ?? [];
    return Array.from({ length: 40 }, (_, index) => words[(index * 7 + length) % words.length])
      .join(' ')
      .slice(0, length);
  };
  for (const index of [1, 2, 3]) {
    await directory.put({
      url: `https://${index}.documentation.example-of-a-long-name.org`,
      score: 70 + 9 * index,
      grade: 'agent-ready (certifiable)',
      certified_at: new Date(Date.UTC(2026, index, index * 7, index, index * 11)).toISOString(),
      tier: 'standard',
    });
    const added = await guestbook.add(
      toNewEntry({ name: random(50 + index), message: random(277 + index), model: random(57 + index) }),
    );
    assert.ok(added.entry !== null);
    await guestbook.clear(added.entry.id, 'the owner of the site');
  }
}
const filled = await startBuiltService({ fill });

for (const [name, ...browserArguments] of [
  ['a browser of today'],
  ['a browser with WebMCP, which asks for the tool registry too', '--enable-features=WebMCP'],
] as const) {
  test(`the home page, with certified sites and entries, is light for ${name}`, async (t) => {
    const transfers = await transfersOf(`${filled.origin}/`, ...browserArguments);
    const list = transfers.map(({ url, type, bytes }) => `${bytes} ${type} ${url}`).join('\n');
    const home = await (await fetch(`${filled.origin}/`)).text();
    assert.equal(home.match(/<article class="entry/g)?.length, 3);
    assert.equal(home.match(/example-of-a-long-name\.org<\/a>/g)?.length, 3);
    t.diagnostic(`${sum(transfers)} bytes in ${transfers.length} transfers`);
    assert.ok(transfers.length > 1, list);
    assert.deepEqual(
      transfers.filter(({ url, bytes }) => new URL(url).origin !== filled.origin || bytes === 0),
      [],
      'everything comes from the site itself and arrives',
    );
    assert.ok(sum(transfers) <= most.homeBytes, `${sum(transfers)} bytes, at most ${most.homeBytes}:\n${list}`);
    const scripts = transfers.filter(({ type, url }) => type === 'Script' || url.endsWith('.js'));
    assert.ok(scripts.length > 0, list);
    assert.ok(
      sum(scripts) <= most.scriptBytes,
      `${sum(scripts)} bytes of script, at most ${most.scriptBytes}:\n${list}`,
    );
  });
}

testWeight(layoutPages);
