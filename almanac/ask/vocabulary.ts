import degreeDocument from './data/degrees.json' with { type: 'json' };
import document from './data/fields.json' with { type: 'json' };

/** How a value of a field is asked for and how it is said of many records: "that sign their requests". */
export interface ValueWords {
  ask: string[];
  /** Completes "Crawlers …" in a list. */
  that?: string;
  /** Whether a record may have no other value besides. */
  only?: boolean;
}

/**
 * How a field is asked for and answered. A field that is not listed is askable by its own name and says "The <name> of
 * <record>: <value>."
 */
export interface FieldWords {
  /** Words and phrases of questions. */
  ask: string[];
  /**
   * Sentences of the answer: {field} is a value, {name} the record's title, {on:date} "on 1 May 2026", {yes:a|b|c} chooses by
   * true, false, "partial"; {status=retired:a|b} by whether a field has a value; {as:purpose} makes a sentence about
   * the record of a text that has no subject: "A protocol that …", "Fetches …"; {count:ip_ranges} is how many things a list has;
   * {means:license} is what a value means, by `means`.
   * A sentence with an unconfirmed value is left out.
   */
  say?: string[];
  /** How many of its sentences are told among other fields, where that's more than the first: who runs a crawler, and what for. */
  sentences?: number;
  /** "What is X" is answered with this field. */
  lead?: boolean;
  /** It only describes the record, and is told after what else is told: who runs it, from where. */
  background?: boolean;
  /** What kinds of question it answers besides "what": who, when, where, why, how, number, advice. */
  fits?: string | string[];
  /** Words by which a boolean is asked for as false: "ignores". */
  negative?: string[];
  values?: Record<string, ValueWords>;
  /** What values mean to who asks, each in a sentence that says no more than the value: what a licence allows. */
  means?: Record<string, string>;
  /** What follows a number in a list: "tokens". */
  unit?: string;
  /** The field itself, where the key only names another way to ask for it: "allow" of the robots.txt token. */
  of?: string;
  /** Where the record's name is: "What builds on MCP" has it after the phrase, "What is MCP built on" before. */
  name?: 'before' | 'after';
  /** Its texts are looked through for words of the question: "MIT licensed". */
  holds?: boolean;
  /** Links to other records, which are not asked for by this name. */
  skip?: boolean;
  /** For dates that lists may be limited by: what happened then, such as "released". */
  dated?: string;
  /** What it is called in a sentence, where its name is none: "price per million {member} tokens". */
  label?: string;
  /** Not told among others where this field is known: the year, where the day is. */
  unless?: string;
  /** Completes "The almanac does not confirm …", where "the <label> of {name}" doesn't: "whether {name} follows robots.txt". */
  unheld?: string;
  /** Holds as long as the record is not retired: a price. */
  current?: boolean;
  /** For numbers in an object: the member that is compared, such as "input". */
  member?: string;
}

export interface DatasetWords {
  nouns: string[];
  /** The word for many of its records: "crawlers". */
  plural: string;
  /** The field by which "newest" orders, and "since" and "in" select; null when there is none. */
  date: string | null;
  /** Fields that name who is behind the record. */
  organisation: string[];
  /** Fields of a comparison, in order. */
  compare: string[];
  fields: Record<string, FieldWords>;
}

/** The words of every dataset. A dataset that is not listed has none and is askable by names and field names. */
export const vocabulary = document as Record<string, DatasetWords>;

/** Superlatives and comparatives: the field (of whatever dataset has it; "date" is the dataset's own) and the end of its order. */
export interface Degree {
  cue: RegExp;
  field: string | null;
  top: boolean;
  /** What the first of two is: "cheaper". */
  said: string;
}

export const degrees: readonly Degree[] = (degreeDocument as (Omit<Degree, 'cue'> & { cue: string })[]).map(
  ({ cue, ...degree }) => ({
    cue: new RegExp(cue),
    ...degree,
  }),
);
