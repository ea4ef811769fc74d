import type { TechniqueId } from '#almanac/techniques.ts';
import { type CauseId, causeIds, causes } from './causes.ts';
import { checks } from './checks/index.ts';
import { type RubricGroup, rubricGroups, weightingOf } from './rubric.ts';

/** A check as it is shown to a reader who asks what a score is made of. */
export interface RubricEntry {
  id: string;
  technique: TechniqueId;
  title: string;
  /** What an owner changes when it is not passed; the first unless the report names another. */
  causes: readonly CauseId[];
  why: string;
  group: RubricGroup;
  groupName: string;
  /** Of the 100 that all checks weigh. */
  weight: number;
  reference: { title: string; url: string };
  /** Who disagrees, and which side is taken; null when nobody is known to. */
  contested: string | null;
  /** True when the check applies only to a site that claims what it is about. */
  capability: boolean;
}

/** The rubric in the order of the report: everything that the scoring is made of, as data for a page. */
export const describeRubric = (): RubricEntry[] =>
  checks.map(({ id, technique, title, causes, why, reference, contested }) => {
    const { group, weight } = weightingOf(id);
    return {
      id,
      technique,
      title,
      causes,
      why,
      group,
      groupName: rubricGroups[group].name,
      weight,
      reference,
      contested,
      capability: group === 'capabilities',
    };
  });

/** What findings go back to, as data for a page. */
export interface DescribedCause {
  id: CauseId;
  title: string;
  minutes: number;
  /** The file or setting to change. */
  where: string;
  /** Ids of the checks that it can clear. */
  checks: string[];
}

/** All causes in the order in which an agent meets them, each with the checks that go back to it. */
export const describeCauses = (): DescribedCause[] =>
  causeIds.map((id) => ({
    id,
    title: causes[id].title,
    minutes: causes[id].minutes,
    where: causes[id].where,
    checks: checks.filter((check) => check.causes.includes(id)).map((check) => check.id),
  }));
