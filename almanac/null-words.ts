/**
 * Why a field of a record is null. `not confirmed`: no source confirms a value. `not stated`: the source that states the
 * rest leaves it out. `none`: there is nothing of this kind. `does not apply`: another field rules it out.
 */
export type NullWord = 'not confirmed' | 'not stated' | 'none' | 'does not apply';

/** What null means in the fields where it can mean more than `not confirmed`, by field: always the same, or by the record. */
export type NullWords<Row> = { readonly [Field in keyof Row]?: NullWord | ((record: Row) => NullWord) };

/** `does not apply` to the records for which something holds, by other fields; `not confirmed` to the rest. */
export const unlessFor =
  <Row>(isRuledOut: (record: Row) => boolean) =>
  (record: Row): NullWord =>
    isRuledOut(record) ? 'does not apply' : 'not confirmed';

/** Nobody has compared the record yet. */
export const standingNulls = {
  source_as_of: 'none',
  checked_by_machine: 'none',
  checked_by_person: 'none',
  last_verified: 'none',
} as const;

/** Notes are written where there is something to say, and an origin is named where the evidence is second-hand. */
export const provenanceNulls = {
  ...standingNulls,
  note: 'none',
  primary_source: unlessFor(
    ({ evidence }: { evidence?: 'primary' | 'secondary' | undefined }) => evidence === 'primary',
  ),
} as const;
