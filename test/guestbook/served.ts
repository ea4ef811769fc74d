import request from 'supertest';
import type { NewEntry } from '#api/guestbook/entry.ts';
import { GuestbookList } from '#api/guestbook/responses.ts';
import { Receipt } from '#api/guestbook/write.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp, type TestApp } from '../support/test-app.ts';
import { toNewEntry } from './new-entry.ts';

export const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
export const entry = { name: 'Ada', message: 'The light was on.' };

/** A test application without limits. */
export const newApp = (options: Parameters<typeof createTestApp>[0] = {}): TestApp =>
  createTestApp({ limits: noLimits, ...options });

export async function sign(
  { app }: TestApp,
  body: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Receipt> {
  const response = await request(app).post('/api/guestbook').set(headers).send(body).expect(201);
  return Receipt.parse(response.body);
}

export async function list({ app }: TestApp, query = ''): Promise<GuestbookList> {
  const response = await request(app).get(`/api/guestbook${query}`).expect(200);
  return GuestbookList.parse(response.body);
}

export const add = (site: TestApp, members: Partial<NewEntry> = {}) => site.guestbook.add(toNewEntry(members));

/** An entry from before tokens were given out. */
export const oldEntry = (id: string, signed_at = '2026-08-01T10:00:00.000Z') => ({
  id,
  name: 'Old friend',
  message: 'I was here before.',
  model: null,
  visitor_type: 'human (probably)',
  user_agent: firefox,
  signed_at,
});
