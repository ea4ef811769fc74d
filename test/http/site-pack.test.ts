import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { compressAs } from '#api/http/compress.ts';
import { entityTag, readSiteFiles } from '#api/http/site-files.ts';
import { openSitePack, packFiles } from '#api/http/site-pack.ts';
import { writePack } from '../../scripts/support/build/pack.ts';

const html = Buffer.from('<!DOCTYPE html><p>A house.</p>'.repeat(50));
const picture = Buffer.from([137, 80, 78, 71]);
/** Longer than what is held, so that nothing keeps it but who reads it. */
const long = Buffer.from('A long line of text. '.repeat(500_000));

describe('the pack of a built site', () => {
  let distDir: string;
  let close: () => Promise<void> = async () => undefined;

  beforeEach(async () => {
    distDir = mkdtempSync(join(tmpdir(), 'pack-'));
    const clientDir = join(distDir, 'client');
    mkdirSync(clientDir);
    const write = (name: string, bytes: Buffer): void => writeFileSync(join(clientDir, name), bytes);
    write('index.html', html);
    write('index.html.br', brotliCompressSync(html));
    write('index.html.gz', gzipSync(html));
    write('index.md', Buffer.from('# A house\n'));
    write('index.json', Buffer.from('{}'));
    write('house.png', picture);
    write('long.txt', long);
    write('long.txt.gz', gzipSync(long));
    write('_headers', Buffer.from('/*\n'));
    await writePack(readSiteFiles(clientDir, new Map()), distDir);
  });

  afterEach(async () => {
    await close();
    close = async () => undefined;
    rmSync(distDir, { recursive: true, force: true });
  });

  const open = async (options?: { heldMs: number }) => {
    const pack = await openSitePack(distDir, new Map(), options);
    close = pack.close;
    const form = (path: string) => {
      const forms = pack.site.files.get(path)?.forms ?? pack.site.pages.get(path)?.html.forms;
      assert.ok(forms !== undefined, path);
      return forms;
    };
    return { site: pack.site, release: pack.release, form };
  };

  test('a pack holds pages and files as they were built, in each coding, with their entity tags', async () => {
    const { site, form } = await open();
    assert.deepEqual([...site.pages.keys()], ['/']);
    assert.deepEqual([...site.files.keys()].toSorted(), ['/house.png', '/long.txt']);
    const { identity, br, gzip } = form('/');
    for (const [packed, bytes] of [
      [identity, html],
      [br, brotliCompressSync(html)],
      [gzip, gzipSync(html)],
      [form('/house.png').identity, picture],
      [form('/long.txt').identity, long],
    ] as const) {
      assert.ok(packed !== undefined);
      assert.ok(bytes.equals(await packed.read()));
      assert.deepEqual([packed.length, packed.etag], [bytes.length, entityTag(bytes)]);
    }
    assert.equal(form('/house.png').gzip, undefined);
  });

  test('who reads a body at the same time shares its bytes, however long they are', async () => {
    const { form } = await open();
    const { identity } = form('/long.txt');
    const [one, other] = await Promise.all([identity.read(), identity.read()]);
    assert.equal(one, other);
    // `one` is still in use.
    assert.equal(await identity.read(), one);
  });

  test('a body that was read stays in memory, until the service is at rest and nobody has read it lately', async () => {
    const lately = await open({ heldMs: 60_000 });
    await lately.form('/house.png').identity.read();
    assert.equal(lately.release(), false);
    assert.ok(Buffer.isBuffer(lately.form('/house.png').identity.read()), 'it is there at once');
    await close();

    const { form, release } = await open({ heldMs: 1 });
    assert.equal(release(), false, 'nothing was read');
    await form('/house.png').identity.read();
    while (!release()) {
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    assert.equal(release(), false);
    assert.ok(picture.equals(await form('/house.png').identity.read()));
  });

  test('a build that takes the place of this one changes nothing for who has it open', async () => {
    const { form } = await open();
    rmSync(distDir, { recursive: true });
    assert.ok(html.equals(await form('/').identity.read()));
  });

  test('a body that is kept holds its own bytes alone, unpacked or compressed, and nothing of the pool they were made in', async () => {
    const { form } = await open();
    const kept = [
      ...(await Promise.all([form('/').identity, form('/').br, form('/').gzip].map((each) => each?.read()))),
      await compressAs('br', html, 5),
      await compressAs('gzip', html, 5),
    ];
    for (const bytes of kept) {
      assert.ok(
        bytes && bytes.buffer.byteLength <= bytes.length + 256,
        `${bytes?.buffer.byteLength} for ${bytes?.length}`,
      );
    }
  });

  test('a pack that was cut short gives an error that says so, and the next reader gets one too', async () => {
    const { form } = await open();
    truncateSync(packFiles(distDir).bytes, 10);
    await assert.rejects(async () => form('/').identity.read(), /ends at byte \d+: run `npm run build`/);
    await assert.rejects(async () => form('/').identity.read(), /ends at byte/);
  });
});
