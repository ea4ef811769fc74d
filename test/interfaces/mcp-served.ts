import { after } from 'node:test';
import { furtherTools, tools } from '#api/catalog/tools.ts';
import type { Limits } from '#api/contract/limits.ts';
import type { Tool } from '#api/contract/tool.ts';
import { bareSite, openSite } from '../audit/sites.ts';
import { openPort } from '../support/open-port.ts';
import { createTestApp } from '../support/test-app.ts';

type Json = Record<string, unknown>;

export const allTools = [...tools, ...furtherTools];

export const many = { count: 100_000, windowSeconds: 60 };

export const audited = await openSite(bareSite);
after(() => audited.close());

/** The API on a real port; its origin. */
export function serve(limits: Partial<Limits> = { read: many, write: [many] }): Promise<string> {
  const { app, context } = createTestApp({ limits, environment: { AUDIT_ALLOW_HOSTS: audited.host } });
  after(() => context.auditService.stop());
  return openPort(app);
}

/** What a call of a tool gives: its example, but of the sites that can be audited here. */
export const givenTo = ({ name, example = {} }: Tool): Json =>
  name === 'audit_site' ? { url: audited.origin } : example;
