import type { TechniqueId } from '#almanac/techniques.ts';
import { checks } from './checks/index.ts';
import { type RubricGroup, rubricGroups, weightingOf } from './rubric.ts';

/** A check as it is shown to a reader who asks what a score is made of. */
export interface RubricEntry {
  id: string;
  technique: TechniqueId;
  title: string;
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
  checks.map(({ id, technique, title, why, reference, contested }) => {
    const { group, weight } = weightingOf(id);
    return {
      id,
      technique,
      title,
      why,
      group,
      groupName: rubricGroups[group].name,
      weight,
      reference,
      contested,
      capability: group === 'capabilities',
    };
  });
