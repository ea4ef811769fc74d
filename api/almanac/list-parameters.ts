import { z } from 'zod';
import { PartialDate } from '#almanac/dataset.ts';
import type { AlmanacDataset } from '#almanac/datasets/index.ts';
import { derivedFilters } from '#almanac/derived-filters.ts';
import { countFacets } from '#almanac/facets.ts';
import { fieldValue, type RecordField, recordFields, rowsOf, shownFields } from '#almanac/record-fields.ts';
import { isHeld, isUpsideDown, type ListQuery, UnknownCursor } from '#almanac/record-list.ts';
import { echoedLine } from '../contract/echoed-line.ts';
import { Problem } from '../contract/problem.ts';
import { severalKey } from '../contract/tool.ts';
import type { AlmanacContext } from './context.ts';

const hasRange = ({ kind }: RecordField): boolean => kind === 'number' || kind === 'date';

/** Names in a list that is written with commas, each once. */
export const namesIn = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
];

/** A number, or a date, as filters and ranges take it. */
const numberForm = /^-?\d{1,15}(?:\.\d{1,6})?$/;
const isDate = (value: string): boolean => PartialDate.safeParse(value).success;
const wrongForm = {
  number: 'is not a number such as 200000 or 0.5',
  date: 'is not a day, a month or a year, such as 2026-10-01 or 2026-10',
} as const;

/** Why a field can't have a value, whatever the records hold; null when it can. */
function whyNever({ kind, values }: Pick<RecordField, 'kind' | 'values'>, value: string): string | null {
  if (values !== null) {
    return values.includes(value) ? null : `is not one of ${values.join(', ')}`;
  }
  const isFormed = kind === 'number' ? numberForm.test(value) : kind === 'date' ? isDate(value) : true;
  return isFormed || value === 'null' ? null : wrongForm[kind === 'number' ? 'number' : 'date'];
}

/** How many values a filter takes, and how many that no record has are told what is near them. */
const mostValues = 20;
const mostHints = 5;

/** The filter for a field: a value, or several with commas between them. What the field can't have is refused by name. */
function valueFilter(
  field: Omit<RecordField, 'description'>,
  meaning = field.kind === 'list'
    ? `Only records whose ${field.name} holds this value.`
    : `Only records with this ${field.name}.`,
): z.ZodType<string | undefined> {
  const { kind, values } = field;
  const hint = kind === 'date' ? ' 2026-10 finds every day of October 2026.' : '';
  return z
    .string()
    .max(200)
    .superRefine((given, context) => {
      const names = namesIn(given);
      const message =
        names.length === 0
          ? 'is empty'
          : names.length > mostValues
            ? `has ${names.length} values, and ${mostValues} are allowed`
            : values?.length === 0
              ? null
              : names.map((value) => whyNever(field, value)).find((why) => why !== null);
      if (message) {
        context.addIssue({ code: 'custom', message });
      }
    })
    .optional()
    .meta({
      description: `${meaning}${hint} Separate several values with commas; any of them matches.`,
      ...(values === null ? {} : { enum: [...values], [severalKey]: true }),
    });
}

const numberBound = z.string().regex(numberForm, wrongForm.number);

const dateBound = z.string().refine(isDate, wrongForm.date);

function rangeFilters(field: RecordField): [string, z.ZodType<string | undefined>][] {
  const bound = field.kind === 'number' ? numberBound : dateBound;
  return [
    [`${field.name}_from`, bound.optional().describe(`Only records whose ${field.name} is this or later or more.`)],
    [`${field.name}_to`, bound.optional().describe(`Only records whose ${field.name} is this or earlier or less.`)],
  ];
}

/** A list of names with commas, of which each has to be one of those that are known. */
export const listOf = (known: readonly string[], prefix = ''): z.ZodString =>
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

/** Names of the fields that a record shows, members of fields among them, with commas between them. */
export const fieldList = (dataset: AlmanacDataset): z.ZodString => listOf(shownFields(dataset));

