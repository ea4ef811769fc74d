import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { auditPolicy } from '#api/audits/policy.ts';

/** Below what an audit waits for one answer, so that it goes on until its time for the whole site is over. */
const answersAfterMs = 4000;

/** A site that answers each request late; it is closed when the tests of the file are over. */
export async function openSlowSite(): Promise<{ origin: string; host: string }> {
  const server = http.createServer((_request, response) => {
    setTimeout(() => response.end('late'), answersAfterMs).unref();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin: `http://${host}`, host };
}

/**
 * Starts as many audits of a slow site as the queue of a service holds, each from a network of its own, which the service must
 * be told by X-Forwarded-For. Resolves when the queue is full, with the function that takes the audits back.
 */
export async function fillAuditQueue(origin: string, slow: { origin: string }): Promise<() => void> {
  const gone = new AbortController();
  // One site is audited once at a time: one audit runs, and the others wait.
  const waiting = Array.from({ length: 1 + auditPolicy.queued }, async (_, index) => {
    const response = await fetch(`${origin}/api/audit`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'x-forwarded-for': `203.0.113.${index}`,
      },
      body: JSON.stringify({ url: `${slow.origin}/${index}` }),
      signal: gone.signal,
    });
    // The first event comes once the audit waits or runs.
    await response.body?.getReader().read();
  });
  await Promise.all(waiting);
  return () => gone.abort();
}
