import request from 'supertest';
import type { createApp } from '#api/app.ts';

/** An application, or the origin at which one listens: that spares a port for each request. */
type App = ReturnType<typeof createApp> | string;

/** Sends JSON to an application and takes JSON. */
export const postJson = (app: App, path: string, body: object, headers: Record<string, string> = {}) =>
  request(app).post(path).set('Accept', 'application/json').set(headers).send(body);

/** Pays a quote and returns the header that goes with the next request. */
export async function payAt(app: App, quote: string): Promise<Record<string, string>> {
  const { body } = await postJson(app, '/api/pay', { quote }).expect(200);
  return { [body.header]: body.payment };
}
