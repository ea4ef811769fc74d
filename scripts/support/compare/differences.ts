import { type AuditorId, type AuditorResult, type OtherAuditor, type Outcome, otherAuditors } from './auditor.ts';
import type { Explanation } from './explanations.ts';
import { type Topic, topics } from './topics.ts';

/** What each auditor found on one site. */
export type SiteResults = Record<AuditorId, AuditorResult>;

/** How two outcomes contradict each other: who passes a site that the other faults, or who says that it does not apply. */
export const directions = ['ours-pass', 'theirs-pass', 'ours-not-applicable', 'theirs-not-applicable'] as const;
export type Direction = (typeof directions)[number];

/** A contradiction between our audit and another one, on one topic of one site. */
export interface Difference {
  topic: string;
  auditor: OtherAuditor;
  direction: Direction;
  site: string;
}

const worstFirst: readonly Outcome[] = ['fail', 'partial', 'pass', 'no-result'];

/**
 * What an auditor says about a topic: the worst of its checks on it. A check that could not be judged or does not apply
 * gives way to one that was judged; `not-applicable` is left when none applies. Null when the auditor has no check on it.
 */
export function outcomeOn(topic: Topic, auditor: AuditorId, { checks }: AuditorResult): Outcome | null {
  const ids = topic.checks[auditor];
  if (ids === undefined) {
    return null;
  }
  const found = ids.map((id) => checks.find((check) => check.id === id)?.outcome ?? 'no-result');
  return worstFirst.find((outcome) => found.includes(outcome)) ?? 'not-applicable';
}

const isFault = (outcome: Outcome): boolean => outcome === 'fail' || outcome === 'partial';

/** How two outcomes contradict each other, or null. Between partial and fail, and partial and not applicable, they do not. */
export function directionOf(ours: Outcome, theirs: Outcome): Direction | null {
  if (ours === 'pass' && isFault(theirs)) {
    return 'ours-pass';
  }
  if (isFault(ours) && theirs === 'pass') {
    return 'theirs-pass';
  }
  if (ours === 'not-applicable' && theirs === 'fail') {
    return 'ours-not-applicable';
  }
  return ours === 'fail' && theirs === 'not-applicable' ? 'theirs-not-applicable' : null;
}

/** A topic of a site that our audit and another one both judged, with how they contradict each other, if they do. */
export interface Comparison extends Omit<Difference, 'direction'> {
  direction: Direction | null;
}

/** Compares our audit with each of the others, topic by topic. What one of the two came to no result on is left out. */
export const toComparisons = (site: string, results: SiteResults): Comparison[] =>
  topics.flatMap((topic) =>
    otherAuditors.flatMap((auditor): Comparison[] => {
      const ours = outcomeOn(topic, 'ours', results.ours);
      const theirs = outcomeOn(topic, auditor, results[auditor]);
      return ours === null || theirs === null || ours === 'no-result' || theirs === 'no-result'
        ? []
        : [{ topic: topic.id, auditor, site, direction: directionOf(ours, theirs) }];
    }),
  );

/** The contradictions of one site. */
export const toDifferences = (site: string, results: SiteResults): Difference[] =>
  toComparisons(site, results).flatMap(({ direction, ...rest }) =>
    direction === null ? [] : [{ ...rest, direction }],
  );

const explains = (explanation: Explanation, difference: Difference): boolean =>
  explanation.topic === difference.topic &&
  explanation.auditor === difference.auditor &&
  explanation.direction === difference.direction &&
  explanation.sites.includes(difference.site);

/** The explanation of a difference, or null. Throws an Error when there are two. */
export function explanationOf(difference: Difference, explanations: readonly Explanation[]): Explanation | null {
  const [found = null, second] = explanations.filter((explanation) => explains(explanation, difference));
  if (second !== undefined) {
    throw new Error(`Two explanations are given for one difference: ${JSON.stringify(difference)}.`);
  }
  return found;
}

/**
 * The explanations that name a site on which there is no such difference, as `topic auditor direction site`; of the
 * compared sites only.
 */
export const leftOver = (
  explanations: readonly Explanation[],
  differences: readonly Difference[],
  sites: readonly string[],
): string[] =>
  explanations.flatMap((explanation) =>
    explanation.sites
      .filter((site) => sites.includes(site))
      .filter((site) => !differences.some((one) => one.site === site && explains(explanation, one)))
      .map((site) => `${explanation.topic} ${explanation.auditor} ${explanation.direction} ${site}`),
  );
