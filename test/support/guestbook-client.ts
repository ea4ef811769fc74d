import type { ProblemDocument } from '#api/contract/problem.ts';
import type { GuestbookList, GuestbookSingle } from '#api/guestbook/responses.ts';
import type { Receipt } from '#api/guestbook/write.ts';

/** An answer of the API: the status, the headers and the JSON. */
export interface JsonAnswer<Body> {
  status: number;
  headers: Headers;
  body: Body;
}

async function call<Body>(origin: string, path: string, init: RequestInit = {}): Promise<JsonAnswer<Body>> {
  // A connection that is kept open would hold up the stop of a service.
  const headers = { connection: 'close', ...(init.headers as Record<string, string> | undefined) };
  const response = await fetch(`${origin}${path}`, { ...init, headers });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}

/** Signs the guestbook of a service over JSON. */
export const signAt = (origin: string, entry: unknown, headers: Record<string, string> = {}) =>
  call<Receipt & ProblemDocument>(origin, '/api/guestbook', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(entry),
  });

/** Reads the list of a service. */
export const listAt = (origin: string, query = '') => call<GuestbookList>(origin, `/api/guestbook${query}`);

/** Reads one entry of a service. */
export const entryAt = (origin: string, id: string) =>
  call<GuestbookSingle & ProblemDocument>(origin, `/api/guestbook/${id}`);

/** Withdraws an entry from a service. */
export const withdrawAt = (origin: string, id: string, token: string) =>
  call<{ withdrawn: boolean } & ProblemDocument>(origin, `/api/guestbook/${id}`, {
    method: 'DELETE',
    headers: { 'x-withdrawal-token': token },
  });
