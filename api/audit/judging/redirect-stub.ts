import type { EvidenceLine } from '../check.ts';
import type { Evidence } from '../evidence.ts';
import { htmlOf } from '../facts/html.ts';
import { lineOf } from './lines.ts';

/** A home page that is nothing but a redirect, as HTTP clients meet it. */
export interface RedirectStub {
  how: 'meta refresh' | 'script';
  line: EvidenceLine;
}

/** The stub at the home address, where the real home page was found through one; null for every other site. */
export function redirectStub(evidence: Evidence): RedirectStub | null {
  const stub = evidence.exchanges['home-stub'];
  if (stub === undefined) {
    return null;
  }
  const facts = htmlOf(stub);
  const how = facts.refresh === null ? 'script' : 'meta refresh';
  const note = `The home address is a stub of ${facts.textLength} characters that leads to ${new URL(evidence.home).pathname} by ${how}. Clients that run no pages stop here.`;
  return { how, line: lineOf(stub, note, { excerpt: stub.body.replace(/\s+/g, ' ').slice(0, 160) }) };
}
