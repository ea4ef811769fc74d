import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CheckStatus } from '#api/audit/check.ts';
import { checks } from '#api/audit/checks/index.ts';
import { rubricGroups, rubricVersion, weightingOf } from '#api/audit/rubric.ts';
import { handVerdictOn } from '../../../test/audit/hand-verdicts.ts';
import { packageFile } from '../../../test/support/command.ts';
import { projectDir } from '../build/stamp.ts';
import { type AuditorId, auditorIds, type OtherAuditor, otherAuditors } from './auditor.ts';
import type { ComparedSite, SiteKind } from './compared-sites.ts';
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
import { rankCorrelation } from './rank-correlation.ts';
import { type Foreign, type Topic, topics, withoutCounterpart } from './topics.ts';

/** A site with what each auditor makes of it, in the auditor's own scale. */
export interface SiteRecord {
  id: string;
  kind: SiteKind;
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

/** How far ours and another auditor agree: on sites of common stacks, and on those made for the tests. */
export interface AgreementRecord {
  auditor: OtherAuditor;
  set: 'stacks' | 'made';
  /** Sites that both gave a score, and Spearman's rank correlation of these scores, two decimals. */
  sites: number;
  spearman: number | null;
  /** Topics that both judged on a site, over all sites, and on how many of those they differ. */
  compared: number;
  differ: number;
}

/** How many verdicts of a kind a check gave on the recorded sites, and how many of them were given by hand too. */
export interface PrecisionRecord {
  check: string;
  title: string;
  pass: [right: number, given: number];
  partial: [right: number, given: number];
  fail: [right: number, given: number];
  'not-applicable': [right: number, given: number];
}

/** The comparison as it is stored and shown: nothing in it depends on the machine, a port or the moment. */
export interface ComparisonRecord {
  rubric: string;
  auditors: { id: AuditorId; name: string; version: string; scale: string; checks: number }[];
  sites: SiteRecord[];
  agreement: AgreementRecord[];
  precision: PrecisionRecord[];
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
    scale: '0 to 100, in five bands',
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
export function toSiteRecord(
  id: string,
  { kind, what }: Pick<ComparedSite, 'kind' | 'what'>,
  results: SiteResults,
): SiteRecord {
  const entries = auditorIds.map((auditor) => {
    const { score, grade, problem } = results[auditor];
    return [auditor, { score, grade, problem }] as const;
  });
  return { id, kind, what, results: Object.fromEntries(entries) as SiteRecord['results'] };
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

/** Agreement with each of the others on the sites of a set. */
function toAgreement(
  set: AgreementRecord['set'],
  results: readonly (readonly [string, SiteResults])[],
): AgreementRecord[] {
  const comparisons = results.flatMap(([site, found]) => toComparisons(site, found));
  return otherAuditors.map((auditor) => {
    const own = comparisons.filter((comparison) => comparison.auditor === auditor);
    const pairs = results.flatMap(([, found]): [number, number][] => {
      const [ours, theirs] = [found.ours.score, found[auditor].score];
      return ours === null || theirs === null ? [] : [[ours, theirs]];
    });
    const spearman = rankCorrelation(pairs);
    return {
      auditor,
      set,
      sites: pairs.length,
      spearman: spearman === null ? null : Math.round(spearman * 100) / 100,
      compared: own.length,
      differ: own.filter(({ direction }) => direction !== null).length,
    };
  });
}

/** The precision of each check on the recorded sites; checks that applied on none of them are left out. */
function toPrecision(results: readonly (readonly [string, SiteResults])[]): PrecisionRecord[] {
  return checks.flatMap(({ id, topic }): PrecisionRecord[] => {
    const verdicts = results.flatMap(([site, { ours }]) => {
      const given = ours.checks.find((check) => check.id === id)?.outcome;
      return given === undefined ? [] : [{ given, byHand: handVerdictOn(id, site) }];
    });
    const of = (status: CheckStatus): [number, number] => {
      const given = verdicts.filter((verdict) => verdict.given === status);
      return [given.filter(({ byHand }) => byHand === status).length, given.length];
    };
    const applied = verdicts.some(({ given, byHand }) => given !== 'not-applicable' || byHand !== 'not-applicable');
    return applied
      ? [
          {
            check: id,
            title: topic,
            pass: of('pass'),
            partial: of('partial'),
            fail: of('fail'),
            'not-applicable': of('not-applicable'),
          },
        ]
      : [];
  });
}

/** The record of results on all sites; `sites` says what they are. */
export async function toComparisonRecord(
  results: ReadonlyMap<string, SiteResults>,
  sites: Readonly<Record<string, ComparedSite>>,
): Promise<ComparisonRecord> {
  const all = [...results].flatMap(([id, found]) => {
    const site = sites[id];
    return site === undefined ? [] : [{ id, site, found }];
  });
  const of = (...kinds: SiteKind[]) =>
    all.filter(({ site }) => kinds.includes(site.kind)).map(({ id, found }) => [id, found] as const);
  return {
    rubric: rubricVersion,
    auditors: await auditorRecords(),
    sites: all.map(({ id, site, found }) => toSiteRecord(id, site, found)),
    agreement: [...toAgreement('stacks', of('recorded', 'fixed')), ...toAgreement('made', of('made'))],
    precision: toPrecision(of('recorded')),
    topics: topics.map(({ id, title, checks: compared }) => ({
      id,
      title,
      group: rubricGroups[weightingOf(compared.ours[0] ?? '').group].name,
      checks: compared,
    })),
    differences: toDifferenceRecords([...results].flatMap(([site, found]) => toDifferences(site, found))),
    no_results: silences,
    only_ours: onlyOurs(),
    without_counterpart: withoutCounterpart,
  };
}
