import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rubricGroups, rubricVersion, weightingOf } from '#api/audit/rubric.ts';
import { packageFile } from '../../../test/support/command.ts';
import { projectDir } from '../build/stamp.ts';
import { type AuditorId, auditorIds, type OtherAuditor, otherAuditors } from './auditor.ts';
import {
  type Difference,
  type Direction,
  explanationOf,
  leftOver,
  type SiteResults,
  toComparisons,
  toDifferences,
} from './differences.ts';
import { type Explanation, explanations, type Silence, silences } from './explanations.ts';
import { knownChecks, onlyOurs } from './mapping.ts';
import { type Foreign, type Topic, topics, withoutCounterpart } from './topics.ts';

/** A site with what each auditor makes of it, in the auditor's own scale. */
export interface SiteRecord {
  id: string;
  what: string;
  results: Record<AuditorId, { score: number | null; grade: string | null; problem: string | null }>;
}

/** A difference with its explanation and all sites where it shows. */
export interface DifferenceRecord {
  topic: string;
  auditor: OtherAuditor;
  direction: Direction;
  why: string;
  sites: string[];
}

/** The comparison as it is stored and shown: nothing in it depends on the machine, a port or the moment. */
export interface ComparisonRecord {
  rubric: string;
  auditors: { id: AuditorId; name: string; version: string; scale: string; checks: number }[];
  sites: SiteRecord[];
  /** Topics that ours and the other both judged on a site, over all sites, and on how many of those they differ. */
  agreement: { auditor: OtherAuditor; compared: number; differ: number }[];
  topics: (Pick<Topic, 'id' | 'title' | 'checks'> & { group: string })[];
  differences: DifferenceRecord[];
  no_results: readonly Silence[];
  only_ours: { id: string; title: string }[];
  without_counterpart: readonly Foreign[];
}

/** Where the record is kept. */
export const recordFile: string = join(projectDir, 'site', 'content', 'comparison.json');

const about: Record<OtherAuditor, { name: string; package: string; scale: string }> = {
  afdocs: { name: 'afdocs', package: 'afdocs', scale: '0 to 100, A+ to F' },
  'agent-readability': {
    name: '@vercel/agent-readability',
    package: '@vercel/agent-readability',
    scale: '0 to 100, in four words',
  },
  lighthouse: { name: 'Lighthouse, agentic browsing', package: 'lighthouse', scale: '0 to 1' },
};

async function versionOf(name: string): Promise<string> {
  const { version } = JSON.parse(await readFile(packageFile(name, 'package.json'), 'utf8')) as { version: string };
  return version;
}

const auditorRecords = async (): Promise<ComparisonRecord['auditors']> => [
  {
    id: 'ours',
    name: 'Porchlight',
    version: `rubric ${rubricVersion}`,
    scale: '0 to 100, in four bands',
    checks: knownChecks('ours').length,
  },
  ...(await Promise.all(
    otherAuditors.map(async (id) => ({
      id,
      name: about[id].name,
      version: await versionOf(about[id].package),
      scale: about[id].scale,
      checks: knownChecks(id).length,
    })),
  )),
];

/** A site as the record has it. */
export function toSiteRecord(id: string, what: string, results: SiteResults): SiteRecord {
  const entries = auditorIds.map((auditor) => {
    const { score, grade, problem } = results[auditor];
    return [auditor, { score, grade, problem }] as const;
  });
  return { id, what, results: Object.fromEntries(entries) as SiteRecord['results'] };
}

/** Differences with their explanations, in the order of the topics; those without one are left out. */
export function toDifferenceRecords(differences: readonly Difference[]): DifferenceRecord[] {
  const byExplanation = Map.groupBy(differences, (difference) => explanationOf(difference, explanations));
  const order = topics.map(({ id }) => id);
  return [...byExplanation]
    .filter((entry): entry is [Explanation, Difference[]] => entry[0] !== null)
    .map(([{ topic, auditor, direction, why }, found]) => ({
      topic,
      auditor,
      direction,
      why,
      sites: found.map(({ site }) => site),
    }))
    .sort(
      (one, other) =>
        order.indexOf(one.topic) - order.indexOf(other.topic) ||
        otherAuditors.indexOf(one.auditor) - otherAuditors.indexOf(other.auditor),
    );
}

/**
 * What keeps the comparison from being written down, one line each: differences, missing results and explanations that lack
 * each other.
 */
export function explanationFaults(results: ReadonlyMap<string, SiteResults>): string[] {
  const differences = [...results].flatMap(([site, found]) => toDifferences(site, found));
  return [
    ...differences
      .filter((difference) => explanationOf(difference, explanations) === null)
      .map(({ topic, auditor, direction, site }) => `no explanation of ${topic} ${auditor} ${direction} ${site}`),
    ...leftOver(explanations, differences, [...results.keys()]).map((what) => `no difference any more: ${what}`),
    ...[...results].flatMap(([site, found]) =>
      auditorIds
        .filter(
          (auditor) =>
            (found[auditor].problem !== null) !== silences.some((one) => one.site === site && one.auditor === auditor),
        )
        .map((auditor) => `a result and an explanation of why there is none do not fit: ${auditor} ${site}`),
    ),
  ];
}

/** The record of results on all sites; `whats` says what each site is. */
export async function toComparisonRecord(
  results: ReadonlyMap<string, SiteResults>,
  whats: (site: string) => string,
): Promise<ComparisonRecord> {
  const comparisons = [...results].flatMap(([site, found]) => toComparisons(site, found));
  return {
    rubric: rubricVersion,
    auditors: await auditorRecords(),
    sites: [...results].map(([site, found]) => toSiteRecord(site, whats(site), found)),
    agreement: otherAuditors.map((auditor) => {
      const own = comparisons.filter((comparison) => comparison.auditor === auditor);
      return { auditor, compared: own.length, differ: own.filter(({ direction }) => direction !== null).length };
    }),
    topics: topics.map(({ id, title, checks }) => ({
      id,
      title,
      group: rubricGroups[weightingOf(checks.ours[0] ?? '').group].name,
      checks,
    })),
    differences: toDifferenceRecords([...results].flatMap(([site, found]) => toDifferences(site, found))),
    no_results: silences,
    only_ours: onlyOurs(),
    without_counterpart: withoutCounterpart,
  };
}
