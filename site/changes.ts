import { groupChanges } from '#almanac/change-list.ts';
import { type Change, changes as written } from '#almanac/changes.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { describeScoring } from '#api/audits/scoring.ts';
import { readContentFile } from './content-file.ts';

/** How many records of a dataset were added, changed or removed on its newest day. */
const countRecordsOf = (dataset: string, day: string): number =>
  groupChanges('record', { dataset, since: day }).records;

const sources = import.meta.glob<string>('./content/playbook/*.md', { query: '?raw', import: 'default', eager: true });

const chapters = Object.entries(sources).map(
  ([file, source]) => readContentFile('chapter', file.replace('./content/', ''), source).head,
);

/** The chapters of the playbook that are of one day, as one change. */
const playbookChanges = [...Map.groupBy(chapters, ({ updated }) => updated)].map(
  ([date, ofDay]): Change => ({
    id: `playbook-${date}`,
    date,
    title:
      ofDay.length === chapters.length
        ? `The playbook: ${ofDay.length} chapters`
        : `The playbook: ${ofDay.length} of ${chapters.length} chapters are new or changed`,
    path: '/playbook',
    summary: `Chapters of this day: ${ofDay
      .map(({ title }) => title)
      .sort()
      .join('; ')}.`,
  }),
);

const { rubric, groups, checks } = describeScoring();

const rubricChange: Change = {
  id: `audit-rubric-${rubric}`,
  date: rubric,
  title: `The audit judges by the rubric of ${rubric}`,
  path: '/audit',
  summary: `The rubric has ${checks.length} checks in ${groups.length} groups. A report names the rubric that it was scored by.`,
};

/**
 * What changed, newest first: what was written down by hand, and the newest state of each dataset, of the playbook and of
 * the audit's rubric, by the dates that these hold. An id names its day, so that the next state is a change of its own.
 */
export const changes: readonly Change[] = [
  ...written,
  ...datasets.map(
    ({ path, title, description, updated, records }): Change => ({
      id: `dataset-${path}-${updated}`,
      date: updated,
      title: `${title}: ${records.length} records`,
      path: `/${path}`,
      summary: `${description} ${countRecordsOf(path, updated)} records were added, changed or removed that day.`,
    }),
  ),
  ...playbookChanges,
  rubricChange,
].toSorted((one, other) => other.date.localeCompare(one.date));
