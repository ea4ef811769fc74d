import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { type ExchangeName, namedExchanges } from '#api/audit/evidence/exchange-name.ts';
import { isSameSite } from '#api/audit/evidence/same-site.ts';
import {
  type Evidence,
  exchangeOf,
  gatherEvidence,
  missingPage,
  type Progress,
  replayEvidence,
} from '#api/audit/evidence.ts';
import { findStrings } from '#api/audit/facts/json.ts';
import { jsonRpcOf } from '#api/audit/facts/json-rpc.ts';
import { toReport } from '#api/audit/report.ts';
import { createGuardedFetch, type GuardedFetch } from '#api/fetch/guarded-fetch.ts';
import { type Answer, bareSite, goodSite, openSite, type TestSite } from './sites.ts';

const userAgent = 'PorchlightAudit/1.0 (+https://porch.example/about)';
const now = (): Date => new Date(Date.UTC(2026, 10, 21));
const closings: (() => unknown)[] = [];
after(() => Promise.all(closings.map((close) => close())));

const noNames = { resolve4: async () => [], resolve6: async () => [] };

async function audit(
  answer: Answer,
  options: {
    path?: string;
    requestTimeoutMs?: number;
    onProgress?: (progress: Progress) => void;
    signal?: AbortSignal;
  } = {},
): Promise<{ site: TestSite; evidence: Evidence; fetch: GuardedFetch }> {
  const site = await openSite(answer);
  const fetch = createGuardedFetch({
    resolver: noNames,
    policy: { ports: [], allowPrivate: [site.host] },
    identity: { userAgent },
    now,
    limits: { requestTimeoutMs: options.requestTimeoutMs ?? 3000 },
  });
  closings.push(site.close, fetch.close);
  const evidence = await gatherEvidence(new URL(options.path ?? '/', site.origin), {
    fetch,
    now,
    userAgent,
    onProgress: options.onProgress,
    signal: options.signal,
  });
  return { site, evidence, fetch };
}

const statusOf = (evidence: Evidence, name: ExchangeName): number | string | null =>
  exchangeOf(evidence, name)?.status ?? exchangeOf(evidence, name)?.outcome ?? null;

