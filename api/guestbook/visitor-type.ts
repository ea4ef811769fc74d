import { identifyUserAgent } from '#almanac/identify.ts';
import type { GuestbookEntry } from './entry.ts';

/** What a visitor is taken for, and what that rests on. */
export interface Classification {
  visitor_type: GuestbookEntry['visitor_type'];
  evidence: string[];
}

/**
 * Classifies the writer of an entry. A visitor counts as an agent when its User-Agent names a crawler or an HTTP client,
 * when it calls over MCP, when a signature or Signature-Agent came along, or when a model is named over the JSON API: a writer who does that
 * declares itself. The browser form has a box for the model too, and there it declares nothing.
 */
export function classifyVisitor(visit: {
  userAgent: string;
  overMcp: boolean;
  signed: boolean;
  signatureAgent: boolean;
  modelOverJson: boolean;
}): Classification {
  const { crawler, isLikelyAgent, matched } = identifyUserAgent(visit.userAgent);
  const evidence = [
    ...(crawler === null
      ? isLikelyAgent
        ? [`The User-Agent names a program (${matched}), not a browser.`]
        : []
      : [`The User-Agent names ${crawler.name}, which the almanac lists.`]),
    ...(visit.overMcp ? ['The entry came over MCP, which agents speak.'] : []),
    ...(visit.signed ? ['A signature came with the request.'] : []),
    ...(visit.signatureAgent ? ['A Signature-Agent header came with the request.'] : []),
    ...(visit.modelOverJson ? ['A model was named over the JSON API.'] : []),
  ];
  return evidence.length > 0
    ? { visitor_type: 'agent', evidence }
    : { visitor_type: 'human (probably)', evidence: ['Nothing in the request points to an agent.'] };
}
