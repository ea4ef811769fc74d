import { z } from 'zod';
import { Conflict, Day, defineDataset, PartialDate, Slug, standing, WebAddress } from '../dataset.ts';
import { provenanceNulls, standingNulls, unlessFor } from '../null-words.ts';
import document from './protocols.json' with { type: 'json' };

const Text = z.string().trim().min(1);

/** A sentence that says something: long enough to be one, and closed like one. */
const Sentence = z
  .string()
  .trim()
  .min(20)
  .regex(/[.?)]$/, 'expected a sentence that ends with a full stop');

export const Layer = z.enum(['discovery', 'capability', 'interop', 'identity', 'payments', 'licensing', 'governance']);

export const Predicate = z.enum([
  'built_on',
  'complements',
  'governed_by',
  'discovered_by',
  'standardized_by',
  'extends',
  'competes_with',
  'verifies',
  'verified_by',
  'governs',
  'standardizes',
  'stewards',
  'discovers',
]);

/** A fact with its standing. `value: null` means unconfirmed: a reader must not infer one. */
const annotated = {
  value: Text.nullable(),
  verify_status: z
    .enum(['verify-against-primary-at-build', 'attributed-not-audited'])
    .describe(
      'the first: to be looked up again at its primary source; the second: a party said so and nobody audited it',
    ),
  source_hint: WebAddress.describe('where the fact is, or would be, stated first'),
  note: Text.describe('what was looked at, or whose statement it is'),
};
export const Annotated = z.strictObject(annotated);

const AdoptionMetric = z.union([
  z.strictObject({ ...annotated, source: WebAddress.optional(), last_verified: Day.optional() }),
  z
    .record(z.string(), Text)
    .refine((value) => Object.keys(value).length > 0, 'an empty object measures nothing')
    .refine(
      (value) => !('verify_status' in value),
      'an annotated object needs value, verify_status, source_hint and note',
    ),
]);

const Relationship = z.strictObject({
  predicate: Predicate,
  target: Slug.describe('id of another record of this dataset'),
  note: Text.describe('what the link rests on, in a few words'),
});

const Sdk = z.strictObject({
  name: Text,
  language: Text,
  repository: WebAddress.nullable(),
  version: Text.nullable().describe('newest version seen'),
  version_as_of: Day.nullable().describe(
    'the day of the copy of a registry or repository in which that version was the newest; null if unknown',
  ),
  license: Text.nullable(),
  source: WebAddress,
});

const stringOrAnnotated = z.union([Text, Annotated]).nullable();
const dateOrAnnotated = z.union([PartialDate, Annotated]).nullable();

export const Protocol = z.strictObject({
  id: Slug.describe('lower-case slug, unique; relationships point to it'),
  name: Text.describe('short name, as its makers write it'),
  full_name: Text.describe('the name in full'),
  layer: Layer.describe(
    'the question it answers: discovery, capability, interop, identity, payments, licensing, governance',
  ),
  creator: Text.nullable().describe('who published it first; null if unconfirmed'),
  status: z
    .enum(['draft', 'active', 'stable', 'merged', 'superseded', 'dormant', 'proposed'])
    .describe('standing of the specification or organisation on the day of last_verified'),
  year: z.int().min(1960).max(2100).describe('year of first publication'),
  one_liner: Sentence.describe('what it is, in one sentence'),
  spec_url: WebAddress.nullable().describe('where to read it; null if no address is confirmed'),
  snippet: Sentence.describe('one or two sentences that stand alone as an answer to "what is it?"'),
  abbreviation: Text.nullable().describe('the letters it goes by, or null'),
  also_known_as: z.array(Text).describe('other names in use'),
  canonical_spec_url: WebAddress.nullable().describe('address of the normative text itself'),
  entity_uri: WebAddress.nullable().describe(
    'address that identifies the thing itself (its own site, DOI or repository)',
  ),
  taxonomy_layer: Layer.describe('layer in the taxonomy of this dataset; equals layer unless there is a reason'),
  sub_layer: Text.describe('a narrower heading within the layer'),
  protocol_type: z
    .enum(['tooling', 'transport', 'settlement', 'declaration', 'governance'])
    .describe('kind of thing it is'),
  central_problem: Sentence.describe('the problem it was made for'),
  maintainer: Text.nullable().describe('who edits it today'),
  governance_body: stringOrAnnotated.describe('the body that decides about it'),
  license: stringOrAnnotated.describe('licence of the specification text'),
  maturity_tag: z.enum(['emerging', 'experimental', 'production-ready', 'standard']).describe('how far it has come'),
  current_spec_version: stringOrAnnotated.describe('latest published version, revision or RFC number'),
  spec_date: dateOrAnnotated.describe('date of that version, as exact as its source'),
  launch_date: dateOrAnnotated.describe('date of first publication, as exact as its source'),
  last_verified: standing.last_verified
    .unwrap()
    .describe('the latest of source_as_of, checked_by_machine and checked_by_person'),
  transport: Text.nullable().describe('how it travels: protocol, header, file; null for an organisation'),
  core_mechanism: Sentence.describe('how it works, in a sentence or two'),
  discovery_endpoint: Text.nullable().describe('well-known path, DNS name or other place where a client finds it'),
  settlement_type: Text.nullable().describe('how money moves; null where none does'),
  adoption_metric: AdoptionMetric.describe('a figure of its use with its standing; value null if none is confirmed'),
  notable_adopters: z.array(z.strictObject({ value: Text, source: WebAddress })).describe('users named in a source'),
  relationships: z.array(Relationship).describe('links to other records of this dataset'),
  ideal_use_case: Sentence.describe('the case it fits best'),
  when_to_use: Sentence.describe('when to choose it'),
  when_not_to_use: Sentence.describe('when to leave it'),
  code_example: z.string().min(1).describe('a small working example of our own'),
  source: WebAddress.describe('primary source of the record'),
  agent_readiness_link: z
    .string()
    .regex(
      /^\/techniques\/[a-z0-9]+(?:-[a-z0-9]+)*$/,
      'expected the path of a technique page such as "/techniques/llms-txt"',
    )
    .nullable()
    .describe('page of this site on the technique that uses it'),
  layer_legacy: z
    .enum(['tool', 'agent', 'identity', 'payment', 'content'])
    .optional()
    .describe('layer in an older, coarser division'),
  evidence: z.enum(['primary', 'secondary']).optional().describe('whether the record rests on primary documents'),
  primary_source: WebAddress.nullable().optional().describe('origin of the facts when the evidence is second-hand'),
  conflicts: z.array(Conflict).optional().describe('fields on which sources contradict each other'),
  source_as_of: standing.source_as_of.unwrap().describe('the day of the copy of the sources that was read'),
  checked_by_machine: standing.checked_by_machine,
  checked_by_person: standing.checked_by_person,
  draft_expires: Day.nullable().describe(
    'the day on which the Internet-Draft lapses; null when it is none, or unknown',
  ),
  releases: z
    .array(z.strictObject({ version: Text, date: PartialDate }))
    .describe('published versions with their days, oldest first; empty when none was read'),
  sdks: z.array(Sdk).describe('libraries that implement it; empty when none was looked for'),
});
export type Protocol = z.infer<typeof Protocol>;

