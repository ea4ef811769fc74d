import { defineCheck } from '../../check.ts';
import type { ExchangeName } from '../../evidence.ts';
import { headerOf, isSuccess } from '../../facts/headers.ts';
import { nginxLines } from '../../fixes/platforms/nginx.ts';
import { challengeOf } from '../../judging/gates.ts';
import { bareLine, lineOf } from '../../judging/lines.ts';
import { byShare, type Judged, pass, requireVisible, unchecked } from '../../judging/verdicts.ts';

const week = 7 * 86_400;

/** Whether answers say how long they hold. */
export const cacheLifetimes = defineCheck({
  id: 'cache-lifetimes',
  technique: 'ax-trust',
  topic: 'Cache lifetimes',
  titles: {
    pass: 'Cache lifetimes are sane',
    partial: 'Some cache lifetimes are missing or too long',
    fail: 'Cache lifetimes are missing or too long',
  },
  causes: ['response-headers'],
  why: 'Without a lifetime or a validator each reading is a full transfer; with a lifetime of months agents cite what no longer holds.',
  reference: { title: 'RFC 9111: HTTP Caching', url: 'https://www.rfc-editor.org/rfc/rfc9111' },
  fix: () => ({
    text: 'Let pages be kept for a short time and then be checked by ETag. Keep long lifetimes for files whose names change with their content.',
    snippet: nginxLines.lifetime,
    language: 'nginx',
  }),
  judge(evidence) {
    const names: ExchangeName[] = [
      'home',
      ...evidence.pages.slice(1).map((page) => page.html),
      'llms-txt',
      'robots',
      'sitemap',
    ];
    const judged = names.flatMap((name): Judged[] => {
      const exchange = evidence.exchanges[name] ?? null;
      if (!isSuccess(exchange) || challengeOf(exchange) !== null) {
        return [];
      }
      const control = headerOf(exchange, 'cache-control')?.toLowerCase() ?? null;
      const seconds = Number(/(?:^|[,\s])max-age\s*=\s*"?(\d+)/.exec(control ?? '')?.[1] ?? 0);
      const validates = headerOf(exchange, 'etag') !== null || headerOf(exchange, 'last-modified') !== null;
      const [credit, note] =
        seconds > week
          ? [0, `It may be kept for ${Math.floor(seconds / 86_400)} days without asking.`]
          : control?.includes('no-store')
            ? [0.5, 'A public text that may not be kept at all.']
            : control === null && !validates
              ? [0, 'Neither a lifetime nor a validator.']
              : [1, 'The lifetime is sane.'];
      return [{ credit, line: lineOf(exchange, note, { header: 'cache-control' }) }];
    });
    if (judged.length === 0) {
      requireVisible(evidence, 'home');
      return unchecked(bareLine(evidence, 'Nothing answered with a page.'));
    }
    const verdict = byShare(judged);
    return verdict.status === 'partial' && judged.filter(({ credit }) => credit === 1).length / judged.length >= 0.8
      ? pass(...verdict.evidence)
      : verdict;
  },
});