/** The input of the list of a dataset: its filters, its ranges, and how much of what is found to return. */
export function listParameters(dataset: AlmanacDataset): z.ZodObject {
  const fields = recordFields(dataset);
  const sortable = fields.filter(({ kind }) => kind !== 'list').map(({ name }) => name);
  return z.strictObject({
    view: z
      .enum(['compact', 'full'])
      .optional()
      .describe(`compact shows ${dataset.compact.join(', ')} of each record; full, the default, shows every field.`),
    fields: fieldList(dataset)
      .optional()
      .describe(
        'The fields to show of each record, with commas between them; id is always shown. Takes the place of view. A dot leads into a field, as in filters.',
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
        valueFilter({ name, kind: 'text', values }, description),
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
const cursorProblem = (): Problem =>
  new Problem('invalid-query', 'The cursor does not belong to this list in this order. Begin again without a cursor.', {
    errors: [{ pointer: '?cursor', detail: 'is not one that this list gave in this order with these conditions' }],
  });

/** What a list gives that throws `UnknownCursor` where its cursor isn't one of its own: then a problem says so. */
export function withCursor<Read>(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw error instanceof UnknownCursor ? cursorProblem() : error;
  }
}

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

/** The values of a filter: what is written, where a record has it with its commas, else what stands between them. */
const valuesIn = (dataset: AlmanacDataset, field: RecordField, given: string): string[] =>
  isHeld(dataset, field, given) ? [given] : namesIn(given);

/** Refuses a range that ends before it begins. */
function checkRange(field: RecordField, from: string | undefined, to: string | undefined): void {
  if (from !== undefined && to !== undefined && isUpsideDown(field, from, to)) {
    const name = field.name;
    throw new Problem(
      'invalid-query',
      `${name}_from=${from} lies above ${name}_to=${to}, so nothing can be between them. Swap them.`,
      {
        errors: [{ pointer: `?${name}_from`, detail: `lies above ${name}_to` }],
      },
    );
  }
}

/** A value of a filter that no record has, and what to ask for instead. */
export interface FilterHint {
  parameter: string;
  detail: string;
}

const mostNear = 5;

/** What filters ask for that no record has, with values near it: those of records that a search for it finds, else the most frequent. */
export function hintsFor(
  dataset: AlmanacDataset,
  { equals = {} }: ListQuery,
  search: AlmanacContext['almanac']['search'],
): FilterHint[] {
  const isWord = ({ kind }: RecordField): boolean => kind !== 'number' && kind !== 'date';
  const missing = recordFields(dataset).flatMap((field) =>
    [equals[field.name] ?? []]
      .flat()
      .flatMap((value) =>
        isWord(field) && value !== 'null' && !isHeld(dataset, field, value) ? { field, value } : [],
      ),
  );
  return missing.slice(0, mostHints).map(({ field, value }) => {
    const found = new Set(search(value, { dataset: dataset.id, limit: 20 }).map(({ id }) => id));
    const near = rowsOf(dataset).flatMap((row) => (found.has(row.id) ? [fieldValue(row, field.name)].flat() : []));
    const values = [...new Set(near.filter((each) => each !== null).map(String))];
    const frequent = (): string[] =>
      (countFacets(dataset, [field.name], {})[0]?.choices ?? []).map((choice) => choice.value);
    const listed = (of: readonly string[]): string => of.slice(0, mostNear).map(short).join(', ');
    const said = values.length > 0 ? `Near it: ${listed(values)}.` : `Most records have: ${listed(frequent())}.`;
    return {
      parameter: field.name,
      detail: `no record has ${JSON.stringify(echoedLine(value).slice(0, 60))}. ${said}`,
    };
  });
}

const short = (value: string): string => (value.length <= 80 ? value : `${value.slice(0, 79)}…`);

/** The checked input of a list, as the query that the almanac takes. Throws a Problem for a cursor that is not ours. */
export function toListQuery(
  dataset: AlmanacDataset,
  input: Readonly<Record<string, string | number | undefined>>,
): ListQuery {
  const { view, fields, sort, limit, cursor } = input;
  const known = recordFields(dataset);
  const derived = derivedFilters(dataset);
  const given = (ending: string): Record<string, string> =>
    Object.fromEntries(
      [...known, ...derived].flatMap(({ name }) => {
        const value = input[`${name}${ending}`];
        return value === undefined ? [] : [[name, String(value)]];
      }),
    );
  const [equals, from, to] = [given(''), given('_from'), given('_to')];
  for (const field of known) {
    checkRange(field, from[field.name], to[field.name]);
  }
  return {
    equals: Object.fromEntries(
      Object.entries(equals).map(([name, value]) => {
        const field = known.find((one) => one.name === name);
        return [name, field === undefined ? namesIn(value) : valuesIn(dataset, field, value)];
      }),
    ),
    from,
    to,
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
