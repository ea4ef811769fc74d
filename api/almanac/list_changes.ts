import { z } from 'zod';
import {
  type ChangeGroup,
  type ChangeGrouping,
  type ChangeKinds,
  type ChangeQuery,
  changeGroupings,
  changeSentence,
  groupChanges,
  listChanges,
  type NumberedChange,
} from '#almanac/change-list.ts';
import { PartialDate } from '#almanac/dataset.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { rowsOf } from '#almanac/record-fields.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import { toAtom, toJsonFeed } from '../text/feed-documents.ts';
import { changeFeed } from './change-feed.ts';
import type { AlmanacContext } from './context.ts';
import { listOf, namesIn, withCursor } from './list-parameters.ts';

const paths = datasets.map(({ path }) => path) as [string, ...string[]];

/** A change as its record shows it. */
export const ChangeOfRecord = z.object({
  date: z.iso.date(),
  kind: z.enum(['added', 'changed', 'removed']),
  field: z.string().optional(),
  old: z.unknown().optional().describe('The value before, as the schema of the field has it.'),
  new: z.unknown().optional(),
  source: z.url().describe('Where the fact was read.'),
  note: z.string().optional(),
});

const ChangeDocument = ChangeOfRecord.extend({
  dataset: z.string(),
  id: z.string(),
  title: z.string(),
  summary: z.string().describe('The change in a sentence; long values are cut.'),
  url: z.url(),
  api_url: z.url(),
});

const titleOf = ({ dataset, id }: NumberedChange): string => {
  const row = datasets
    .filter(({ path }) => path === dataset)
    .flatMap((each) => rowsOf(each).filter((row) => row.id === id));
  return row[0] === undefined ? id : recordTitle(row[0]);
};

/** A change as the API shows it: with the name and the addresses of its record. */
function changeDocument(change: NumberedChange, baseUrl: string): z.infer<typeof ChangeDocument> {
  const { number: _number, ...rest } = change;
  const path = `/${change.dataset}/${change.id}`;
  const title = titleOf(change);
  return {
    ...rest,
    title,
    summary: changeSentence(change, title),
    url: `${baseUrl}${change.kind === 'removed' ? `/${change.dataset}` : path}`,
    api_url: `${baseUrl}/api${path}`,
  };
}

const ChangeCounts = z
  .object({ added: z.int().optional(), changed: z.int().optional(), removed: z.int().optional() })
  .describe('How many of each kind; a kind without any is left out.');

const ChangeGroupDocument = z.object({
  date: z.iso.date().describe('The day of the newest change.'),
  dataset: z.string().optional(),
  id: z.string().optional(),
  title: z.string().optional(),
  kinds: ChangeCounts,
  records: z.int().optional().describe('How many records changed, of a day or a dataset.'),
  fields: z.array(z.string()).optional().describe('The fields of a record that changed, that of most changes first.'),
});

/** A group of changes as the API shows it: what it is of, and how many there are. */
function groupDocument(
  by: ChangeGrouping,
  { newest, kinds, records, fields }: ChangeGroup,
): z.infer<typeof ChangeGroupDocument> {
  const { date, dataset, id } = newest;
  switch (by) {
    case 'record':
      return { date, dataset, id, title: titleOf(newest), kinds, ...(fields.length === 0 ? {} : { fields }) };
    case 'dataset':
      return { date, dataset, kinds, records };
    case 'day':
      return { date, kinds, records };
  }
}

/** The last days, as a number before "d". */
const lastDays = /^\d{1,4}d$/;

const since = z
  .string()
  .refine(
    (value) =>
      lastDays.test(value) ||
      PartialDate.safeParse(value).success ||
      z.iso.datetime({ offset: true }).safeParse(value).success,
    'is not a day, a month, a year or a timestamp, such as 2026-10-01 or 2026-10, nor a number of days such as 7d',
  );

const dayMs = 24 * 60 * 60 * 1000;

/** The day that a list begins with. */
const toDay = (from: string, now: Date): string =>
  lastDays.test(from)
    ? new Date(now.getTime() - Number.parseInt(from, 10) * dayMs).toISOString().slice(0, 10)
    : from.slice(0, 10);

/** Every field that a record of the almanac can have. */
const allFields = [...new Set(datasets.flatMap(({ fields }) => fields))];

