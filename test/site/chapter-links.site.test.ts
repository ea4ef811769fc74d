import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { techniqueIds } from '#almanac/techniques.ts';
import { prices } from '#api/contract/prices.ts';
import { chapterOf, freeChapter } from '#site/playbook.ts';
import { clientDir, siteUrl } from '../support/site-under-test.ts';

const built = (id: string, ending: string): string =>
  readFileSync(join(clientDir, 'techniques', `${id}.${ending}`), 'utf8');

for (const id of techniqueIds) {
  test(`the page of ${id} leads to its chapter and says what that costs, in all three representations`, () => {
    const { number, title } = chapterOf(id);
    const isFree = id === freeChapter.id;
    const path = isFree ? `/playbook/${id}` : `/playbook#chapter-${id}`;
    const text = `chapter ${number} of the playbook, ${title}`;
    const terms = isFree
      ? 'This chapter is free to read.'
      : `sold with the others for a demonstration payment of ${prices.playbook.amountUsd} USD; no money moves.`;
    const html = built(id, 'html');
    assert.ok(html.includes(`<a href="${path}">${text}</a>`), path);
    assert.ok(html.includes(terms));
    const markdown = built(id, 'md');
    assert.ok(markdown.includes(`[${text}](${siteUrl}${path})`));
    assert.ok(markdown.includes(terms));
    const { sections, links } = JSON.parse(built(id, 'json')) as {
      sections: { text: string }[];
      links: { href: string; text: string }[];
    };
    assert.deepEqual(
      links.filter((link) => link.href.includes('/playbook')),
      [{ href: `${siteUrl}${path}`, text }],
    );
    assert.equal(sections.filter((section) => section.text.includes(text) && section.text.includes(terms)).length, 1);
  });
}
