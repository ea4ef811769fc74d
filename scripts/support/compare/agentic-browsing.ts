import type { Result } from 'lighthouse';
import { openLighthouse } from '../lighthouse.ts';
import { type AuditorResult, limitMs, noResult, type Outcome, withoutAddress } from './auditor.ts';

type LighthouseAudit = Result['audits'][string];

/** What is asked here does not depend on speed, so the waits for a page to settle are short. */
const flags = {
  onlyCategories: ['agentic-browsing'],
  disableFullPageScreenshot: true,
  pauseAfterFcpMs: 0,
  pauseAfterLoadMs: 300,
  networkQuietThresholdMs: 300,
  cpuQuietThresholdMs: 100,
};

/**
 * An informative audit judges nothing. It counts as passed when it lists what its title asks for (tools that are
 * registered), and as not applicable otherwise, also when it lists forms that could be annotated.
 */
function toOutcome({ id, score, scoreDisplayMode, details }: LighthouseAudit): Outcome {
  switch (scoreDisplayMode) {
    case 'binary':
    case 'numeric':
    case 'metricSavings':
      return score === 1 ? 'pass' : score === 0 || score === null ? 'fail' : 'partial';
    case 'informative':
      return id === 'webmcp-registered-tools' && details !== undefined ? 'pass' : 'not-applicable';
    case 'notApplicable':
      return 'not-applicable';
    default:
      return 'no-result';
  }
}

/** Why Lighthouse came to no result, in a sentence of ours where its own is known. */
function toReason(error: unknown): string {
  const said = error instanceof Error ? error.message : String(error);
  const status = /\(Status code: (\d+)\)/.exec(said)?.[1];
  const type = /served as MIME type ([^)]+)\)/.exec(said)?.[1];
  return status !== undefined
    ? `The home page answers with status ${status}.`
    : type !== undefined
      ? `The home page is ${type} and not HTML.`
      : said;
}

const toResult = ({ categories, audits }: Result): AuditorResult => {
  const category = categories['agentic-browsing'];
  return {
    score: category?.score ?? null,
    grade: null,
    problem: null,
    checks: (category?.auditRefs ?? []).flatMap(({ id }) => {
      const audit = audits[id];
      return audit === undefined
        ? []
        : [{ id, outcome: toOutcome(audit), note: JSON.stringify(audit.details ?? audit.explanation ?? null) }];
    }),
  };
};

/** Lighthouse's category of agentic browsing, with one browser for all sites. */
export interface AgenticBrowsing extends AsyncDisposable {
  /** Audits the home page of a site. */
  audit(origin: string): Promise<AuditorResult>;
}

/** Starts a Chromium that has WebMCP. It is started anew after an audit that did not end in time. */
export async function openAgenticBrowsing(): Promise<AgenticBrowsing> {
  const open = () => openLighthouse('--enable-features=WebMCPTesting,WebMCP');
  let browser = await open();
  return {
    async audit(origin) {
      const limit = Promise.withResolvers<null>();
      const timer = setTimeout(limit.resolve, limitMs, null);
      const running = browser
        .audit(`${origin}/`, flags)
        .then(toResult, (error: unknown) => noResult(withoutAddress(toReason(error), origin)));
      const result = await Promise.race([running, limit.promise]);
      clearTimeout(timer);
      if (result === null) {
        await browser.close();
        browser = await open();
        return noResult(`It did not end within ${limitMs / 1000} seconds.`);
      }
      return result;
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}