const formats: Readonly<Record<string, string>> = {
  json: 'application/json',
  atom: 'application/atom+xml',
  'json-feed': 'application/feed+json',
};

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'What changed',
  description:
    'Lists what changed in the almanac, newest first: records, fields with old and new value. Begin with group=record: counts, a line each.',
  method: 'GET',
  path: '/api/changes',
  access: 'open',
  limit: 'read',
  readOnly: true,
  hasEntityTag: 'always',
  input: z.strictObject({
    since: since.optional().describe('This day or later: 2026-10-01, or 7d for seven days ago.'),
    dataset: z.enum(paths).optional().describe('Only this dataset.'),
    id: z.string().min(1).max(200).optional().describe('Only the record with this id.'),
    kind: z.enum(['added', 'changed', 'removed']).optional(),
    field: listOf(allFields).optional().describe('Names with commas.'),
    group: z
      .enum(changeGroupings)
      .optional()
      .describe('Counts in place of the changes; `changes` is then empty, and `groups` has a line for each.'),
    limit: z.int().min(1).max(500).optional().describe('50 by default, 20 with group.'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'is not one that this list gave')
      .optional()
      .describe('The one in `next`.'),
    format: z
      .enum(['json', 'atom', 'json-feed'])
      .optional()
      .describe('json by default; the feeds come for Accept too.'),
  }),
  output: z.object({
    count: z.int().describe('How many changes this answer holds, or groups.'),
    matched: z.int().describe('How many changes fulfil the conditions, before limit.'),
    next: z.url().nullable().describe('Where the list goes on, or null at its end.'),
    feeds: z.object({ atom: z.url(), json: z.url() }).describe('The same changes to follow.'),
    summary: z
      .object({
        groups: z.int().describe('How many groups there are, before limit.'),
        records: z.int().describe('How many records changed.'),
        datasets: z.record(z.string(), ChangeCounts),
      })
      .optional()
      .describe('All changes that fulfil the conditions, counted. It comes with group.'),
    groups: z.array(ChangeGroupDocument).optional().describe('It comes with group.'),
    changes: z.array(ChangeDocument),
  }),
  alsoAs: ['application/atom+xml', 'application/feed+json'],
  example: { since: '2026-11-01', dataset: 'crawlers', limit: 2 },
  run: (
    { since: from, dataset, id, kind, field, group, limit: asked, cursor, format },
    { config, now }: Pick<AlmanacContext, 'config' | 'now'>,
  ) => {
    const limit = asked ?? (group === undefined ? 50 : 20);
    const conditions: ChangeQuery = present({
      ...{ dataset, id, kind },
      since: from === undefined ? undefined : toDay(from, now()),
      fields: field === undefined ? undefined : namesIn(field),
    });
    const page = { limit, ...(cursor === undefined ? {} : { before: Number(cursor) }) };
    const address = (more: Record<string, string>): string => {
      const query = new URLSearchParams({ ...present({ since: from, dataset, id, kind, field }), ...more });
      return `${config.baseUrl}/api/changes${query.size === 0 ? '' : `?${query}`}`;
    };
    const feeds = { atom: address({ format: 'atom' }), json: address({ format: 'json-feed' }) };
    const goOn = (number: number | null, more: Record<string, string> = {}): string | null =>
      number === null ? null : address({ ...more, limit: String(limit), cursor: String(number) });
    if (group !== undefined) {
      if (format !== undefined && format !== 'json') {
        throw new Problem('invalid-query', 'A feed has an entry for each change. Leave out group, or format.', {
          errors: [{ pointer: '?group', detail: `does not go with format=${format}` }],
        });
      }
      const {
        groups,
        matched,
        matchedGroups,
        records,
        datasets: byDataset,
        next,
      } = withCursor(() => groupChanges(group, { ...conditions, ...page }));
      return new ToolAnswer({
        count: groups.length,
        matched,
        next: goOn(next, { group }),
        feeds,
        summary: {
          groups: matchedGroups,
          records,
          datasets: Object.fromEntries<ChangeKinds>(byDataset),
        },
        groups: groups.map((each) => groupDocument(group, each)),
        changes: [],
      });
    }
    const found = withCursor(() => listChanges({ ...conditions, ...page }));
    const changes = found.changes.map((change) => changeDocument(change, config.baseUrl));
    const given = present({ limit: asked?.toString(), cursor });
    const feedAt = (page: Record<string, string>) => ({
      atom: address({ ...page, format: 'atom' }),
      json: address({ ...page, format: 'json-feed' }),
    });
    const feed = () =>
      changeFeed(
        config,
        {
          id: address({}),
          self: feedAt(given),
          next: found.next === null ? null : feedAt({ limit: String(limit), cursor: String(found.next) }),
        },
        found.changes.flatMap(({ number }, index) => {
          const document = changes[index];
          return document === undefined ? [] : [{ ...document, number }];
        }),
      );
    const forms = {
      'application/atom+xml': () => toAtom(feed()),
      'application/feed+json': () => toJsonFeed(feed()),
    };
    return new ToolAnswer(
      { count: changes.length, matched: found.matched, next: goOn(found.next), feeds, changes },
      { forms, ...(format === undefined ? {} : { type: formats[format] }) },
    );
  },
});

/** An object without what is undefined. */
function present<Value>(object: Record<string, Value | undefined>): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
