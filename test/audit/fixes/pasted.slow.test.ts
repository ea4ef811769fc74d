import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fixesOf } from '#api/audit/fixes/fixes.ts';
import { type Audit, runAudit } from '#api/audit/run.ts';
import { createGuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { freePort } from '../../../scripts/support/ports.ts';
import { pasteFiles, pasteIntoPages } from './paste.ts';
import { writePlainSite } from './plain-site.ts';
import { type Front, fronts, type Served } from './servers.ts';

const userAgent = 'PorchlightAudit/1.0 (test)';
const now = (): Date => new Date();

async function audit(url: string): Promise<Audit> {
  const { host, port } = new URL(url);
  const fetch = createGuardedFetch({
    resolver: new Resolver(),
    policy: { ports: [Number(port)], allowPrivate: [host] },
    identity: { userAgent },
    now,
  });
  try {
    return await runAudit(new URL(url), { fetch, now, userAgent });
  } finally {
    await fetch.close();
  }
}

const open = ({ report }: Audit): string[] =>
  report.checks
    .filter(({ status }) => status === 'fail' || status === 'partial')
    .map(({ id, status, title, evidence }) => `${status} ${id}: ${title} ${JSON.stringify(evidence[0])}`);

async function tryFront(front: Front): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'porchlight-fixes-'));
  const served: Served = { folder, site: join(folder, 'site'), port: await freePort() };
  const url = `http://127.0.0.1:${served.port}/`;
  try {
    await mkdir(served.site);
    await writePlainSite(served.site);
    const plain = await front.plain(served);
    const before = await audit(url).finally(() => plain.stop());
    const brief = before.report.site;
    const fixes = fixesOf(before.report, { platform: front.platform, now: now() });
    assert.deepEqual(fixes.byHand, [], 'every finding of a plain site has a fix that can be pasted');
    await pasteFiles(served, fixes);
    await pasteIntoPages(served, fixes, brief, front);
    const fixed = await front.fixed(served, fixes.configuration?.files ?? []);
    try {
      const after = await audit(url);
      assert.ok(after.report.score >= 90, `${before.report.score} → ${after.report.score}\n${open(after).join('\n')}`);
      await keepsWhatWorked(url, front);
    } finally {
      await fixed.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What a careless configuration breaks: types of other files, pages by each of their addresses, real 404s. */
async function keepsWhatWorked(url: string, { hasNoEndings = false }: Front): Promise<void> {
  const ask = async (path: string, accept: string): Promise<[number, string]> => {
    const response = await fetch(new URL(path, url), { headers: { Accept: accept } });
    await response.arrayBuffer();
    return [response.status, (response.headers.get('content-type') ?? '').split(';')[0] ?? ''];
  };
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const rows: [path: string, accept: string, status: number, type: RegExp][] = [
    ['/', browser, 200, /^text\/html$/],
    ['/', '*/*', 200, /^text\/html$/],
    ['/', 'text/markdown', 200, /^text\/markdown$/],
    ['/', 'text/markdown, text/html', 200, /^text\/markdown$/],
    ['/', 'text/markdown;q=0', 200, /^text\/html$/],
    ['/', 'text/html, text/markdown;q=0.5', 200, /^text\/html$/],
    ['/prices', 'text/markdown', 200, /^text\/markdown$/],
    ['/prices', browser, 200, /^text\/html$/],
    ['/prices.html', browser, hasNoEndings ? 404 : 200, /^text\/html$/],
    ['/prices.md', browser, 200, /^text\/markdown$/],
    ['/boats/', 'text/markdown', 200, /^text\/markdown$/],
    ['/boats/', browser, 200, /^text\/html$/],
    ['/boats/heron', 'text/markdown', 200, /^text\/markdown$/],
    ['/site.css', 'text/markdown', 200, /^text\/css$/],
    ['/site.css', 'text/css,*/*;q=0.1', 200, /^text\/css$/],
    ['/llms.txt', 'text/markdown', 200, /^text\/plain$/],
    ['/robots.txt', '*/*', 200, /^text\/plain$/],
    ['/sitemap.xml', 'text/markdown', 200, /xml$/],
    ['/no-such-page', browser, 404, /^text\/html$/],
    ['/no-such-page', 'text/markdown', 404, /^text\/markdown$/],
  ];
  const wrong = [];
  for (const [path, accept, status, type] of rows) {
    const [gotStatus, gotType] = await ask(path, accept);
    if (gotStatus !== status || !type.test(gotType)) {
      wrong.push(`${path} (${accept}): ${gotStatus} ${gotType}`);
    }
  }
  assert.deepEqual(wrong, []);
}

describe('fixes pasted into a real server', () => {
  for (const front of fronts) {
    it(`${front.platform}: a plain site reaches 90 at the first paste`, () => tryFront(front));
  }
});
