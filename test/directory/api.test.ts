import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import request from 'supertest';
import { AuditQueueFull } from '#api/audits/errors.ts';
import { JoinAnswer } from '#api/directory/join.ts';
import { DirectoryList } from '#api/directory/responses.ts';
import { toListingId } from '#api/directory/store.ts';
import { judgedSites } from '../audit/judged-sites.ts';
import { type Answer, bareSite, openSite } from '../audit/sites.ts';
import { postJson } from '../support/audit-client.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, testBaseUrl, testMoment } from '../support/test-app.ts';

const goodSite: Answer = (asked, origin) => judgedSites['museum']?.answer(asked, origin) ?? { status: 500 };

/** A site that may change its mind, and an application that may audit it, with a clock that can be moved on. */
async function serve(first: Answer) {
  let answer = first;
  let at = testMoment;
  const site = await openSite((asked, origin) => answer(asked, origin));
  after(() => site.close());
  const own = createTestApp({
    limits: noLimits,
    now: () => at,
    environment: { AUDIT_ALLOW_HOSTS: site.host },
  });
  after(() => own.context.auditService.stop());
  return {
    ...own,
    site,
    url: `${site.origin}/`,
    become: (next: Answer) => {
      answer = next;
    },
    later: (minutes: number) => {
      at = new Date(at.getTime() + minutes * 60_000);
    },
  };
}

const join = (app: Parameters<typeof postJson>[0], url: string) => postJson(app, '/api/directory', { url });
const listOf = async (app: Parameters<typeof postJson>[0]) => {
  const { body } = await request(app).get('/api/directory').expect(200);
  return DirectoryList.parse(body);
};

test('an empty directory says how to join', async () => {
  const { app } = createTestApp();
  const list = await listOf(app);
  assert.deepEqual([list.count, list.sites], [0, []]);
  assert.match(list.how_to_join, /POST https:\/\/porch\.example\/api\/directory/);
  assert.match(list.badge, /\/badge\.svg\?score=NN/);
});

describe('a site that passes', async () => {
  const { app, url, site, become, later } = await serve(goodSite);
  const joined = await join(app, `${url}about?from=here`);
  const id = toListingId(site.origin);

  it('is listed under its origin: 201 with the entry as in the list and the whole audit', async () => {
    assert.equal(joined.status, 201, joined.text.slice(0, 300));
    assert.match(joined.get('ratelimit') ?? '', /"join"; r=2; t=\d+$/);
    assert.match(joined.get('ratelimit-policy') ?? '', /"join"; q=3; w=3600$/);
    const answer = JoinAnswer.parse(joined.body);
    assert.equal(answer.audit.url, url, 'the home page is what is audited');
    assert.deepEqual(answer.entry, {
      id,
      url: site.origin,
      score: answer.audit.score,
      grade: answer.audit.grade,
      certified_at: answer.audit.audited_at,
      badge: `/badge.svg?score=${answer.audit.score}`,
      tier: 'standard',
      checked_at: answer.audit.audited_at,
      below_since: null,
    });
    assert.match(answer.congratulations, new RegExp(`badge/${id}\\.svg$`));
    assert.deepEqual((await listOf(app)).sites, [answer.entry]);
  });

  it('joins again: 200, one entry, the same id', async () => {
    later(2);
    const again = await join(app, site.origin);
    assert.equal(again.status, 200);
    assert.equal(again.body.entry.id, id);
    assert.ok(again.body.entry.certified_at > joined.body.entry.certified_at);
    assert.equal((await listOf(app)).count, 1);
  });

  it('and falls back: 422, and its entry stays with its own date and score', async () => {
    const [before] = (await listOf(app)).sites;
    become(bareSite);
    later(2);
    const failed = await join(app, url);
    assert.equal(failed.status, 422);
    assert.deepEqual(failed.body.listed, before);
    assert.deepEqual((await listOf(app)).sites, [before]);
  });

  it('a fourth try within the hour is refused with 429, and in the next hour it is taken', async () => {
    const refused = await join(app, url);
    assert.equal(refused.status, 429);
    assert.equal(refused.body.type, `${testBaseUrl}/problems/rate-limited`);
    assert.equal(refused.get('retry-after'), String(56 * 60));
    later(60);
    assert.equal((await join(app, url)).status, 422);
  });

  it('its badge shows what is listed', async () => {
    const [entry] = (await listOf(app)).sites;
    const badge = await request(app)
      .get(`/badge/${id}.svg`)
      .expect(200)
      .expect('Content-Type', /^image\/svg\+xml/);
    const text = badge.body.toString();
    assert.match(text, new RegExp(`aria-label="${site.host}: ${entry?.score} of 100`));
    await request(app)
      .get(`/badge/${id}.svg`)
      .set('If-None-Match', String(badge.get('etag')))
      .expect(304);
  });
});