describe('a good site', async () => {
  const progress: Progress[] = [];
  const { site, evidence } = await audit(goodSite, { onProgress: (one) => progress.push(one) });

  test('robots.txt is asked for first, and nothing twice', () => {
    assert.equal(site.asked[0]?.path, '/robots.txt');
    const questions = site.asked.map(({ method, path, headers, body }) =>
      [method, path, headers.accept, headers['user-agent'], body].join(' '),
    );
    assert.deepEqual(questions.toSorted(), [...new Set(questions)].toSorted());
  });

  test('at most 60 requests are sent, and they are counted right', () => {
    assert.ok(evidence.requests <= 60, `${evidence.requests} requests`);
    assert.equal(evidence.requests, site.asked.length);
    assert.equal(progress.length, Object.keys(evidence.exchanges).length);
    assert.equal(Math.max(...progress.map((one) => one.requests)), evidence.requests);
  });

  test('every request says who it is from', () => {
    for (const { headers, path } of site.asked) {
      assert.ok(headers['user-agent']?.endsWith(userAgent), path);
      assert.equal(headers.cookie, undefined);
    }
    assert.match(exchangeOf(evidence, 'home-gptbot')?.request.headers['user-agent'] ?? '', /GPTBot.*PorchlightAudit/);
  });

  const expected: [ExchangeName, number | string | null][] = [
    ['robots', 200],
    ['home', 200],
    ['home-head', 200],
    ['home-browser', 200],
    ['home-gptbot', 200],
    ['home-claudebot', 200],
    ['home-markdown', 200],
    ['home-html-preferred', 200],
    ['home-markdown-refused', 200],
    ['home-twin', 200],
    ['home-http', null],
    ['sitemap', 404],
    ['sitemap:listed', 200],
    ['sitemap:child:1', 200],
    ['sitemap:child:2', 200],
    ['llms-txt', 200],
    ['llms-link:1', 200],
    ['security-txt', 200],
    ['agents-json', 200],
    ['api-catalog', 200],
    ['ai-catalog', 200],
    ['signature-directory', 404],
    ['agent-skills', 200],
    ['agent-card', 404],
    ['mcp-server-card', 404],
    ['mcp-server-card:catalog', 200],
    ['openapi', 200],
    ['openapi:claimed', 200],
    ['sitemap-md', 200],
    ['feed', 200],
    ['script:1', 200],
    ['skill:1', 200],
    ['missing', 404],
    ['missing-markdown', 404],
    ['missing-json', 404],
    ['page:1', 200],
    ['page:4:markdown', 200],
    ['page:4:twin', 200],
    ['mcp-discover', 400],
    ['mcp-initialize', 200],
    ['mcp-tools', 400],
    ['mcp-tools-session', 200],
    ['priced:1', 402],
    ['priced:2', 402],
  ];
  for (const [name, status] of expected) {
    test(`${name}: ${status}`, () => assert.equal(statusOf(evidence, name), status));
  }

  test('pages are sampled over the sitemap, always the same, with their twins', () => {
    assert.equal(evidence.pagesFrom, 'sitemap');
    assert.deepEqual(
      evidence.pages.map((page) => new URL(page.url).pathname),
      ['/', '/guide/b', '/guide/e', '/guide/h', '/guide/k'],
    );
    assert.deepEqual(evidence.pages[1]?.twin, {
      name: 'page:1:twin',
      url: `${site.origin}/guide/b.md`,
      advertised: true,
    });
    assert.equal(exchangeOf(evidence, 'page:1:markdown')?.headers['content-type']?.[0], 'text/markdown; charset=utf-8');
  });

  test('each name that the evidence gives leads to an exchange', () => {
    const names = [
      ...evidence.pages.flatMap((page) => [page.html, page.markdown, ...(page.twin === null ? [] : [page.twin.name])]),
      ...evidence.llmsLinks.map((link) => link.name),
    ];
    for (const name of names) {
      assert.ok(exchangeOf(evidence, name) !== null, name);
    }
    assert.ok(evidence.llmsLinks.length > 0 && evidence.llmsLinks.length <= 6);
    assert.ok(evidence.llmsLinks.every((link) => link.url.startsWith(site.origin)));
  });

  test('the MCP endpoint that a card claims is spoken to, with its session', () => {
    assert.deepEqual(evidence.mcp, { url: `${site.origin}/mcp`, claimedBy: 'mcp-server-card:catalog', asked: true });
    const tools = exchangeOf(evidence, 'mcp-tools-session');
    assert.ok(tools !== null);
    assert.deepEqual(findStrings(jsonRpcOf(tools).value, 'result', 'tools', '*', 'name'), ['look']);
  });

  test('a recording replays to the same evidence, byte for byte', () => {
    const text = JSON.stringify(evidence);
    const replayed = replayEvidence(JSON.parse(text));
    assert.deepEqual(replayed, evidence);
    assert.equal(JSON.stringify(replayed), text);
  });

  test('what is no recording is refused with the place', () => {
    const broken = JSON.parse(JSON.stringify(evidence));
    broken.exchanges.home.status = 'ok';
    assert.throws(() => replayEvidence(broken), /exchanges\.home\.status/);
    assert.throws(() => replayEvidence({ ...broken, format: 2 }), /at format/);
    assert.throws(() => replayEvidence(null), /not readable/);
  });

  test('the same site gives the same facts again', async () => {
    const again = await audit(goodSite);
    assert.deepEqual(Object.keys(again.evidence.exchanges), Object.keys(evidence.exchanges));
    assert.deepEqual(
      again.evidence.pages.map((page) => new URL(page.url).pathname),
      evidence.pages.map((page) => new URL(page.url).pathname),
    );
  });
});

test('who wants a token is followed to the authorization server, as far as both are of the site', async () => {
  const { site, evidence } = await audit(({ path, headers }) => {
    const origin = `http://${headers.host}`;
    const files: Record<string, unknown> = {
      '/.well-known/mcp/server-card.json': { remotes: [{ type: 'streamable-http', url: `${origin}/mcp` }] },
      '/meta': { resource: `${origin}/mcp`, authorization_servers: [`${origin}/tenant`] },
      '/.well-known/oauth-authorization-server/tenant': {
        issuer: `${origin}/tenant`,
        token_endpoint: `${origin}/token`,
      },
    };
    if (path === '/mcp') {
      return { status: 401, headers: { 'WWW-Authenticate': `Bearer resource_metadata="${origin}/meta"` } };
    }
    return path in files
      ? { type: 'application/json', body: JSON.stringify(files[path]) }
      : bareSite({ method: 'GET', path, accept: '', headers, body: '' }, '');
  });
  assert.equal(exchangeOf(evidence, 'oauth-resource:named')?.request.url, `${site.origin}/meta`);
  assert.equal(
    exchangeOf(evidence, 'oauth-server')?.request.url,
    `${site.origin}/.well-known/oauth-authorization-server/tenant`,
  );
  const verdict = toReport(evidence).checks.find(({ id }) => id === 'oauth-metadata');
  assert.equal(verdict?.status, 'pass', JSON.stringify(verdict?.evidence));
});

