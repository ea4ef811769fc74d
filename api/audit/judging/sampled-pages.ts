import type { Exchange } from '../../fetch/exchange.ts';
import { EarlyVerdict, type Verdict } from '../check.ts';
import type { Evidence, EvidencePage } from '../evidence.ts';
import { isSuccess, mediaTypeOf } from '../facts/headers.ts';
import { type HtmlFacts, htmlOf } from '../facts/html.ts';
import { challengeOf, isHtml, loginOf } from './gates.ts';
import { bareLine, lineOf } from './lines.ts';
import { absent, byShare, type Judged, notApplicable, unchecked } from './verdicts.ts';

/** A sampled page that answered with its HTML. */
export interface ReadPage {
  page: EvidencePage;
  exchange: Exchange;
  facts: HtmlFacts;
}

/** The sampled pages that are content: answered with 2xx and HTML, no challenge, no login. Some may be unreadable. */
export const servedPages = (evidence: Evidence): ReadPage[] =>
  evidence.pages.flatMap((page) => {
    const exchange = evidence.exchanges[page.html] ?? null;
    return isSuccess(exchange) && isHtml(exchange) && challengeOf(exchange) === null && loginOf(exchange) === null
      ? [{ page, exchange, facts: htmlOf(exchange) }]
      : [];
  });

/** Those of them that could be read: a page of extreme nesting or length has a `problem` instead of facts. */
export const readPages = (evidence: Evidence): ReadPage[] =>
  servedPages(evidence).filter(({ facts }) => facts.problem === null);

/** True for a host that serves no pages: what it answered at the addresses looked at is data. */
export const isApiHost = (evidence: Evidence): boolean => {
  const home = evidence.exchanges['home'] ?? null;
  const answers = evidence.pages.map((page) => evidence.exchanges[page.html] ?? null).filter(isSuccess);
  if (answers.some(isHtml)) {
    return false;
  }
  if (answers.length > 0) {
    return answers.every((exchange) => /json|xml|yaml|^text\/(?:plain|markdown)$/.test(mediaTypeOf(exchange) ?? ''));
  }
  const type = home === null ? null : mediaTypeOf(home);
  return home?.outcome === 'ok' && [400, 404, 405, 406].includes(home.status ?? 0) && /json/.test(type ?? '');
};

/**
 * The answer of the home address where it is a success and neither a page nor, on a host for programs, data: a download, a
 * picture, bytes of unknown type. Null for every other site.
 */
export const homeThatIsNoPage = (evidence: Evidence): Exchange | null => {
  const home = evidence.exchanges['home'] ?? null;
  return isSuccess(home) && !isHtml(home) && challengeOf(home) === null && !isApiHost(evidence) ? home : null;
};

/** Said of such a host where a check is about pages. */
export const noPages = 'This host serves data and no pages.';

/** The sampled pages that could be read. Ends the check when there is none: not applicable on a host without pages. */
export function pagesToJudge(evidence: Evidence): ReadPage[] {
  const pages = readPages(evidence);
  if (pages.length > 0) {
    return pages;
  }
  if (isApiHost(evidence)) {
    throw new EarlyVerdict(notApplicable(bareLine(evidence, noPages)));
  }
  const other = homeThatIsNoPage(evidence);
  if (other !== null) {
    const note = 'The home address answers, and what came is not a page.';
    throw new EarlyVerdict(absent('content-without-scripts', lineOf(other, note, { header: 'content-type' })));
  }
  const [unread] = servedPages(evidence);
  if (unread !== undefined) {
    throw new EarlyVerdict(unchecked(lineOf(unread.exchange, `The page was not read. ${unread.facts.problem}`)));
  }
  const home = evidence.exchanges['home'];
  const note = 'No page could be read, so that nothing can be said.';
  throw new EarlyVerdict(
    unchecked(home === undefined ? bareLine(evidence, note) : lineOf(home, note, { header: 'content-type' })),
  );
}

/**
 * The sampled pages that have content without scripts. Ends the check where none has: `content-without-scripts` counts the
 * absence of headings, controls and everything else that scripts may bring.
 */
export function contentPages(evidence: Evidence): ReadPage[] {
  const pages = pagesToJudge(evidence).filter(({ facts }) => !facts.shell.likely && facts.textLength > 0);
  if (pages.length === 0) {
    throw new EarlyVerdict(
      absent(
        'content-without-scripts',
        bareLine(evidence, 'The pages are empty without scripts: there is nothing to judge.'),
      ),
    );
  }
  return pages;
}

/** Judges each sampled page: all right is a pass, none a failure. */
export const judgePages = (evidence: Evidence, judge: (page: ReadPage) => Judged): Verdict =>
  byShare(pagesToJudge(evidence).map(judge));

/** The same for what only the content of a page can show. */
export const judgeContent = (evidence: Evidence, judge: (page: ReadPage) => Judged): Verdict =>
  byShare(contentPages(evidence).map(judge));
