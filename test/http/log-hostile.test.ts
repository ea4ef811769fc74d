import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { characterTexts, markupTexts, naughtyTexts } from '../support/hostile-texts.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, until } from '../support/test-app.ts';

test('hostile text in body, headers and path makes one line of JSON each, and no character that a terminal obeys', async () => {
  const { app, log, logText } = createTestApp({ limits: noLimits });
  const texts = [...markupTexts, ...naughtyTexts, ...characterTexts.map(({ sent }) => sent)];
  for (const text of texts) {
    await request(app)
      .post('/api/guestbook')
      .set(
        'User-Agent',
        Buffer.from(text)
          .toString('latin1')
          .replace(/[^\x20-\x7e\xa0-\xff]/g, ''),
      )
      .send({ name: text, message: text });
    await request(app).delete(`/api/guestbook/${encodeURIComponent(text.toWellFormed())}`);
  }
  await until(() => log.length >= 2 * texts.length, 'a line for each request');
  assert.equal(log.length, 2 * texts.length);
  assert.equal(logText().trimEnd().split('\n').length, log.length);
  assert.doesNotMatch(logText().replaceAll('\n', ''), /\p{Cc}/u);
  assert.ok(!logText().includes('evil.example</'), 'no body is in it');
});
