import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { writeTwins } from '../../scripts/support/build/twins.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));

const pageOf = (title: string): string => {
  const url = `https://site.example/${title}`;
  const facts = {
    url,
    title,
    description: title,
    updated: '2026-11-23',
    lang: 'en',
    kind: 'page',
    data: {},
    twins: {},
  };
  return `<main><h1>${title}</h1></main><script type="application/json" data-twin>${JSON.stringify(facts)}</script>`;
};

async function folderOf(pages: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-twins-'));
  folders.push(folder);
  await Promise.all(Object.entries(pages).map(([name, html]) => writeFile(join(folder, name), html)));
  return folder;
}

describe('the twins of built pages', () => {
  it('are written for every page, whichever thread takes it', async () => {
    const titles = Array.from({ length: 60 }, (_, index) => `page-${index}`);
    const names = titles.map((title) => `${title}.html`);
    const folder = await folderOf(Object.fromEntries(titles.map((title) => [`${title}.html`, pageOf(title)])));

    await writeTwins(folder, names);

    assert.equal((await readdir(folder)).length, 3 * titles.length);
    for (const title of titles) {
      assert.match(await readFile(join(folder, `${title}.md`), 'utf8'), new RegExp(`^# ${title}$`, 'm'));
      assert.equal(JSON.parse(await readFile(join(folder, `${title}.json`), 'utf8')).title, title);
      assert.equal(await readFile(join(folder, `${title}.html`), 'utf8'), `<main><h1>${title}</h1></main>`);
    }
  });

  it('stop the build when a page has none', async () => {
    const folder = await folderOf({ 'bare.html': '<main></main>' });
    await assert.rejects(writeTwins(folder, ['bare.html']), /carries no data for its twins/);
  });
});
