import { resultsKept } from './history.ts';
import { auditPolicy } from './policy.ts';
import { auditsPolicy } from './store.ts';

const { gatherSeconds, processSeconds, atOnce, queued, perNetwork, perHost } = auditPolicy;

/** How long an audit takes and what is kept of it, as every page and document says it. */
export const auditTime = {
  /** Seconds in which what is judged is fetched. */
  gatherSeconds,
  /** Reports that are kept, the newest. */
  reportsKept: auditsPolicy.maxReports,
  /** Results of a site that are kept beyond its report. */
  resultsKept,
  /** What a visitor should expect, as a sentence. */
  sentence: `An audit usually takes a few seconds and never more than ${processSeconds}.`,
  /** What comes before it when much is asked for, as a sentence. */
  queue: `${atOnce} audits run at once, and up to ${queued} wait for their turn before that time begins, at most ${perNetwork} of them for one network. A host is audited at most ${perHost} times an hour, whoever asks.`,
} as const;
