import { defineCheck } from '../../check.ts';
import { isSameSite } from '../../evidence/same-site.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { redirectStub } from '../../judging/redirect-stub.ts';
import { byShare, fail, type Judged, partial, unchecked } from '../../judging/verdicts.ts';

/** Whether addresses lead where they say. */
export const shortRedirects = defineCheck({
  id: 'short-redirects',
  technique: 'machine-discovery',
  topic: 'Redirects',
  titles: {
    pass: 'Redirects are short and stay on the site',
    partial: 'Some pages are reached through long redirects',
    fail: 'Redirects are long or leave the site',
  },
  causes: ['redirects', 'script-redirect'],
  why: 'Each redirect is a request more, and many fetch tools follow none to another host without asking their user.',
  reference: {
    title: 'RFC 9110, section 15.4: Redirection',
    url: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.4',
  },
  fix: ({ origin }) => ({
    text: 'Redirect once, straight to the final address, and list final addresses in the sitemap and in links.',
    snippet: `server {\n  listen 80;\n  server_name ${new URL(origin).hostname};\n  return 301 https://$host$request_uri;\n}`,
    language: 'nginx',
  }),
  judge(evidence) {
    const target = new URL(evidence.target);
    const judged = evidence.pages.flatMap((page): Judged[] => {
      const exchange = evidence.exchanges[page.html];
      if (exchange === undefined || ['not-asked', 'robots-disallowed'].includes(exchange.outcome)) {
        return [];
      }
      if (exchange.outcome === 'too-many-redirects') {
        return [{ credit: 0, line: lineOf(exchange, exchange.error ?? 'Too many redirects.') }];
      }
      const stays = exchange.hops.length === 0 || isSameSite(target, exchange.url);
      const chain = exchange.hops.map((hop) => `${hop.status} → ${hop.location}`).join(', ');
      const note =
        exchange.hops.length === 0
          ? 'No redirect.'
          : `${exchange.hops.length} redirect${exchange.hops.length === 1 ? '' : 's'}${stays ? '' : ', to another site'}.`;
      const credit = !stays ? 0 : exchange.hops.length <= 1 ? 1 : exchange.hops.length === 2 ? 0.5 : 0;
      return [{ credit, line: lineOf(exchange, note, { excerpt: chain === '' ? undefined : chain }) }];
    });
    const stub = redirectStub(evidence);
    if (stub !== null) {
      const lines = [stub.line, ...judged.map(({ line }) => line)];
      return { ...(stub.how === 'script' ? fail(...lines) : partial(...lines)), cause: 'script-redirect' };
    }
    return judged.length === 0 ? unchecked(bareLine(evidence, 'No page was asked for.')) : byShare(judged);
  },
});
