import { z } from 'zod';
import { DatasetEnvelope, RecordEnvelope } from '../almanac/operations.ts';
import { auditReport, PlanStepRecord, StatusCounts } from '../audit/report.ts';
import { AllowanceDocument, AuditCall } from '../audits/start.ts';
import { AuditSummary } from '../audits/views.ts';
import { JoinAnswer } from '../directory/join.ts';
import { DirectoryEntry } from '../directory/responses.ts';
import { EntryDocument } from '../guestbook/responses.ts';
import { Receipt } from '../guestbook/write.ts';

type Json = Record<string, unknown>;

/** What several answers hold. The OpenAPI description has each once, under this name. */
const shared: Readonly<Record<string, z.ZodObject>> = {
  Allowance: AllowanceDocument,
  AuditCall,
  AuditPlanStep: PlanStepRecord,
  AuditReport: auditReport,
  AuditStatusCounts: StatusCounts,
  AuditSummary,
  Dataset: DatasetEnvelope,
  DatasetRecord: RecordEnvelope,
  DirectoryEntry,
  DirectoryJoined: JoinAnswer,
  GuestbookEntry: EntryDocument,
  GuestbookReceipt: Receipt,
};
const nameOf = new Map<z.core.$ZodType, string>(Object.entries(shared).map(([name, schema]) => [schema, name]));

/** The name of what is shared. A schema with a description of its own is a copy, whose parent has the name. */
const sharedName = (schema: z.core.$ZodType): string | undefined =>
  nameOf.get(schema) ?? (schema._zod.parent && sharedName(schema._zod.parent));

const reference = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });

/** JSON Schema of an answer, in which what is shared is a reference; the schema itself is written out. */
function writeOut(schema: z.ZodType): Json {
  const whole: z.core.$ZodType = schema;
  const { $schema: _dialect, ...written } = z.toJSONSchema(schema, {
    io: 'output',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const part: z.core.$ZodType = zodSchema;
      const name = part === whole ? undefined : sharedName(part);
      if (name !== undefined) {
        for (const key of Object.keys(jsonSchema).filter((each) => each !== 'description')) {
          delete jsonSchema[key];
        }
        Object.assign(jsonSchema, reference(name));
      }
    },
  });
  return written;
}

/** The same without `additionalProperties`, which would forbid the members that another part of an `allOf` adds. */
function writeOpen(schema: z.ZodType): Json {
  const { additionalProperties: _closed, ...open } = writeOut(schema);
  return open;
}

/** Whether a schema was made by extending another one: it then has the very members of that one. */
const extendsFrom = (schema: z.ZodObject, base: z.ZodObject): boolean =>
  schema !== base && Object.entries(base.shape).every(([member, type]) => schema.shape[member] === type);

/** JSON Schema of an answer, for the OpenAPI description: with references to what is shared. */
export function toAnswerSchema(schema: z.ZodType): Json {
  const name = nameOf.get(schema);
  if (name !== undefined) {
    return reference(name);
  }
  if (schema instanceof z.ZodUnion) {
    return { anyOf: schema.options.filter((option) => option instanceof z.ZodType).map(toAnswerSchema) };
  }
  const bases = Object.entries(shared).filter(([, each]) => schema instanceof z.ZodObject && extendsFrom(schema, each));
  if (bases.length === 0 || !(schema instanceof z.ZodObject)) {
    return writeOut(schema);
  }
  const added = Object.entries(schema.shape).filter(([member]) => !bases.some(([, { shape }]) => member in shape));
  const rest = added.length > 0 ? [writeOpen(z.object(Object.fromEntries(added)))] : [];
  return { allOf: [...bases.map(([base]) => reference(base)), ...rest] };
}

/** The schemas that the answers refer to, by name. */
export const toSharedSchemas = (): Json =>
  Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, writeOpen(schema)]));
