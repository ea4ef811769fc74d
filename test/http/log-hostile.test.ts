import assert from 'node:assert/strict';
import { test } from 'node:test';
import request from 'supertest';
import { characterTexts, markupTexts, naughtyTexts } from '../support/hostile-texts.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp } from '../support/test-app.ts';
import { until } from '../support/until.ts';

/** A text as far as a header can hold it. */
const inHeader = (text: string): string =>
  Buffer.from(text)
    .toString('latin1')
    .replace(/[^\x20-\x7e\xa0-\xff]/g, '');

test('hostile text in body, headers and path makes one line of JSON each, and no character that a terminal obeys', async () => {
  const { app, log, logText } = createTestApp({ limits: noLimits });
  // The naughty strings are written into the guestbook by a test of its own, which looks at the log too.
  const written = [...markupTexts, ...characterTexts.map(({ sent }) => sent)];
  const texts = [...written, ...naughtyTexts];
  for (const text of texts) {
    await request(app)
      .delete(`/api/guestbook/${encodeURIComponent(text.toWellFormed())}`)
      .set('User-Agent', inHeader(text));
  }
  for (const text of written) {
    await request(app).post('/api/guestbook').set('User-Agent', inHeader(text)).send({ name: text, message: text });
  }
  const requests = texts.length + written.length;
  await until(() => log.length >= requests, 'a line for each request');
  assert.equal(log.length, requests);
  assert.equal(logText().trimEnd().split('\n').length, log.length);
  assert.doesNotMatch(logText().replaceAll('\n', ''), /\p{Cc}/u);
  assert.ok(!logText().includes('evil.example</'), 'no body is in it');
});
