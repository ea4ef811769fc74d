import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import { datasets } from '#almanac/datasets/index.ts';
import { identifyUserAgent } from '#almanac/identify.ts';
import { packageAlmanac } from '../../scripts/package-almanac.ts';
import { installPackage, typeCheck } from '../support/installed-package.ts';

const agents = [
  { ua: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)', ip: '203.0.113.7' },
  { ua: 'Mozilla/5.0 (compatible; GPTBot/1.3; +https://openai.com/gptbot)', ip: '::ffff:192.0.2.1' },
  { ua: 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', ip: '2001:db8::1' },
  { ua: 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
  { ua: 'curl/8.10.1' },
  { ua: '' },
  { ua: 'GPTBot/1.3', ip: 'not an address' },
];

describe('the packed almanac, installed in an empty folder', async () => {
  const { folder, installed, names, bytes, run, remove } = await installPackage(packageAlmanac);
  after(remove);
  const own = join(installed, '@porchlight/almanac');

  it('brings nothing else, and weighs less than 3.5 MB', async () => {
    assert.deepEqual(names, ['@porchlight']);
    assert.ok(bytes < 3_500_000, String(bytes));
    const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as Record<string, unknown>;
    assert.equal(dependencies, undefined);
  });

  it('is of the day of its newest dataset', async () => {
    const { version } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as { version: string };
    const newest = datasets.map(({ updated }) => updated.replaceAll('-', '')).sort();
    assert.match(version, new RegExp(`^\\d+\\.\\d+\\.${newest.at(-1)}$`));
  });

  it('names the licenses of everything in it', async () => {
    assert.match(await readFile(join(own, 'LICENSE'), 'utf8'), /MIT License[\s\S]+Creative Commons Attribution 4\.0/);
    assert.match(await readFile(join(own, 'THIRD-PARTY.txt'), 'utf8'), /ipaddr\.js[\s\S]+Monperrus/);
  });

  it('has every record, whole', async () => {
    await writeFile(
      join(folder, 'data.mjs'),
      `import * as almanac from '@porchlight/almanac';
const { identify, ...datasets } = almanac;
console.log(JSON.stringify(datasets));
`,
    );
    const { code, stdout, stderr } = await run('data.mjs');
    assert.equal(code, 0, stderr);
    const packed = JSON.parse(stdout) as Record<string, { records: unknown; updated: string }>;
    assert.deepEqual(Object.keys(packed).sort(), datasets.map(({ path }) => path).sort());
    for (const { path, records, updated } of datasets) {
      assert.deepEqual(packed[path]?.records, JSON.parse(JSON.stringify(records)));
      assert.equal(packed[path]?.updated, updated);
    }
  });

  it('identifies as the service does', async () => {
    await writeFile(
      join(folder, 'identify.mjs'),
      `import { identify } from '@porchlight/almanac/identify';
console.log(JSON.stringify(${JSON.stringify(agents)}.map(({ ua, ip }) => identify(ua, ip))));
`,
    );
    const { code, stdout, stderr } = await run('identify.mjs');
    assert.equal(code, 0, stderr);
    const expected = agents.map(({ ua, ip }) => identifyUserAgent(ua, ip === undefined ? {} : { ip }));
    assert.deepEqual(JSON.parse(stdout), JSON.parse(JSON.stringify(expected)));
  });

  it('has types that fit the data, and refuse what does not', async () => {
    const use = `import { crawlers, identify, models, type Crawler, type Dataset, type Identification } from '@porchlight/almanac';
import { state } from '@porchlight/almanac/state';
const all: Dataset<Crawler> = crawlers;
const token: string | null | undefined = all.get('gptbot')?.robots_token;
const price: number | undefined = models.records[0]?.pricing_usd_per_mtok?.input;
const answer: Identification = identify(null, '192.0.2.1');
const inside: boolean | 'stale' | null | undefined = answer.ip?.in_published_ranges;
const own: boolean | undefined = state.records[0]?.own;
export { inside, own, price, token };
`;
    await writeFile(join(folder, 'right.mts'), use);
    await writeFile(join(folder, 'wrong.mts'), use.replace('robots_token', 'robots_tokens'));
    const right = await run(...typeCheck('right.mts'));
    assert.equal(right.code, 0, right.stdout);
    assert.match((await run(...typeCheck('wrong.mts'))).stdout, /Property 'robots_tokens' does not exist/);
  });

  it('runs in a browser, and leaves out what is not used', async () => {
    const bundle = async (source: string): Promise<string> => {
      const { outputFiles } = await build({
        stdin: { contents: source, resolveDir: folder },
        bundle: true,
        platform: 'browser',
        format: 'iife',
        globalName: 'used',
        minify: true,
        write: false,
      });
      return outputFiles[0]?.text ?? '';
    };
    const whole = await bundle(`export * from '@porchlight/almanac';`);
    // A page has no `require`, no `process` and no modules of Node: the bundler refuses these, and the empty context the rest.
    const page: Record<string, unknown> = {};
    runInNewContext(`${whole}; result = used.identify('GPTBot/1.3', '192.0.2.1');`, page);
    const expected = identifyUserAgent('GPTBot/1.3', { ip: '192.0.2.1' });
    assert.equal(JSON.stringify(page['result']), JSON.stringify(expected));
    const glossary = await bundle(
      `import { glossary } from '@porchlight/almanac'; export const n = glossary.records.length;`,
    );
    assert.ok(glossary.length < whole.length / 4, `${glossary.length} of ${whole.length}`);
  });
});
