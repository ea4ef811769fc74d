import { after } from 'node:test';
import request from 'supertest';
import { type Answer, openSite } from '../audit/sites.ts';
import { noLimits } from '../support/limits.ts';
import { createTestApp } from '../support/test-app.ts';

/** Opens a site of the test and an application that may audit it. */
export async function serve(answer: Answer, options: { delayMs?: number; environment?: Record<string, string> } = {}) {
  const site = await openSite(answer, options.delayMs);
  after(() => site.close());
  const own = createTestApp({
    limits: noLimits,
    environment: { AUDIT_ALLOW_HOSTS: site.host, ...options.environment },
  });
  after(() => own.context.auditService.stop());
  return { ...own, site, url: `${site.origin}/` };
}

/** An event of a stream, as it was sent. */
interface Event {
  event: string;
  data: Record<string, unknown>;
}

export const eventsOf = (text: string): Event[] =>
  text
    .split('\n\n')
    .filter((block) => block.startsWith('event: '))
    .map((block) => {
      const [, event = '', data = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      return { event, data: JSON.parse(data) };
    });

export const stream = (app: Parameters<typeof request>[0], url: string) =>
  request(app).post('/api/audit').set('Accept', 'text/event-stream').send({ url });
