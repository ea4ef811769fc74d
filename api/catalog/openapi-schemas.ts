import { z } from 'zod';
import { DatasetEnvelope, RecordEnvelope } from '../almanac/operations.ts';
import { PlanStep } from '../audit/plan.ts';
import { auditReport, StatusCounts } from '../audit/report.ts';
import { auditChange, auditHistory } from '../audits/history.ts';
import { AllowanceDocument, AuditCall } from '../audits/start.ts';
import { AuditSummary } from '../audits/views.ts';
import type { ProblemSlug } from '../contract/problem-types.ts';
import { JoinAnswer, NotCertifiable } from '../directory/join.ts';
import { DirectoryEntry } from '../directory/responses.ts';
import { EntryDocument } from '../guestbook/responses.ts';
import { Receipt } from '../guestbook/write.ts';
import { PaymentDue, PaymentReceipt } from '../payments/pay-for.ts';

type Json = Record<string, unknown>;

/** What several answers hold. The OpenAPI description has each once, under this name. */
const shared: Readonly<Record<string, z.ZodObject>> = {
  Allowance: AllowanceDocument,
  AuditCall,
  AuditChange: auditChange,
  AuditHistory: auditHistory,
  AuditPlanStep: PlanStep,
  AuditReport: auditReport,
  AuditStatusCounts: StatusCounts,
  AuditSummary,
  Dataset: DatasetEnvelope,
  DatasetRecord: RecordEnvelope,
  DirectoryEntry,
  DirectoryJoined: JoinAnswer,
  GuestbookEntry: EntryDocument,
  GuestbookReceipt: Receipt,
  NotCertifiable,
  PaymentDue,
  PaymentReceipt,
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

/** The shared schemas that a schema was made of by extending: it then has the very members of each. */
const basesOf = (schema: z.ZodType): [name: string, base: z.ZodObject][] =>
  Object.entries(shared).filter(
    ([, base]) =>
      schema instanceof z.ZodObject &&
      schema !== base &&
      Object.entries(base.shape).every(([member, type]) => schema.shape[member] === type),
  );

/** JSON Schema of an answer, for the OpenAPI description: with references to what is shared. */
export function toAnswerSchema(schema: z.ZodType): Json {
  const name = nameOf.get(schema);
  if (name !== undefined) {
    return reference(name);
  }
  if (schema instanceof z.ZodUnion) {
    return { anyOf: schema.options.filter((option) => option instanceof z.ZodType).map(toAnswerSchema) };
  }
  const bases = basesOf(schema);
  if (bases.length === 0 || !(schema instanceof z.ZodObject)) {
    return writeOut(schema);
  }
  const added = Object.entries(schema.shape).filter(([member]) => !bases.some(([, { shape }]) => member in shape));
  return {
    allOf: [
      ...bases.map(([baseName]) => reference(baseName)),
      ...(added.length === 0 ? [] : [writeOpen(z.object(Object.fromEntries(added)))]),
    ],
  };
}

/** What a problem of one type says beyond what every problem does. */
const problemMembers: Partial<Record<ProblemSlug, string>> = {
  'payment-required': 'PaymentDue',
  'not-certifiable': 'NotCertifiable',
};

/** JSON Schema of the problems that share a status: what they have in common, and what each of them adds. */
export function toProblemSchema(slugs: readonly ProblemSlug[]): Json {
  const problem = reference('Problem');
  const choices = [
    ...new Set(
      slugs.map((slug) => {
        const name = problemMembers[slug];
        return JSON.stringify(name === undefined ? problem : { allOf: [problem, reference(name)] });
      }),
    ),
  ].map((text): Json => JSON.parse(text));
  const [only] = choices;
  return choices.length === 1 && only !== undefined ? only : { anyOf: choices };
}

/** The schemas that the answers refer to, by name. */
export const toSharedSchemas = (): Json =>
  Object.fromEntries(Object.entries(shared).map(([name, schema]) => [name, writeOpen(schema)]));