test('a site that does not pass: 422 with the audit, what is missing and how to try again', async () => {
  const { app, url } = await serve(bareSite);
  const { status, body } = await join(app, url);
  assert.equal(status, 422);
  assert.equal(body.type, `${testBaseUrl}/problems/not-certifiable`);
  assert.ok(body.audit.score < 70);
  assert.match(body.retry, /send the same request again/);
  assert.match(body.detail, /The score is \d+; 70 are needed\./);
  assert.equal(body.listed, null);
  assert.ok(body.missing.length > 0);
  const lost = body.missing.map((each: { lost: number }) => each.lost);
  assert.deepEqual(
    lost,
    [...lost].sort((a, b) => b - a),
    'what weighs most comes first',
  );
  for (const each of body.missing) {
    assert.deepEqual(Object.keys(each), ['check', 'title', 'status', 'lost', 'fix']);
  }
  assert.equal((await listOf(app)).count, 0);
});

test('what is listed is the site that was judged, not the one that leads to it', async () => {
  const good = await openSite(goodSite);
  after(() => good.close());
  const lead = await openSite(({ path }) =>
    path === '/' ? { status: 302, headers: { Location: `${good.origin}/` } } : { status: 404 },
  );
  after(() => lead.close());
  const { app, context } = createTestApp({
    limits: noLimits,
    environment: { AUDIT_ALLOW_HOSTS: `${good.host},${lead.host}` },
  });
  after(() => context.auditService.stop());
  const { status, body } = await join(app, lead.origin);
  assert.equal(status, 201);
  assert.equal(body.entry.url, good.origin);
  assert.match(body.congratulations, new RegExp(`${lead.origin} leads there`));
});

test('an address that leads to a page within another site is not taken for that site', async () => {
  const good = await openSite(goodSite);
  after(() => good.close());
  const lead = await openSite(({ path }) =>
    path === '/' ? { status: 302, headers: { Location: `${good.origin}/about` } } : { status: 404 },
  );
  after(() => lead.close());
  const { app, context } = createTestApp({
    limits: noLimits,
    environment: { AUDIT_ALLOW_HOSTS: `${good.host},${lead.host}` },
  });
  after(() => context.auditService.stop());
  const { status, body } = await join(app, lead.origin);
  assert.equal(status, 422);
  assert.match(body.detail, new RegExp(`leads to ${good.origin}/about: give the address`));
  assert.equal((await listOf(app)).count, 0);
});

