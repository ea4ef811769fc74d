import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import type { Receipt } from '#api/guestbook/write.ts';
import { naughtyTexts } from '../support/hostile-texts.ts';
import { openPort } from '../support/open-port.ts';
import { testBaseUrl } from '../support/test-app.ts';
import { list, newApp } from './served.ts';

test('the big list of naughty strings goes in and comes out as text', async () => {
  const site = newApp();
  const origin = await openPort(site.app);
  let stored = 0;
  for (const text of naughtyTexts) {
    const response = await request(origin).post('/api/guestbook').send({ name: text, message: text, model: text });
    if (response.status === 422) {
      assert.equal(response.body.type, `${testBaseUrl}/problems/invalid-fields`);
      continue;
    }
    assert.equal(response.status, 201, JSON.stringify(text));
    stored += 1;
    const { entry: kept } = response.body as Receipt;
    for (const field of [kept.name, kept.message, kept.model ?? '']) {
      assert.ok(field.isWellFormed());
      assert.doesNotMatch(field, /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u, JSON.stringify(text));
    }
    assert.ok([...kept.name].length <= 80 && [...kept.message].length <= 280);
  }
  assert.ok(stored > 400, `${stored} of ${naughtyTexts.length} were stored`);
  assert.equal((await list(site)).totals.total, Math.min(500, stored));
  assert.equal(
    site.logText().trimEnd().split('\n').length,
    naughtyTexts.length + 1,
    'each request has one line in the log',
  );
  assert.doesNotMatch(site.logText().replaceAll('\n', ''), /\p{Cc}/u, 'no log line holds a control character');
});
