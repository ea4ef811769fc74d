import { z } from 'zod';
import { PartialDate } from './dataset.ts';
import type { AlmanacDataset } from './datasets/index.ts';

/** What a field holds, as far as a list can be filtered and sorted by it. */
export type FieldKind = 'choice' | 'date' | 'list' | 'number' | 'text';

/** A field that a list can be filtered and sorted by. `name` is a path into the record: `pricing_usd_per_mtok.input`. */
export interface RecordField {
  name: string;
  kind: FieldKind;
  /** Every value that it can have, where the schema closes it; "null" is among them where a value may be missing. */
  values: readonly string[] | null;
  description: string;
}

/** A JSON Schema as Zod writes it, in the parts that matter here. */
interface FieldSchema {
  /** Several where a plain value may be null. */
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: FieldSchema[];
  items?: FieldSchema;
  properties?: Record<string, FieldSchema>;
}

/** A record with its fields by name. */
export type Row = Readonly<Record<string, unknown>> & { readonly id: string };

export const rowsOf = (dataset: AlmanacDataset): readonly Row[] => dataset.records as readonly Row[];

const datePattern = (z.toJSONSchema(PartialDate) as FieldSchema).pattern;

const isDate = ({ format, pattern }: FieldSchema): boolean =>
  format === 'date' || (pattern !== undefined && pattern === datePattern);

/** The values of a schema that allows only some, or null when it is open. */
function closedValues(schema: FieldSchema): string[] | null {
  if (schema.enum !== undefined) {
    return schema.enum.map(String);
  }
  if (schema.const !== undefined) {
    return [String(schema.const)];
  }
  if (schema.type === 'boolean') {
    return ['true', 'false'];
  }
  return schema.type === 'null' ? ['null'] : null;
}

/** A fact that carries its standing with it counts by its value. */
const isAnnotated = ({ properties }: FieldSchema): boolean =>
  properties?.['value'] !== undefined && properties['verify_status'] !== undefined;

/** The alternatives of a schema, each of one type; those of an annotated fact are among them. */
function alternatives(schema: FieldSchema): FieldSchema[] {
  const { type, anyOf } = schema;
  if (anyOf !== undefined) {
    return anyOf.flatMap(alternatives);
  }
  if (Array.isArray(type)) {
    return type.map((one) => ({ ...schema, type: one }));
  }
  return isAnnotated(schema) ? alternatives(schema.properties?.['value'] ?? {}) : [schema];
}

function toField(name: string, schema: FieldSchema, description: string): RecordField[] {
  const options = alternatives(schema);
  const present = options.filter(({ type }) => type !== 'null');
  const closed = options.map(closedValues);
  const of = (kind: FieldKind, values: readonly string[] | null = null): RecordField[] => [
    { name, kind, values, description },
  ];
  if (closed.every((values) => values !== null) && present.length > 0) {
    return of('choice', [...new Set(closed.flat())]);
  }
  const [first] = present;
  if (first !== undefined && present.length === 1 && first.type === 'object' && first.properties !== undefined) {
    return Object.entries(first.properties).flatMap(([member, inner]) =>
      toField(`${name}.${member}`, inner, inner.description ?? description),
    );
  }
  if (first?.type === 'array' && present.length === 1) {
    const values = closedValues(first.items ?? {});
    return values !== null || first.items?.type === 'string' ? of('list', values) : [];
  }
  if (present.some(isDate)) {
    return of('date');
  }
  if (present.every(({ type }) => type === 'number' || type === 'integer')) {
    return of('number');
  }
  return present.every(({ type }) => type === 'string' || type === 'boolean') ? of('text') : [];
}

const fieldsByDataset = new Map<string, readonly RecordField[]>();

/** The fields of a dataset that its list can be filtered and sorted by, read from the schema of its records. */
export function recordFields(dataset: AlmanacDataset): readonly RecordField[] {
  const known = fieldsByDataset.get(dataset.id);
  if (known !== undefined) {
    return known;
  }
  const schema = z.toJSONSchema(dataset.record, { unrepresentable: 'any' }) as FieldSchema;
  const fields = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    toField(name, property, property.description ?? ''),
  );
  fieldsByDataset.set(dataset.id, fields);
  return fields;
}

/** Every name by which a list can show a field of its records: a field, or a member of it as filters name it. */
export const shownFields = (dataset: AlmanacDataset): readonly string[] =>
  dataset.fields.flatMap((field) => [
    field,
    ...recordFields(dataset).flatMap(({ name }) => (name.startsWith(`${field}.`) ? [name] : [])),
  ]);

/** An object with the members that paths into it name; what has no members is kept whole. */
function pick(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || paths.some((path) => path.length === 0)) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, inner]) => {
      const further = paths.flatMap(([first, ...rest]) => (first === name ? [rest] : []));
      return further.length === 0 ? [] : [[name, pick(inner, further)]];
    }),
  );
}

/** A record with its id and the fields that are named, members of fields among them: `pricing_usd_per_mtok.input`. */
export const pickFields = (row: Row, names: readonly string[]): Row =>
  pick(
    row,
    ['id', ...names].map((name) => name.split('.')),
  ) as Row;

/** The value of a field by its path; a fact that carries its standing counts by its value, what is missing is null. */
export function fieldValue(row: Row, name: string): unknown {
  const value = name
    .split('.')
    .reduce<unknown>(
      (inner, part) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined),
      row,
    );
  if (typeof value === 'object' && value !== null && 'verify_status' in value && 'value' in value) {
    return value.value ?? null;
  }
  return value ?? null;
}