describe('a bare site', async () => {
  const { site, evidence } = await audit(bareSite);
  test('is asked for the files and the pages it links', () => {
    assert.equal(evidence.robots.state, 'none');
    assert.equal(statusOf(evidence, 'home'), 200);
    assert.equal(statusOf(evidence, 'llms-txt'), 404);
    assert.equal(evidence.pagesFrom, 'links');
    assert.deepEqual(
      evidence.pages.map((page) => new URL(page.url).pathname),
      ['/', '/a'],
    );
    assert.deepEqual(evidence.pages[1]?.twin, { name: 'page:1:twin', url: `${site.origin}/a.md`, advertised: false });
    assert.equal(evidence.mcp, null);
    assert.deepEqual(evidence.llmsLinks, []);
    assert.equal(exchangeOf(evidence, 'mcp-initialize'), null);
    assert.ok(site.asked.some(({ path }) => path === `/${missingPage(site.host)}`));
    assert.equal(evidence.requests, site.asked.length);
  });
});

describe('robots.txt is honoured', () => {
  test('what it forbids to us or to everybody is not requested', async () => {
    const rules = 'User-agent: *\nDisallow: /\n\nUser-agent: porchlightaudit\nDisallow: /llms\nDisallow: /*.json$\n';
    const { site, evidence } = await audit((request, origin) =>
      request.path === '/robots.txt' ? { type: 'text/plain', body: rules } : goodSite(request, origin),
    );
    assert.equal(evidence.robots.state, 'rules');
    assert.equal(statusOf(evidence, 'home'), 200);
    assert.equal(exchangeOf(evidence, 'llms-txt')?.outcome, 'robots-disallowed');
    assert.match(exchangeOf(evidence, 'llms-txt')?.error ?? '', /forbids \/llms\.txt to PorchlightAudit: line 5/);
    assert.equal(exchangeOf(evidence, 'openapi')?.outcome, 'robots-disallowed');
    assert.deepEqual(
      site.asked.filter(({ path }) => /^\/llms|\.json$/.test(path)),
      [],
    );
    assert.equal(evidence.requests, site.asked.length);
  });

  test('a site that forbids all is asked for nothing else', async () => {
    const { site, evidence } = await audit(() => ({ type: 'text/plain', body: 'User-agent: *\nDisallow: /' }));
    assert.deepEqual(
      site.asked.map(({ path }) => path),
      ['/robots.txt'],
    );
    assert.equal(exchangeOf(evidence, 'home')?.outcome, 'robots-disallowed');
    assert.equal(evidence.requests, 1);
  });

  test('a robots.txt that fails twice counts as a refusal, once as nothing', async () => {
    const failing = await audit(() => ({ status: 503 }));
    assert.deepEqual(
      failing.site.asked.map(({ path }) => path),
      ['/robots.txt', '/robots.txt'],
    );
    assert.deepEqual(failing.evidence.robots, {
      state: 'unreachable',
      error: 'The robots.txt was answered with status 503.',
    });
    let asked = 0;
    const recovered = await audit((request, origin) => {
      asked += 1;
      return asked === 1 ? { status: 503 } : bareSite(request, origin);
    });
    assert.equal(recovered.evidence.robots.state, 'none');
    assert.deepEqual(recovered.evidence.repeated, ['robots']);
  });

  test('a host that the home page moves to has its own robots.txt, read before anything else there', async () => {
    const site = await openSite((request, origin) => {
      const port = new URL(origin).port;
      if (!request.headers.host?.startsWith('localhost')) {
        return request.path === '/robots.txt'
          ? { status: 404 }
          : { status: 301, headers: { Location: `http://localhost:${port}${request.path}` } };
      }
      return request.path === '/robots.txt'
        ? { type: 'text/plain', body: 'User-agent: *\nDisallow: /llms.txt' }
        : bareSite(request, origin);
    });
    const local = site.host.replace('127.0.0.1', 'localhost');
    const fetch = createGuardedFetch({
      resolver: noNames,
      policy: { ports: [], allowPrivate: [site.host, local] },
      identity: { userAgent },
      now,
    });
    closings.push(site.close, fetch.close);
    const evidence = await gatherEvidence(new URL(site.origin), { fetch, now, userAgent });
    assert.equal(evidence.home, `http://${local}/`);
    assert.equal(evidence.origin, `http://${local}`);
    assert.deepEqual(
      site.asked.slice(0, 4).map(({ headers, path }) => `${headers.host?.split(':')[0]}${path}`),
      ['127.0.0.1/robots.txt', '127.0.0.1/', 'localhost/robots.txt', 'localhost/'],
    );
    assert.equal(exchangeOf(evidence, 'llms-txt')?.outcome, 'robots-disallowed');
    assert.equal(statusOf(evidence, `robots:${local}`), 200);
    assert.equal(evidence.requests, site.asked.length);
  });

  test('a redirect into what is forbidden is not followed', async () => {
    const { site, evidence } = await audit((request, origin) => {
      if (request.path === '/robots.txt') {
        return { type: 'text/plain', body: 'User-agent: *\nDisallow: /private' };
      }
      return request.path === '/llms.txt'
        ? { status: 302, headers: { Location: '/private/llms.txt' } }
        : bareSite(request, origin);
    });
    assert.equal(exchangeOf(evidence, 'llms-txt')?.outcome, 'robots-disallowed');
    assert.equal(exchangeOf(evidence, 'llms-txt')?.status, 302);
    assert.ok(!site.asked.some(({ path }) => path.startsWith('/private')));
  });
});

