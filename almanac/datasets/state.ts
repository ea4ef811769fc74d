import { z } from 'zod';
import { defineDataset, PartialDate, provenance, Slug } from '../dataset.ts';
import { type NullWord, provenanceNulls } from '../null-words.ts';
import document from './state.json' with { type: 'json' };

/** What a statement is about. */
export const Topic = z.enum([
  'adoption',
  'crawlers',
  'traffic',
  'referrals',
  'policy',
  'standards',
  'governance',
  'payments',
  'commerce',
  'readiness',
  'security',
]);
export type Topic = z.infer<typeof Topic>;

/** One dated statement about the agentic web: a measurement, or an event. */
export const Statement = z
  .strictObject({
    id: Slug.describe('stable id of the statement'),
    topic: Topic.describe('what the statement is about'),
    series: Slug.nullable().describe(
      'statements with the same series measure the same thing at different dates; null when it stands alone',
    ),
    statement: z
      .string()
      .min(20)
      .regex(/\.$/, 'expected a sentence that ends with a full stop')
      .describe('who, what and when, in one sentence'),
    value: z.number().nullable().describe('the number the statement gives; null for an event'),
    unit: z.string().min(1).nullable().describe('what the value counts; null for an event'),
    date: PartialDate.describe('observed, or published where the source does not say when it was observed'),
    observed: PartialDate.nullable().describe(
      'when the statement held: the last day, month or year that was counted, or the day of the event',
    ),
    published: PartialDate.nullable().describe('when its publisher published it; null when not stated'),
    period: z
      .string()
      .min(1)
      .nullable()
      .describe('the span the value covers, "as of the date", or "event"; null when not stated'),
    scope: z.string().min(1).nullable().describe('what was counted; null when not stated'),
    own: z.boolean().describe('true when we made the count ourselves; false for what others published'),
    publisher: z.string().min(2).describe('who says so, and in brackets where it was seen if that is another'),
    method: z.string().min(1).nullable().describe('how it was measured; null when not known'),
    entities: z
      .array(z.strictObject({ dataset: z.enum(['crawlers', 'protocols', 'models', 'glossary']), id: Slug }))
      .describe('records of the other datasets that the statement is about'),
    ...provenance,
  })
  .superRefine((row, context) => {
    const complain = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    if ((row.value === null) !== (row.unit === null)) {
      complain('unit', 'a value needs a unit, and an event has neither');
    }
    if (row.observed === null && row.published === null) {
      complain('observed', 'a statement needs the time it holds for, or that of its publication');
    }
    if (row.series !== null && row.value === null) {
      complain('series', 'a point of a series needs a value');
    }
    if (row.evidence === 'primary' && row.primary_source !== null) {
      complain('primary_source', 'only second-hand evidence names its origin apart');
    }
  });
export type Statement = z.infer<typeof Statement>;

/** An event measures nothing, so it has neither a base nor a way of counting. */
const ofEvents = ({ value }: Statement): NullWord => (value === null ? 'does not apply' : 'not stated');

export const state = defineDataset({
  id: 'state-of-the-agentic-web',
  path: 'state',
  record: Statement,
  derive: ({ observed, published }) => ({ date: observed ?? published }),
  compact: ['id', 'topic', 'statement', 'value', 'unit', 'date'],
  nulls: {
    ...provenanceNulls,
    observed: 'not stated',
    published: 'not stated',
    value: 'does not apply',
    unit: 'does not apply',
    series: 'none',
    period: 'not stated',
    scope: ofEvents,
    method: ofEvents,
  },
  document,
});
