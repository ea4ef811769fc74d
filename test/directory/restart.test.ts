import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { JoinAnswer } from '#api/directory/join.ts';
import { DirectoryList } from '#api/directory/responses.ts';
import { goodSite, openSite } from '../audit/sites.ts';
import { openRestartedService } from '../support/own-service.ts';

test('the directory and the last audits outlive a restart', async () => {
  const site = await openSite(goodSite);
  after(() => site.close());
  const { during, get, post } = await openRestartedService({ AUDIT_ALLOW_HOSTS: site.host });
  const given = { url: site.origin };
  const joined = await during(async () => (await (await post('/api/directory', given)).json()) as JoinAnswer);
  const before = site.asked.length;
  await during(async () => {
    const list = DirectoryList.parse(await (await get('/api/directory')).json());
    assert.deepEqual(list.sites, [joined.entry]);
    const audit = await post('/api/audit', given);
    assert.match(audit.headers.get('age') ?? '', /^\d+$/);
    assert.equal(((await audit.json()) as { audited_at: string }).audited_at, joined.audit.audited_at);
  });
  assert.equal(site.asked.length, before, 'the last audit was taken');
});
