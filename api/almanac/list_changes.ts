import { z } from 'zod';
import { changeSentence, listChanges, type NumberedChange } from '#almanac/change-list.ts';
import { PartialDate } from '#almanac/dataset.ts';
import { datasets } from '#almanac/datasets/index.ts';
import { rowsOf } from '#almanac/record-fields.ts';
import { recordTitle } from '#almanac/record-title.ts';
import { Problem } from '../contract/problem.ts';
import { defineTool, ToolAnswer } from '../contract/tool.ts';
import { changeFeed } from './change-feed.ts';
import type { AlmanacContext } from './context.ts';

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

const since = z
  .string()
  .refine(
    (value) => PartialDate.safeParse(value).success || z.iso.datetime({ offset: true }).safeParse(value).success,
    'is not a day, a month, a year or a timestamp, such as 2026-10-01 or 2026-10',
  );

const formats: Readonly<Record<string, string>> = {
  json: 'application/json',
  atom: 'application/atom+xml',
  'json-feed': 'application/feed+json',
};

export const listChangesTool = defineTool({
  name: 'list_changes',
  title: 'What changed',
  description:
    'Lists what changed in the almanac, newest first: records added and removed, fields with their old and new value, day and source. By day, dataset and record.',
  method: 'GET',
  path: '/api/changes',
  access: 'open',
  limit: 'read',
  readOnly: true,
  hasStrictQuery: true,
  input: z.strictObject({
    since: since.optional().describe('This day or later, such as 2026-10-01.'),
    dataset: z.enum(paths).optional().describe('Only this dataset.'),
    id: z.string().min(1).max(200).optional().describe('Only the record with this id.'),
    kind: z.enum(['added', 'changed', 'removed']).optional(),
    limit: z.int().min(1).max(500).optional().describe('1 to 500; 50 by default.'),
    cursor: z
      .string()
      .regex(/^\d{1,9}$/, 'is not one that this list gave')
      .optional()
      .describe('The one in `next` of the page before.'),
    format: z
      .enum(['json', 'atom', 'json-feed'])
      .optional()
      .describe('json by default; the feeds come for Accept too.'),
  }),
  output: z.object({
    count: z.int(),
    matched: z.int().describe('How many changes fulfil the conditions, before limit.'),
    next: z.url().nullable().describe('Where the list goes on, or null at its end.'),
    feeds: z.object({ atom: z.url(), json: z.url() }).describe('The same changes to follow.'),
    changes: z.array(ChangeDocument),
  }),
  alsoAs: ['application/atom+xml', 'application/feed+json'],
  example: { since: '2026-11-01', dataset: 'crawlers', limit: 2 },
  run: ({ since: from, dataset, id, kind, limit = 50, cursor, format }, { config }: Pick<AlmanacContext, 'config'>) => {
    const conditions = { since: from?.slice(0, 10), dataset, id, kind };
    const before = cursor === undefined ? undefined : Number(cursor);
    const found = listChanges({ ...present(conditions), limit, ...(before === undefined ? {} : { before }) });
    if (before !== undefined && !listChanges(present(conditions)).changes.some(({ number }) => number === before)) {
      throw new Problem('invalid-query', 'The cursor does not belong to this list. Begin again without a cursor.', {
        errors: [{ pointer: '?cursor', detail: 'is not one that this list gave with these conditions' }],
      });
    }
    const address = (more: Record<string, string>): string =>
      `${config.baseUrl}/api/changes?${new URLSearchParams({ ...present({ since: from, dataset, id, kind }), ...more })}`;
    const changes = found.changes.map((change) => changeDocument(change, config.baseUrl));
    const feed = changeFeed(
      config,
      address({}),
      found.changes.flatMap((change, index) => {
        const document = changes[index];
        return document === undefined ? [] : [{ ...document, number: change.number, title: document.title }];
      }),
    );
    const forms = { 'application/atom+xml': feed.atom, 'application/feed+json': feed.jsonFeed };
    return new ToolAnswer(
      {
        count: changes.length,
        matched: found.matched,
        next: found.next === null ? null : address({ limit: String(limit), cursor: String(found.next) }),
        feeds: { atom: address({ format: 'atom' }), json: address({ format: 'json-feed' }) },
        changes,
      },
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