/** A link that says one thing about A and B says the same seen from B: both ends carry it. */
const inverses = new Map<string, string>([
  ['verifies', 'verified_by'],
  ['verified_by', 'verifies'],
  ['discovers', 'discovered_by'],
  ['discovered_by', 'discovers'],
  ['governs', 'governed_by'],
  ['governed_by', 'governs'],
  ['standardizes', 'standardized_by'],
  ['standardized_by', 'standardizes'],
]);

/** What a schema cannot see: links between records. Returns one line for each problem, none if all is well. */
export function checkRelationships(records: readonly Pick<Protocol, 'id' | 'relationships'>[]): string[] {
  const links = new Map(
    records.map((record) => [
      record.id,
      new Set(record.relationships.map((link) => `${link.predicate} ${link.target}`)),
    ]),
  );
  const problems: string[] = [];
  for (const record of records) {
    const seen = new Set<string>();
    for (const { predicate, target } of record.relationships) {
      const place = `protocols ${record.id}: relationships: ${predicate} ${target}`;
      if (seen.has(`${predicate} ${target}`)) {
        problems.push(`${place}: stated twice`);
      }
      seen.add(`${predicate} ${target}`);
      if (target === record.id) {
        problems.push(`${place}: a record cannot relate to itself`);
        continue;
      }
      const other = links.get(target);
      if (other === undefined) {
        problems.push(`${place}: no record has this id`);
        continue;
      }
      const inverse = inverses.get(predicate);
      if (inverse !== undefined && !other.has(`${inverse} ${record.id}`)) {
        problems.push(`${place}: ${target} does not say "${inverse} ${record.id}"`);
      }
    }
  }
  return problems;
}

/** A foundation or a standards body, which has no version and no endpoint. */
const isOrganisation = ({ protocol_type }: Protocol): boolean => protocol_type === 'governance';

export const protocols = defineDataset({
  id: 'protocols',
  path: 'protocols',
  record: Protocol,
  compact: ['id', 'name', 'layer', 'maintainer', 'status', 'maturity_tag', 'current_spec_version', 'one_liner'],
  nulls: {
    ...standingNulls,
    primary_source: provenanceNulls.primary_source,
    draft_expires: unlessFor(({ canonical_spec_url }) => !canonical_spec_url?.includes('/draft-')),
    abbreviation: 'none',
    transport: 'does not apply',
    current_spec_version: unlessFor(isOrganisation),
    spec_date: unlessFor((protocol) => protocol.current_spec_version === null || isOrganisation(protocol)),
    discovery_endpoint: unlessFor(isOrganisation),
    settlement_type: 'does not apply',
    agent_readiness_link: 'none',
  },
  document,
});

const problems = checkRelationships(protocols.records);
if (problems.length > 0) {
  throw new Error(`almanac/datasets/protocols.json has broken links between records:\n${problems.join('\n')}`);
}
