import { checks } from '#api/audit/checks/index.ts';
import { type AuditorId, type AuditorResult, auditorIds, otherAuditors } from './auditor.ts';
import { topics, withoutCounterpart } from './topics.ts';

const inTopics = (auditor: AuditorId): string[] => topics.flatMap((topic) => topic.checks[auditor] ?? []);

/** Our checks that have no counterpart in any other auditor. */
export const onlyOurs = (): { id: string; title: string }[] => {
  const shared = inTopics('ours');
  return checks.filter(({ id }) => !shared.includes(id)).map(({ id, title }) => ({ id, title }));
};

/** How many checks of an auditor are known here. */
export const knownChecks = (auditor: AuditorId): string[] =>
  auditor === 'ours'
    ? checks.map(({ id }) => id)
    : [...inTopics(auditor), ...withoutCounterpart.filter((one) => one.auditor === auditor).map(({ check }) => check)];

/**
 * What the mapping lacks against checks that were seen in the output of the auditors: a check that is nowhere, one that
 * is there twice, and one that is gone. Give it a site on which every check shows.
 */
export function mappingFaults(results: Record<AuditorId, AuditorResult>): string[] {
  return auditorIds.flatMap((auditor) => {
    const known = knownChecks(auditor);
    const seen = results[auditor].checks.map(({ id }) => id);
    const mapped = inTopics(auditor);
    return [
      ...seen.filter((id) => !known.includes(id)).map((id) => `${auditor}: "${id}" is neither in a topic nor listed`),
      ...known.filter((id) => !seen.includes(id)).map((id) => `${auditor}: "${id}" is not among its checks`),
      ...known.filter((id, at) => known.indexOf(id) !== at).map((id) => `${auditor}: "${id}" is there twice`),
      ...mapped.filter((id, at) => mapped.indexOf(id) !== at).map((id) => `${auditor}: "${id}" is in two topics`),
    ];
  });
}

/** The topics that compare nothing, because ours or all of the others have no check on them. */
export const emptyTopics = (): string[] =>
  topics
    .filter((topic) => topic.checks.ours.length === 0 || otherAuditors.every((id) => topic.checks[id] === undefined))
    .map(({ id }) => id);