describe('a site that nearly passes is looked at a second time before that counts', async () => {
  const { context, url } = await serve(goodSite);
  const { auditService } = context;
  const passed = await auditService.start(auditService.toTarget(url), {
    signal: new AbortController().signal,
    client: null,
  });
  assert.ok(passed.kind === 'report');
  const { report } = passed;

  /** An application whose audits end with these scores, one after the other. */
  const withScores = (scores: number[]) => {
    const asked: boolean[] = [];
    const { app } = createTestApp({
      limits: noLimits,
      auditService: {
        ...auditService,
        start: async (_target, { isAgain = false }) => {
          const score = scores[asked.length] ?? assert.fail('asked too often');
          asked.push(isAgain);
          return { kind: 'report', report: { ...report, score, certifiable: score >= 70 }, ageSeconds: null };
        },
      },
    });
    return { app, asked };
  };

  const cases: [scores: number[], status: number, score: number][] = [
    [[80], 201, 80],
    [[65, 80], 201, 80],
    [[65, 68], 422, 68],
    [[65, 61], 422, 65],
    [[40], 422, 40],
  ];
  it('a second look that fails leaves the first result', async () => {
    let looks = 0;
    const { app } = createTestApp({
      limits: noLimits,
      auditService: {
        ...auditService,
        start: async () => {
          looks += 1;
          if (looks > 1) {
            throw new AuditQueueFull('No more are taken.');
          }
          return { kind: 'report', report: { ...report, score: 65, certifiable: false }, ageSeconds: null };
        },
      },
    });
    const { body } = await join(app, url).expect(422);
    assert.deepEqual([body.audit.score, looks], [65, 2]);
  });

  for (const [scores, status, score] of cases) {
    it(`${scores.join(', then ')}: ${status}`, async () => {
      const { app, asked } = withScores(scores);
      const { body } = await join(app, url).expect(status);
      assert.equal(body.audit.score, score);
      assert.deepEqual(asked, [false, true].slice(0, scores.length));
    });
  }
});

test('a site over http is not listed, unless the configuration names it', async () => {
  const { app } = createTestApp();
  const { status, body } = await join(app, 'http://example.com/');
  assert.equal(status, 422);
  assert.deepEqual(
    body.errors.map(({ pointer }: { pointer: string }) => pointer),
    ['/url'],
  );
});

test('a directory that cannot be written answers 503 and lists nothing', async () => {
  const { app, url, directory } = await serve(goodSite);
  await directory.close();
  const { status, body } = await join(app, url);
  assert.equal(status, 503, body.detail);
  assert.equal(body.type, `${testBaseUrl}/problems/storage-unavailable`);
});

describe('the badge of a score', () => {
  const { app } = createTestApp();
  for (const [score, grade] of [
    ['0', 'closed to agents'],
    ['69', 'readable'],
    ['70', 'agent-ready (certifiable)'],
    ['100', 'exemplary'],
  ]) {
    it(`${score} is drawn as ${grade}`, async () => {
      const response = await request(app).get(`/badge.svg?score=${score}`).expect(200);
      assert.equal(response.get('content-type'), 'image/svg+xml; charset=utf-8');
      assert.equal(response.get('cache-control'), 'public, max-age=86400');
      assert.equal(response.get('access-control-allow-origin'), '*');
      assert.equal(response.get('cross-origin-resource-policy'), 'cross-origin');
      assert.ok(response.body.toString().includes(`aria-label="Porchlight: ${score} of 100, ${grade}"`));
    });
  }
  for (const query of [
    '',
    '?score=',
    '?score=101',
    '?score=-1',
    '?score=8.5',
    '?score=abc',
    '?score=1e1',
    '?score=5&score=6',
    '?score=%00',
    '?score=١',
    '?score=85&style=',
    '?score=85&style=neon',
    '?score=85&style=night&style=flat',
  ]) {
    it(`${query || 'none'} is refused with 400`, async () => {
      const { body } = await request(app).get(`/badge.svg${query}`).set('Accept', 'application/json').expect(400);
      assert.equal(body.type, `${testBaseUrl}/problems/invalid-query`);
      assert.ok(body.errors.length > 0);
    });
  }
  it('of a site that is not listed says so', async () => {
    const response = await request(app).get('/badge/0123456789ab.svg').expect(200);
    assert.match(response.body.toString(), /not listed/);
    assert.equal(response.get('cache-control'), 'public, max-age=300');
  });
  for (const id of ['x', '0123456789AB', '0123456789abc', '..%2f..%2fetc', '__proto__']) {
    it(`of ${id}, which is no id, is not found`, async () => {
      await request(app).get(`/badge/${id}.svg`).set('Accept', 'application/json').expect(404);
    });
  }
});
