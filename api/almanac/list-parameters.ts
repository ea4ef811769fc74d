import { z } from 'zod';
import { PartialDate } from '#almanac/dataset.ts';
import type { AlmanacDataset } from '#almanac/datasets/index.ts';
import { derivedFilters } from '#almanac/derived-filters.ts';
import { type RecordField, recordFields } from '#almanac/record-fields.ts';
import type { ListQuery } from '#almanac/record-list.ts';
import { Problem } from '../contract/problem.ts';

const hasRange = ({ kind }: RecordField): boolean => kind === 'number' || kind === 'date';

/** The filter for one value of a field. Where the schema closes a field, any other value is refused by name. */
function valueFilter(field: RecordField): z.ZodType<string | undefined> {
  const { name, kind, values } = field;
  const meaning = kind === 'list' ? `Only records whose ${name} holds this value.` : `Only records with this ${name}.`;
  if (values !== null) {
    return z
      .enum(values as [string, ...string[]])
      .optional()
      .describe(meaning);
  }
  const hint = kind === 'date' ? ' 2026-10 finds every day of October 2026.' : '';
  return z.string().max(200).optional().describe(`${meaning}${hint}`);
}

const numberBound = z.string().regex(/^-?\d{1,15}(?:\.\d{1,6})?$/, 'is not a number such as 200000 or 0.5');

const dateBound = z
  .string()
  .refine(
    (value) => PartialDate.safeParse(value).success,
    'is not a day, a month or a year, such as 2026-10-01 or 2026-10',
  );

function rangeFilters(field: RecordField): [string, z.ZodType<string | undefined>][] {
  const bound = field.kind === 'number' ? numberBound : dateBound;
  return [
    [`${field.name}_from`, bound.optional().describe(`Only records whose ${field.name} is this or later or more.`)],
    [`${field.name}_to`, bound.optional().describe(`Only records whose ${field.name} is this or earlier or less.`)],
  ];
}

/** Names in a list that is written with commas. */
const namesIn = (list: string): string[] =>
  list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');

/** A list of names with commas, of which each has to be one of those that are known. */
const listOf = (known: readonly string[], prefix = ''): z.ZodString =>
  z
    .string()
    .max(1000)
    .superRefine((list, context) => {
      const wrong = namesIn(list).find((name) => !known.includes(name.replace(new RegExp(`^${prefix}`), '')));
      if (wrong !== undefined || namesIn(list).length === 0) {
        const said =
          wrong === undefined
            ? 'is empty'
            : `has ${JSON.stringify(wrong.slice(0, 60))}, which is not one of its values`;
        context.addIssue({ code: 'custom', message: `${said}: ${known.join(', ')}, with commas between them` });
      }
    });

/** The input of the list of a dataset: its filters, its ranges, and how much of what is found to return. */
export function listParameters(dataset: AlmanacDataset): z.ZodObject {
  const fields = recordFields(dataset);
  const sortable = fields.filter(({ kind }) => kind !== 'list').map(({ name }) => name);
  return z.strictObject({
    view: z
      .enum(['compact', 'full'])
      .optional()
      .describe(`compact shows ${dataset.compact.join(', ')} of each record; full, the default, shows every field.`),
    fields: listOf(dataset.fields)
      .optional()
      .describe(
        'The fields to show of each record, with commas between them; id is always shown. Takes the place of view.',
      ),
    sort: listOf(sortable, '-')
      .optional()
      .describe(
        'Fields to sort by, with commas between them; -released sorts from the newest. Missing values come last.',
      ),
    limit: z.int().min(1).max(500).optional().describe('Most records to return, 1 to 500; `next` leads to the rest.'),
    cursor: z.string().max(300).optional().describe('Where a page goes on: the one in `next` of the page before.'),
    ...Object.fromEntries(fields.map((field) => [field.name, valueFilter(field)])),
    ...Object.fromEntries(
      derivedFilters(dataset).map(({ name, values, description }) => [
        name,
        z
          .enum(values as [string, ...string[]])
          .optional()
          .describe(description),
      ]),
    ),
    ...Object.fromEntries(fields.filter(hasRange).flatMap(rangeFilters)),
  });
}

/** A cursor says in which order a list was read, and which record was last. */
const Cursor = z.tuple([z.string(), z.string()]);

export const toCursor = (sort: string | undefined, last: string): string =>
  Buffer.from(JSON.stringify([sort ?? '', last])).toString('base64url');

/** The problem of a cursor that belongs to another list, another order or an earlier edition. */
export const cursorProblem = (): Problem =>
  new Problem('invalid-query', 'The cursor does not belong to this list in this order. Begin again without a cursor.', {
    errors: [{ pointer: '?cursor', detail: 'is not one that this list gave with this sort and these filters' }],
  });

function readCursor(cursor: string, sort: string | undefined): string {
  try {
    const [order, last] = Cursor.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')));
    if (order === (sort ?? '')) {
      return last;
    }
  } catch {
    // What cannot be read is no cursor of ours; the answer is the same as for one of another list.
  }
  throw cursorProblem();
}

/** Whether the whole list was asked for. */
export const isBare = (input: Readonly<Record<string, unknown>>): boolean =>
  Object.values(input).every((value) => value === undefined);

/** The checked input of a list, as the query that the almanac takes. Throws a Problem for a cursor that is not ours. */
export function toListQuery(
  dataset: AlmanacDataset,
  input: Readonly<Record<string, string | number | undefined>>,
): ListQuery {
  const { view, fields, sort, limit, cursor } = input;
  const names = [...recordFields(dataset), ...derivedFilters(dataset)].map(({ name }) => name);
  const given = (ending: string): Record<string, string> =>
    Object.fromEntries(
      names.flatMap((name) => {
        const value = input[`${name}${ending}`];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
  return {
    equals: given(''),
    from: given('_from'),
    to: given('_to'),
    ...(sort === undefined ? {} : { sort: namesIn(String(sort)) }),
    ...(fields === undefined
      ? view === 'compact'
        ? { fields: dataset.compact }
        : {}
      : { fields: namesIn(String(fields)) }),
    ...(typeof limit === 'number' ? { limit } : {}),
    ...(cursor === undefined
      ? {}
      : { after: readCursor(String(cursor), sort === undefined ? undefined : String(sort)) }),
  };
}