describe('hostile and broken sites', () => {
  test('a site that redirects everything stays inside the 60 requests', async () => {
    const { site, evidence } = await audit((request, origin) => {
      const depth = Number(/[?&]d=(\d)/.exec(request.path)?.[1] ?? 0);
      return depth < 3 && request.path !== '/robots.txt'
        ? { status: 302, headers: { Location: `${request.path.split('?')[0]}?d=${depth + 1}` } }
        : goodSite({ ...request, path: request.path.split('?')[0] ?? '' }, origin);
    });
    assert.ok(site.asked.length <= 60, `${site.asked.length} requests`);
    assert.equal(evidence.requests, site.asked.length);
    assert.ok(namedExchanges(evidence.exchanges).some(([, { outcome }]) => outcome === 'not-asked'));
  });

  test('a site that always fails is asked again within the 60 requests', async () => {
    const { site, evidence } = await audit(({ path }) => (path === '/robots.txt' ? { status: 404 } : { status: 500 }));
    assert.ok(site.asked.length <= 60, `${site.asked.length} requests`);
    assert.equal(evidence.requests, site.asked.length);
    assert.equal(statusOf(evidence, 'home'), 500);
    assert.ok(evidence.repeated.includes('home'));
  });

  test('nothing on other hosts is visited, whatever the site says of them', async () => {
    const victim = await openSite(() => ({ body: 'seen' }));
    closings.push(() => victim.close());
    const there = victim.origin;
    const { evidence } = await audit((request, origin) => {
      const answers: Record<string, ReturnType<Answer>> = {
        '/robots.txt': { type: 'text/plain', body: `User-agent: *\nAllow: /\nSitemap: ${there}/sitemap.xml` },
        '/sitemap.xml': { body: `<sitemapindex><sitemap><loc>${there}/s.xml</loc></sitemap></sitemapindex>` },
        '/llms.txt': {
          body: `# X\n\n## Y\n\n- [a](${there}/a.md)\n- [b](//${victim.host}/b.md)\n- [c](http://%zz/)\n`,
        },
        '/.well-known/mcp/server-card.json': { body: JSON.stringify({ remotes: [{ url: `${there}/mcp` }] }) },
        '/.well-known/agent-skills/index.json': { body: JSON.stringify({ skills: [{ url: `${there}/skill.md` }] }) },
        '/.well-known/api-catalog': {
          body: JSON.stringify({ linkset: [{ 'service-desc': [{ href: `${there}/o.json` }] }] }),
        },
        '/.well-known/agents.json': { body: JSON.stringify({ endpoints: [{ path: `${there}/paid`, pricing: {} }] }) },
        '/openapi.json': {
          body: JSON.stringify({ servers: [{ url: there }], paths: { '/x': { get: { responses: { 402: {} } } } } }),
        },
        '/feed.atom': { status: 302, headers: { Location: `${there}/feed` } },
      };
      return answers[request.path] ?? goodSite(request, origin);
    });
    assert.equal(exchangeOf(evidence, 'feed')?.outcome, 'redirect-refused');
    assert.deepEqual(
      victim.asked.map(({ path }) => path),
      [],
    );
  });

  test('redirects to another site are followed for the home page only, and for robots.txt to a robots.txt', async () => {
    const victim = await openSite(() => ({ body: 'seen' }));
    const answer: Answer = (request, origin) => {
      const there = victim.origin.replace('127.0.0.1', 'localhost');
      const location = request.path === '/robots.txt' ? `${there}/robots.txt` : `${there}${request.path}?buy=1`;
      return request.path === '/' && request.method === 'GET' && request.headers['user-agent'] === userAgent
        ? goodSite(request, origin)
        : { status: 302, headers: { Location: location } };
    };
    const site = await openSite(answer);
    const local = victim.host.replace('127.0.0.1', 'localhost');
    const fetch = createGuardedFetch({
      resolver: noNames,
      policy: { ports: [], allowPrivate: [site.host, local] },
      identity: { userAgent },
      now,
    });
    closings.push(site.close, victim.close, fetch.close);
    const evidence = await gatherEvidence(new URL(site.origin), { fetch, now, userAgent });
    assert.equal(evidence.robots.state, 'rules');
    assert.ok(site.asked.length > 20, `${site.asked.length} requests`);
    assert.equal(exchangeOf(evidence, 'llms-txt')?.outcome, 'redirect-refused');
    assert.match(exchangeOf(evidence, 'llms-txt')?.error ?? '', /only that of the home page/);
    assert.deepEqual(
      victim.asked.map(({ path }) => path),
      ['/robots.txt'],
    );
  });

  test('documents of odd shapes do not stop the gathering', async () => {
    for (const body of [
      'null',
      '[]',
      '"text"',
      '{"skills":"x","remotes":{},"linkset":5,"endpoints":[null,5],"paths":[]}',
      '{',
      `${'['.repeat(5000)}`,
    ]) {
      const { evidence } = await audit((request, origin) =>
        /\.json$|api-catalog/.test(request.path) ? { type: 'application/json', body } : goodSite(request, origin),
      );
      assert.equal(statusOf(evidence, 'openapi'), 200);
      assert.equal(evidence.mcp, null);
    }
  });

  test('only the site and what is below it counts as the same', () => {
    const base = new URL('https://www.example.com/');
    const same = ['https://example.com/a', 'http://www.example.com/', 'https://api.example.com/'];
    const other = [
      'https://example.org/',
      'https://notexample.com/',
      'https://com/',
      'ftp://example.com/',
      'mailto:a@example.com',
      'x',
    ];
    assert.deepEqual(
      same.filter((url) => isSameSite(base, url)),
      same,
    );
    assert.deepEqual(
      other.filter((url) => isSameSite(base, url)),
      [],
    );
  });

  test('a caller can stop it', async () => {
    const controller = new AbortController();
    const { evidence } = await audit(goodSite, {
      signal: controller.signal,
      onProgress: ({ name }) => name === 'home' && controller.abort(),
    });
    assert.equal(statusOf(evidence, 'home'), 200);
    assert.equal(exchangeOf(evidence, 'llms-txt')?.outcome, 'aborted');
  });

  test('a site that nobody serves says so', async () => {
    const site = await openSite(bareSite);
    site.close();
    const fetch = createGuardedFetch({
      resolver: noNames,
      policy: { ports: [], allowPrivate: [site.host] },
      identity: { userAgent },
      now,
    });
    closings.push(() => fetch.close());
    const evidence = await gatherEvidence(new URL(site.origin), { fetch, now, userAgent });
    assert.equal(evidence.robots.state, 'unreachable');
    assert.match(evidence.robots.error ?? '', /ECONNREFUSED/);
    assert.deepEqual(Object.keys(evidence.exchanges), ['robots']);
  });
});
